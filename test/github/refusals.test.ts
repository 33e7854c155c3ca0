import { describe, expect, test } from "vitest";
import type { Github } from "../../src/github/client.ts";
import { troubleOf } from "../../src/github/refusal.ts";
import { setCommitStatus } from "../../src/github/statuses.ts";
import { addLabels, removeLabel } from "../../src/github/labels.ts";
import { publishPullRequest } from "../../src/github/own-pull-request.ts";
import { react } from "../../src/github/comments.ts";
import type { Fault } from "../support/github-api/faults.ts";
import { aComment } from "../support/github-api/server.ts";
import { HEAD, MARKER, ownPull, stage, unprocessable } from "./stage.ts";

/** Everything that writes by REST, each as it is asked. */
const WRITES: Readonly<Record<string, (github: Github) => Promise<unknown>>> = {
  "a pull request": (access) =>
    publishPullRequest(access, {
      branch: "smithers/a",
      base: "main",
      title: "T",
      body: "B",
      marker: MARKER,
      draft: false,
      known: null,
    }),
  "a commit status": (access) =>
    setCommitStatus(access, {
      sha: HEAD,
      state: "failure",
      context: "x",
      description: "Paused",
      targetUrl: "https://github.com/o/r",
    }),
  "a label": (access) => addLabels(access, 9, ["smithers:paused"]),
  "taking a label off": (access) => removeLabel(access, 9, "smithers:paused"),
  "a reaction": (access) => react(access, 31, "eyes"),
};

describe.concurrent("each missing permission is answered with the line to add", () => {
  test.for([
    { what: "a pull request", line: "pull-requests: write" },
    { what: "a commit status", line: "statuses: write" },
    { what: "a label", line: "pull-requests: write" },
    { what: "taking a label off", line: "pull-requests: write" },
    { what: "a reaction", line: "pull-requests: write" },
  ])("$what", async ({ what, line }) => {
    await using at = await stage({ "pull-requests": "read", statuses: "read" });
    at.api.world.issues.push(ownPull({ number: 9, headBranch: "other" }));
    at.api.world.comments.push(aComment({ id: 31, issue: 9, body: "/smithers continue" }));
    const why = `the token may not do this; give the job permissions: ${line}`;
    expect(await WRITES[what]?.(at.github())).toMatchObject({ ok: false, trouble: { kind: "refused", because: why } });
  });
});

const answer = (status: number, message: string, headers: Record<string, string> = {}): Fault => ({
  status,
  body: { message, documentation_url: "https://docs.github.com/rest", status: String(status) },
  headers,
});
const RATE = "GitHub's rate limit is used up";
const LINE = "give the job permissions: pull-requests: write";

