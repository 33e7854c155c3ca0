import { expect, test } from "vitest";
import { readEventPayload } from "../../src/github/event-payload.ts";

const NOTHING = {
  action: "",
  pullRequest: null,
  issue: null,
  issueText: null,
  comment: null,
  saidBefore: null,
  review: null,
  label: null,
  workflowRun: null,
  defaultBranch: null,
  visibility: "unknown",
  repositoryId: null,
  sender: null,
  inputs: {},
};

test.for([
  { name: "no file", json: "" },
  { name: "no JSON", json: "{" },
  { name: "no object", json: "[1]" },
  { name: "null", json: "null" },
  { name: "nothing that we know", json: '{"schedule":"0 3 * * *"}' },
  {
    name: "wrong types everywhere",
    json: '{"pull_request":{"number":"7"},"repository":{"private":"no"},"sender":"ann","inputs":[1],"issue":3}',
  },
])("a payload may be anything: $name", ({ json }) => {
  expect(readEventPayload(json)).toEqual(NOTHING);
});

test("a pull request is known by its head, a deleted fork's too", () => {
  const head = { sha: "b".repeat(40), ref: "fix", repo: { id: 9, full_name: "fork/demo" } };
  const read = (pull: unknown) => readEventPayload(JSON.stringify({ pull_request: pull })).pullRequest;
  const base = { sha: "c".repeat(40) };
  expect(read({ number: 7, head, base })).toMatchObject({ baseSha: base.sha });
  expect(read({ number: 7, head, base: { sha: "--upload-pack=evil" } })).toMatchObject({ baseSha: null });
  expect(read({ number: 7, head })).toEqual({
    number: 7,
    baseSha: null,
    head: { sha: "b".repeat(40), ref: "fix", repository: { id: 9, fullName: "fork/demo" } },
  });
  expect(read({ number: 7, head: { ...head, repo: null } })).toMatchObject({ head: { repository: null } });
  expect(read({ number: 7, head: { sha: 1 } })).toEqual({ number: 7, head: null, baseSha: null });
});

test("a comment on a pull request names it without its head; one on an issue names none", () => {
  const read = (issue: unknown) => readEventPayload(JSON.stringify({ issue })).pullRequest;
  expect(read({ number: 7, pull_request: { url: "" } })).toEqual({ number: 7, head: null, baseSha: null });
  expect(read({ number: 7 })).toBeNull();
});

test.for([
  { repository: { visibility: "public", private: false }, expected: "public" },
  { repository: { visibility: "internal", private: true }, expected: "public" },
  { repository: { visibility: "private", private: true }, expected: "private" },
  { repository: { private: true }, expected: "private" },
  { repository: { private: false }, expected: "public" },
  { repository: {}, expected: "unknown" },
])("a repository that says $repository is $expected [C13]", ({ repository, expected }) => {
  expect(readEventPayload(JSON.stringify({ repository })).visibility).toBe(expected);
});

test("inputs are texts", () => {
  const { inputs } = readEventPayload(JSON.stringify({ inputs: { a: "x", b: true, c: 3, d: { no: 1 }, e: null } }));
  expect(inputs).toEqual({ a: "x", b: "true", c: "3" });
});

const ANN = { login: "ann", type: "User" };
const AT = "2026-11-21T08:00:00Z";
const MOMENT = Date.parse(AT);

test("a comment is known by its author and its time; anything else does not count", () => {
  const read = (comment: unknown) => readEventPayload(JSON.stringify({ action: "created", comment })).comment;
  const comment = { id: 5, body: "hello", user: ANN, created_at: AT };
  expect(read(comment)).toEqual({ id: 5, body: "hello", author: ANN, createdAt: MOMENT });
  expect(read({ ...comment, user: null })).toMatchObject({ author: null });
  for (const wrong of [{ ...comment, id: "5" }, { ...comment, created_at: "soon" }, { id: 5 }, "hello"]) {
    expect(read(wrong)).toBeNull();
  }
});

test("another workflow's run is known by its commit and by everybody who caused it", () => {
  const read = (run: unknown) => readEventPayload(JSON.stringify({ workflow_run: run })).workflowRun;
  const run = { id: 9, head_sha: "b".repeat(40), updated_at: AT };
  const more = {
    ...{
      name: "CI",
      path: ".github/workflows/ci.yml@main",
      conclusion: "failure",
      head_branch: "fix",
      head_repository: { id: 1001 },
    },
    ...{ actor: ANN, triggering_actor: { login: "bob", type: "User" }, pull_requests: [{ number: 7 }] },
  };
  expect(read({ ...run, ...more })).toEqual({
    ...{
      id: 9,
      name: "CI",
      path: ".github/workflows/ci.yml",
      conclusion: "failure",
      headSha: "b".repeat(40),
      headBranch: "fix",
      headRepositoryId: 1001,
    },
    ...{ actors: [ANN, { login: "bob", type: "User" }], pullRequests: [7], endedAt: MOMENT },
  });
  expect(read(run)).toMatchObject({ conclusion: null, headBranch: null, headRepositoryId: null, actors: [] });
  expect(read({ ...run, pull_requests: [{ number: "7" }] })).toMatchObject({ pullRequests: [] });
  expect(read({ id: 9 })).toBeNull();
  const opened = (number: number, id: number) => ({ number, base: { repo: { id } } });
  const event = { repository: { id: 1001 }, workflow_run: { ...run, pull_requests: [opened(3, 5), opened(7, 1001)] } };
  expect(readEventPayload(JSON.stringify(event)).workflowRun?.pullRequests).toEqual([7]);
});

test("label and default branch are names", () => {
  const payload = { label: { name: "smithers:continue" }, repository: { default_branch: "trunk" } };
  expect(readEventPayload(JSON.stringify(payload))).toMatchObject({
    label: "smithers:continue",
    defaultBranch: "trunk",
  });
});
