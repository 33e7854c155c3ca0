import { describe, expect, test } from "vitest";
import type { Publishing } from "../../../src/app/action/publication-facts.ts";
import { publish, sayParked } from "../../../src/app/action/publish.ts";
import type { Access } from "../../../src/github/access.ts";
import { createOctokit } from "../../../src/platform/octokit.ts";
import type { LoopState } from "../../../src/core/state.ts";
import type { PublicationFacts } from "../../../src/views/publication/facts.ts";
import type { Fault } from "../../support/github-api/faults.ts";
import { aPull } from "../../support/github-api/server.ts";
import { waitFor } from "../../support/wait-for.ts";
import { aView } from "../../views/a-state.ts";
import { COMPLETED, ended, PAUSED, selfContinuation, someFacts } from "../../views/publication-facts.ts";
import { BOT, BRANCH, type PublishStage, publishStage } from "./publish-stage.ts";

const HALF = ended(PAUSED);
const DONE = ended(COMPLETED);

interface Prepared extends Publishing {
  readonly commit: string;
  run(state: Partial<LoopState>, facts?: Partial<PublicationFacts>): ReturnType<typeof publish>;
}

/** A branch in hand with a commit of the loop on it. */
async function prepared(at: PublishStage, access: Partial<Access> = {}): Promise<Prepared> {
  const job = await at.job();
  const hand = await at.hand(job);
  const commit = await at.work("a.txt");
  const publishing = {
    job,
    access: { ...at.access(), ...access },
    hand,
    began: hand.head,
    leftMs: () => 60_000,
  };
  return {
    ...publishing,
    commit,
    run: (state, facts = {}) =>
      publish(publishing, aView(state), someFacts({ branch: BRANCH, head: commit, ...facts })),
  };
}

/** The loop's pull request, as it is on GitHub and as the loop knows it. */
function known(at: PublishStage, state: "open" | "closed" = "open"): Pick<PublicationFacts, "pullRequest"> {
  at.api.world.issues.push(aPull({ number: 7, author: BOT, headBranch: BRANCH, state, draft: true }));
  return { pullRequest: { number: 7, url: "https://github.com/o/r/pull/7", own: true, draft: true } };
}

/** What there is on GitHub. */
function there({ api: { world } }: PublishStage) {
  const [pull] = world.issues;
  return {
    pulls: world.issues.length,
    draft: pull?.pull?.draft,
    labels: pull?.labels ?? [],
    reviews: world.reviews.length,
    statuses: world.statuses.map(({ state, sha }) => [state, sha]),
    comments: world.comments.length,
  };
}