describe.concurrent("what GitHub says is told in words that help", () => {
  test.for<{ said: string; fault: Fault; because: "refused" | "unreachable"; why: string }>([
    { said: "401", fault: answer(401, "Bad credentials"), because: "refused", why: "GitHub does not know the token" },
    {
      said: "403 Resource not accessible",
      fault: answer(403, "Resource not accessible by integration"),
      because: "refused",
      why: `the token may not do this; ${LINE}`,
    },
    {
      said: "403 of an App's or a person's token",
      fault: answer(403, "Resource not accessible by personal access token"),
      because: "refused",
      why: `the token may not do this; ${LINE}`,
    },
    {
      said: "403 not permitted to create",
      fault: answer(403, "GitHub Actions is not permitted to create or approve pull requests."),
      because: "refused",
      why:
        "GitHub Actions may not create pull requests here; allow it in the repository's Settings, Actions, General: “Allow " +
        "GitHub Actions to create and approve pull requests” (an organisation can forbid it for all of its repositories)",
    },
    {
      said: "403 locked",
      fault: answer(403, "Unable to create comment because issue is locked."),
      because: "refused",
      why: "the conversation is locked; unlock it on its page",
    },
    {
      said: "403 archived",
      fault: answer(403, "Repository was archived so is read-only."),
      because: "refused",
      why: "the repository is archived; unarchive it",
    },
    {
      said: "422 too many statuses",
      fault: unprocessable("This SHA and context has reached the maximum number of statuses."),
      because: "refused",
      why: "the commit has 1,000 statuses of this name already, and GitHub takes no more; the next commit gets one",
    },
    {
      said: "410 issues are disabled",
      fault: answer(410, "Issues are disabled for this repo"),
      because: "refused",
      why: "GitHub answered 410 (Issues are disabled for this repo)",
    },
    {
      said: "403 with another reason",
      fault: answer(403, "Must have admin rights."),
      because: "refused",
      why: "GitHub refused (Must have admin rights.)",
    },
    {
      said: "403 rate limit",
      fault: answer(403, "API rate limit exceeded for installation ID 1."),
      because: "unreachable",
      why: RATE,
    },
    {
      said: "403 secondary rate limit",
      fault: answer(403, "You have exceeded a secondary rate limit.", { "retry-after": "60" }),
      because: "unreachable",
      why: `${RATE}; it may be asked again in 60 s`,
    },
    {
      said: "404",
      fault: answer(404, "Not Found"),
      because: "refused",
      why: `GitHub does not know it, or the token may not do this; ${LINE}`,
    },
    { said: "409", fault: answer(409, "Conflict"), because: "refused", why: "GitHub answered 409 (Conflict)" },
    {
      said: "422 own pull request",
      fault: {
        status: 422,
        body: { message: "Unprocessable Entity", errors: ["Can not approve your own pull request"] },
      },
      because: "refused",
      why: "GitHub answered 422 (Unprocessable Entity: Can not approve your own pull request)",
    },
    {
      said: "422 Reference already exists",
      fault: answer(422, "Reference already exists"),
      because: "refused",
      why: "GitHub answered 422 (Reference already exists)",
    },
    {
      said: "422 Body is too long",
      fault: unprocessable("Body is too long (maximum is 65536 characters)"),
      because: "refused",
      why: "the text is longer than the 65,536 characters that GitHub takes",
    },
    {
      said: "422 with a field",
      fault: { status: 422, body: { message: "Validation Failed", errors: [{ field: "base", code: "invalid" }] } },
      because: "refused",
      why: "GitHub answered 422 (Validation Failed: base invalid)",
    },
    {
      said: "422 Event is not allowed",
      fault: answer(422, "Event 'workflow_dispatch' is not allowed to trigger Actions workflows"),
      because: "refused",
      why: "a policy of the organisation or enterprise does not let this event start workflows",
    },
    { said: "429", fault: answer(429, "Too many requests"), because: "unreachable", why: RATE },
    {
      said: "429 with Retry-After",
      fault: answer(429, "Too many requests", { "retry-after": "3600" }),
      because: "unreachable",
      why: `${RATE}; it may be asked again in 3600 s`,
    },
    { said: "500", fault: answer(500, "Oops"), because: "unreachable", why: "GitHub answered 500 (Oops)" },
    {
      said: "a page of some proxy",
      fault: { status: 502, body: `<html>\n${"Bad gateway. ".repeat(100)}` },
      because: "unreachable",
      why: `GitHub answered 502 (<html> ${"Bad gateway. ".repeat(100).slice(0, 293)}…)`,
    },
    { said: "nothing: the connection is cut", fault: "drop", because: "unreachable", why: "GitHub cannot be reached" },
  ])("$said", async ({ fault, because, why }) => {
    await using at = await stage();
    at.api.fail("repos/get", fault, 9);
    const asked = at.github().rest.repos.get({});
    const error: unknown = await asked.catch((thrown: unknown) => thrown);
    const trouble = troubleOf(error, "pull-requests: write");
    expect(trouble.kind === "absent" ? "refused" : trouble.kind).toBe(because);
    expect(trouble.because.slice(0, why.length)).toBe(why);
  });

  test("what is not an error of Octokit's is told as it is", () => {
    expect(troubleOf("odd", "x: read")).toEqual({ kind: "refused", because: "odd" });
    expect(troubleOf(new Error("two\nlines"), "x: read")).toEqual({ kind: "refused", because: "two lines" });
    const wordless = { kind: "refused", because: "an error without words" };
    expect(troubleOf({ message: { toString: -1 } }, "x: read")).toEqual(wordless);
  });
});

test.concurrent.for(Object.entries(WRITES))("%s: a write that hangs ends with its signal", async ([, write]) => {
  await using at = await stage();
  for (const operation of ["pulls/list", "repos/create-commit-status", "issues/add-labels", "issues/remove-label"])
    at.api.fail(operation, "hang");
  at.api.fail("reactions/create-for-issue-comment", "hang");
  const done = await write(at.patient(AbortSignal.timeout(100)));
  expect(done).toMatchObject({ ok: false, trouble: { kind: "unreachable", because: "GitHub did not answer in time" } });
});

test.concurrent.for([
  { name: "429", fault: answer(429, "Too many requests", { "retry-after": "1" }) },
  {
    name: "a secondary limit",
    fault: answer(403, "You have exceeded a secondary rate limit.", { "retry-after": "1" }),
  },
])("$name: our client waits as long as it is told to, and writes once", { timeout: 20_000 }, async ({ fault }) => {
  await using at = await stage();
  at.api.world.issues.push(ownPull({ number: 9, headBranch: "other" }));
  at.api.fail("issues/add-labels", fault);
  const begin = performance.now();
  expect(await WRITES["a label"]?.(at.patient())).toMatchObject({ ok: true });
  expect(performance.now() - begin).toBeGreaterThan(950);
  expect(at.asked()).toEqual(["issues/add-labels", "issues/add-labels"]);
});
