import { describe, expect, test } from "vitest";
import { createGithub } from "../../src/github/client.ts";
import type { Fault } from "../support/github-api/faults.ts";
import { waitFor } from "../support/wait-for.ts";
import { DONE, HALF, known, prepared, there } from "./publish-prepared.ts";
import { BRANCH, publishStage } from "./publish-stage.ts";

const says = (status: number, message: string, headers = {}): Fault => ({ status, body: { message }, headers });

const FAULTS: readonly { readonly name: string; readonly fault: Fault; readonly why: RegExp }[] = [
  { name: "401", fault: says(401, "Bad credentials"), why: /GitHub does not know the token/u },
  {
    name: "403",
    fault: says(403, "Resource not accessible by integration"),
    why: /give the job permissions: (?:pull-requests|statuses): write/u,
  },
  { name: "404", fault: says(404, "Not Found"), why: /does not know it, or .*permissions: \S+: write/u },
  { name: "409", fault: says(409, "Conflict"), why: /GitHub answered 409 \(Conflict\)/u },
  { name: "422", fault: says(422, "Validation Failed"), why: /GitHub answered 422 \(Validation Failed\)/u },
  {
    name: "422, too long",
    fault: says(422, "Body is too long (maximum is 65536 characters)"),
    why: /longer than the 65,536 characters/u,
  },
  {
    name: "429",
    fault: says(429, "Too many requests", { "retry-after": "7" }),
    why: /rate limit is used up; it may be asked again in 7 s/u,
  },
  {
    name: "a secondary limit",
    fault: says(403, "You have exceeded a secondary rate limit.", { "retry-after": "60" }),
    why: /rate limit is used up; it may be asked again in 60 s/u,
  },
  { name: "500", fault: says(500, "oops"), why: /GitHub answered 500 \(oops\)/u },
  { name: "a cut connection", fault: "drop", why: /\S/u },
];

const IN_EACH_STEP: ReadonlySet<string> = new Set(["403", "429", "500"]);

const STEPS = [
  { operation: "pulls/update", note: "The text of pull request #7 is an older one", left: { reviews: 1, comments: 1 } },
  {
    operation: "repos/create-commit-status",
    note: "The commit status",
    left: { statuses: [], reviews: 1, comments: 1 },
  },
  { operation: "issues/add-labels", note: "Labels are missing", left: { labels: [], reviews: 1, comments: 1 } },
  { operation: "pulls/create-review", note: "There is no review of the HARD STOP", left: { reviews: 0, comments: 1 } },
  {
    operation: "issues/create-comment",
    note: "The status comment is not up to date",
    left: { reviews: 1, comments: 0 },
  },
] as const;

describe.concurrent("a step that fails is a note, and keeps no other from being done", () => {
  test.each(STEPS)("$operation", { timeout: 30_000 }, async ({ operation, note, left }) => {
    await using at = await publishStage();
    const { run, commit } = await prepared(at);
    const facts = known(at);
    for (const { fault, why } of FAULTS.filter((row) => IN_EACH_STEP.has(row.name))) {
      const { world } = at.api;
      for (const rows of [world.comments, world.reviews, world.statuses]) rows.length = 0;
      world.issues[0]?.labels.splice(0);
      if (world.issues[0] !== undefined) world.issues[0].body = "older";
      at.api.fail(operation, fault, 9);
      const done = await run(HALF, facts);
      expect(done).toMatchObject({ head: commit, pull_request: { number: 7 } });
      expect(done.facts.notes).toEqual([expect.stringMatching(why)]);
      expect(done.facts.notes[0]).toContain(note);
      expect(there(at)).toMatchObject(left);
    }
  });

  test("no pull request is made: the rest is said", { timeout: 30_000 }, async () => {
    await using at = await publishStage();
    const { run, commit } = await prepared(at);
    for (const { fault, why } of FAULTS.filter((row) => row.name !== "422")) {
      at.api.world.statuses.length = 0;
      at.api.fail("pulls/create", fault, 9);
      const done = await run(DONE);
      expect(done).toMatchObject({ head: commit, pull_request: null });
      expect(done.facts.notes).toEqual([expect.stringMatching(why)]);
      expect(done.facts.notes[0]).toMatch(/^There is no pull request of this work: /u);
      expect(there(at)).toMatchObject({ pulls: 0, comments: 0, statuses: [["success", commit]] });
    }
  });

  test("GitHub hangs: every step is given up when the time is over, and the work is on its branch", async () => {
    await using at = await publishStage();
    const over = new AbortController();
    const { repository } = at.access();
    const github = createGithub({ token: at.remote.writeToken, apiUrl: at.api.url, repository, signal: over.signal });
    const { run, commit } = await prepared(at, github);
    for (const { operation } of STEPS) at.api.fail(operation, "hang", 9);
    const doing = run(HALF, known(at));
    await waitFor("a request hangs", () => at.api.requests.some(({ operation }) => operation === "pulls/update"));
    over.abort();
    const done = await doing;
    expect(done).toMatchObject({ head: commit, pull_request: { number: 7 } });
    expect(done.facts.notes.length).toBeGreaterThanOrEqual(STEPS.length);
    for (const note of done.facts.notes) expect(note).toContain("GitHub did not answer in time");
    expect(await at.tip(BRANCH)).toBe(commit);
  });
});