describe.concurrent("C13: an ending is published step by step", () => {
  test("C10: paused at a HARD STOP, and again: everything is there once", async () => {
    await using at = await publishStage();
    const { run, commit } = await prepared(at);
    const first = await run(HALF);
    expect(first).toMatchObject({ head: commit, pull_request: { own: true }, continues: false, facts: { notes: [] } });
    const all = { pulls: 1, draft: true, labels: ["smithers:paused"], reviews: 1, comments: 1 };
    expect(there(at)).toEqual({ ...all, statuses: [["failure", commit]] });
    const pullRequest = first.pull_request === null ? null : { ...first.pull_request, draft: true };
    await run(HALF, { pullRequest });
    expect(there(at)).toMatchObject(all);
  });

  test("W-38: completed: ready, green, and the labels are gone", async () => {
    await using at = await publishStage();
    const { run, commit } = await prepared(at);
    const facts = known(at);
    at.api.world.issues[0]?.labels.push("smithers:paused", "smithers:continue", "other");
    expect((await run(DONE, facts)).facts.notes).toEqual([]);
    const all = { pulls: 1, draft: false, labels: ["other"], reviews: 0, comments: 1 };
    expect(there(at)).toEqual({ ...all, statuses: [["success", commit]] });
  });

  test("what was proved is not said of a commit that was not pushed: draft, no green status, and why", async () => {
    await using at = await publishStage();
    const { run } = await prepared(at);
    const facts = known(at);
    await at.push(BRANCH);
    const { head, facts: after } = await run(DONE, facts);
    expect([head, after.notes.length]).toEqual([null, 1]);
    expect(there(at)).toEqual({ pulls: 1, draft: true, labels: [], reviews: 0, comments: 1, statuses: [] });
    expect(at.api.world.issues[0]?.body).toContain("This is not all.");
    expect(at.api.world.comments[0]?.body).toContain("somebody moved it meanwhile");
  });

  test("C10: a HARD STOP whose work was not pushed is reviewed and failed where the branch is", async () => {
    await using at = await publishStage();
    const { run } = await prepared(at);
    const facts = known(at);
    const theirs = await at.push(BRANCH);
    await run(HALF, facts);
    expect(there(at)).toMatchObject({ reviews: 1, statuses: [["failure", theirs]], labels: ["smithers:paused"] });
    expect(at.api.world.reviews[0]?.commit).toBe(theirs);
  });

  test("a closed pull request stays the only one, and is told how it ended", async () => {
    await using at = await publishStage();
    const { run, commit } = await prepared(at);
    const done = await run(DONE, known(at, "closed"));
    expect(done).toMatchObject({ head: commit, pull_request: { number: 7 } });
    expect(done.facts.notes).toEqual([
      "Pull request #7 was closed. The loop opens no second one: reopen it, or open another one of its branch by hand.",
    ]);
    expect(there(at)).toMatchObject({ pulls: 1, comments: 1 });
  });

  test("a person's pull request keeps its words; what is said is said there", async () => {
    await using at = await publishStage();
    const { run, commit } = await prepared(at);
    at.api.world.issues.push(aPull({ number: 8, headBranch: BRANCH, title: "Mine", body: "My words.", draft: true }));
    const pullRequest = { number: 8, url: "https://github.com/o/r/pull/8", own: false, draft: true };
    expect(await run(DONE, { pullRequest })).toMatchObject({ pull_request: { number: 8, own: false } });
    expect(at.api.world.issues).toMatchObject([{ title: "Mine", body: "My words.", pull: { draft: true } }]);
    expect(there(at)).toMatchObject({ comments: 1, statuses: [["success", commit]] });
  });

  test("another run has the loop: nothing is touched", async () => {
    await using at = await publishStage();
    const { run } = await prepared(at);
    await run(ended({ kind: "superseded", by: "run 2" }), known(at));
    expect(at.api.requests).toEqual([]);
    expect(await at.tip(BRANCH)).toBe("");
  });

  test("C13: a cancelled loop's work is not pushed; its pull request says so", async () => {
    await using at = await publishStage();
    const { run } = await prepared(at);
    expect(await run(ended({ kind: "canceled", by: "alice" }), known(at))).toMatchObject({ head: null });
    expect(await at.tip(BRANCH)).toBe("");
    expect(at.api.world.comments[0]?.body).toContain("`canceled`");
  });

  test("a next run that was said to begin and does not is taken back in the comment", async () => {
    await using at = await publishStage();
    const { run, ...publishing } = await prepared(at);
    const state = ended({ kind: "time_budget" });
    const done = await run(state, known(at));
    expect(done.continues).toBe(true);
    expect(at.api.world.comments[0]?.body).toContain("goes on by itself, in a run of its own");
    const parked = { ...done.facts, selfContinue: selfContinuation({ refused: "the dispatch was refused" }) };
    expect(await sayParked(publishing, aView(state), parked)).toEqual([]);
    expect(there(at)).toMatchObject({ comments: 1 });
    expect(at.api.world.comments[0]?.body).toContain("It does not go on by itself:** the dispatch was refused.");
  });
});

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

const IN_EACH_STEP: readonly string[] = ["403", "429", "500"];

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
    for (const { name, fault, why } of FAULTS.filter((row) => IN_EACH_STEP.includes(row.name))) {
      const { world } = at.api;
      for (const rows of [world.comments, world.reviews, world.statuses]) rows.length = 0;
      world.issues[0]?.labels.splice(0);
      if (world.issues[0] !== undefined) world.issues[0].body = "older";
      at.api.fail(operation, fault, 9);
      const done = await run(HALF, facts);
      expect(done, name).toMatchObject({ head: commit, pull_request: { number: 7 } });
      expect(done.facts.notes, name).toEqual([expect.stringMatching(why)]);
      expect(done.facts.notes[0], name).toContain(note);
      expect(there(at), name).toMatchObject(left);
    }
  });

  test("no pull request is made: the rest is said", { timeout: 30_000 }, async () => {
    await using at = await publishStage();
    const { run, commit } = await prepared(at);
    for (const { name, fault, why } of FAULTS.filter((row) => row.name !== "422")) {
      at.api.world.statuses.length = 0;
      at.api.fail("pulls/create", fault, 9);
      const done = await run(DONE);
      expect(done, name).toMatchObject({ head: commit, pull_request: null });
      expect(done.facts.notes, name).toEqual([expect.stringMatching(why)]);
      expect(done.facts.notes[0], name).toMatch(/^There is no pull request of this work: /u);
      expect(there(at), name).toMatchObject({ pulls: 0, comments: 0, statuses: [["success", commit]] });
    }
  });

  test("GitHub hangs: every step is given up when the time is over, and the work is on its branch", async () => {
    await using at = await publishStage();
    const octokit = createOctokit({ token: at.remote.writeToken, apiUrl: at.api.url });
    const over = new AbortController();
    const { run, commit } = await prepared(at, { octokit, signal: over.signal });
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
