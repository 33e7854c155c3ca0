import { expect, test } from "vitest";
import { readEventPayload } from "../../src/github/event-payload.ts";

const NOTHING = { pullRequest: null, visibility: "unknown", sender: null, inputs: {} };

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
  expect(read({ number: 7, head })).toEqual({
    number: 7,
    head: { sha: "b".repeat(40), ref: "fix", repository: { id: 9, fullName: "fork/demo" } },
  });
  expect(read({ number: 7, head: { ...head, repo: null } })).toMatchObject({ head: { repository: null } });
  expect(read({ number: 7, head: { sha: 1 } })).toEqual({ number: 7, head: null });
});

test("a comment on a pull request names it without its head; one on an issue names none", () => {
  const read = (issue: unknown) => readEventPayload(JSON.stringify({ issue })).pullRequest;
  expect(read({ number: 7, pull_request: { url: "" } })).toEqual({ number: 7, head: null });
  expect(read({ number: 7 })).toBeNull();
});

test.for([
  { repository: { visibility: "public", private: false }, expected: "public" },
  { repository: { visibility: "internal", private: true }, expected: "public" },
  { repository: { visibility: "private", private: true }, expected: "private" },
  { repository: { private: true }, expected: "private" },
  { repository: { private: false }, expected: "public" },
  { repository: {}, expected: "unknown" },
])("C13: a repository that says $repository is $expected", ({ repository, expected }) => {
  expect(readEventPayload(JSON.stringify({ repository })).visibility).toBe(expected);
});

test("inputs are texts", () => {
  const { inputs } = readEventPayload(JSON.stringify({ inputs: { a: "x", b: true, c: 3, d: { no: 1 }, e: null } }));
  expect(inputs).toEqual({ a: "x", b: "true", c: "3" });
});
