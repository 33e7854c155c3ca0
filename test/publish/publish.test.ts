import { describe, expect, test } from "vitest";
import { sayAgain } from "../../src/publish/publish.ts";
import { ALL_LABELS } from "../../src/views/github/labels.ts";
import { aLabel, aPull, aThread } from "../support/github-api/server.ts";
import { aView } from "../views/a-state.ts";
import { ended, selfContinuation } from "../views/publication-facts.ts";
import { DONE, HALF, known, prepared, there } from "./publish-prepared.ts";
import { BRANCH, publishStage } from "./publish-stage.ts";

describe.concurrent("an ending is published step by step [C13]", () => {
  test("paused at a HARD STOP, and again: everything is there once [C10]", async () => {
    await using at = await publishStage();
    const { run, commit } = await prepared(at);
    const first = await run(HALF);
    expect(first).toMatchObject({ head: commit, pull_request: { own: true }, continues: false, facts: { notes: [] } });
    const all = { pulls: 1, draft: true, labels: ["smithers:paused"], reviews: 1, comments: 1 };
    expect(there(at)).toEqual({ ...all, statuses: [["pending", commit]] });
    const pullRequest = first.pull_request === null ? null : { ...first.pull_request, draft: true };
    await run(HALF, { pullRequest });
    expect(there(at)).toMatchObject(all);
  });

  test("the labels are made at the first HARD STOP, with colour and description, and left as people have them [C86]", async () => {
    await using at = await publishStage();
    const { labels } = at.api.world;
    labels.push(aLabel({ name: "Smithers:Cancel", color: "000000", description: "theirs" }));
    const { run } = await prepared(at);
    const { facts } = await run(HALF);
    expect(facts).toMatchObject({ missingLabels: [], notes: [] });
    const made = ALL_LABELS.filter(({ name }) => name !== "smithers:cancel");
    expect(labels).toEqual([{ name: "Smithers:Cancel", color: "000000", description: "theirs" }, ...made]);
    expect(at.api.world.reviews[0]?.body).toContain("**Label** `smithers:continue`");
    const before = at.api.requests.length;
    await run(HALF, { pullRequest: facts.pullRequest });
    const again = at.api.requests.slice(before).map(({ operation }) => operation);
    expect(again).not.toContain("issues/create-label");
  });

  test.for([
    { what: "may not make them", permissions: {}, lacks: "issues: write" },
    { what: "may only read issues", permissions: { issues: "read" }, lacks: "issues: write" },
  ] as const)("a token that $what: every text names a command instead of a label [C86]", async (row) => {
    const rest = { actions: "write", contents: "write", "pull-requests": "write", statuses: "write" } as const;
    await using at = await publishStage({ ...rest, ...row.permissions });
    const { run } = await prepared(at);
    const { facts } = await run(HALF);
    expect(facts.notes).toEqual([expect.stringContaining(`give the job permissions: ${row.lacks}`)]);
    expect(facts.notes[0]).toContain("smithers doctor --fix");
    const { labels, issues, comments, reviews } = at.api.world;
    expect([labels, issues[0]?.labels]).toEqual([[], []]);
    for (const said of [comments[0]?.body, reviews[0]?.body, issues[0]?.body]) {
      expect(said).toContain("/smithers continue");
      expect(said).not.toContain("smithers:continue");
    }
  });

  test("a CI file that the default branch has as well is not said to be the loop's own doing [C80]", async () => {
    await using at = await publishStage();
    const { run } = await prepared(at);
    const theirs = await at.push("main", "theirs.yml");
    await at.git("fetch", "-q", at.remote.folder, "main");
    await at.git("checkout", "-q", theirs, "--", "theirs.yml");
    const head = await at.work("own.yml");
    const changed = ["own.yml", "theirs.yml"];
    expect((await run(HALF, { head, changedCi: changed })).facts.changedCi).toEqual(["own.yml"]);
    // What the default branch has is not known.
    at.api.fail("git/get-ref", { status: 500, body: { message: "" } }, 9);
    const branch = await at.checkOut(await at.job());
    expect(await branch.unlikeDefault(changed, head, 20_000)).toEqual(changed);
  });

  test("an issue that is gone or locked by then costs no more than the word on it [C108]", async () => {
    await using at = await publishStage();
    const { run, commit } = await prepared(at);
    const { github } = aView(DONE).state;
    const link = {
      branch: BRANCH,
      head: null,
      pull_request: null,
      authorised_by: null,
      obeyed: null,
      continuations: 0,
    };
    const { head, facts } = await run({ ...DONE, github: { ...link, ...github, issue: 12 } }, known(at));
    expect(head).toBe(commit);
    expect(facts.notes).toEqual([expect.stringContaining("The status comment on issue #12 is not up to date")]);
    expect(there(at)).toMatchObject({ draft: false, comments: 1, statuses: [["success", commit]] });
    expect(at.api.world.issues[0]?.body).toContain("Closes #12");
  });

  test("the threads of a review are answered when the loop has completed and its work is there, and not before [C110]", async () => {
    await using at = await publishStage();
    const { run, commit } = await prepared(at);
    const pull = known(at);
    const began = await at.git("rev-parse", `${commit}^`);
    const thread = aThread({ id: 60, pull: 7, review: 4711, path: "a.txt", line: null }, "Shorter.");
    at.api.world.threads.push(thread);
    const review = { id: 4711, commit: began, threads: [{ id: 60, path: "a.txt", lines: null }] };
    const link = {
      branch: BRANCH,
      head: null,
      pull_request: null,
      authorised_by: null,
      obeyed: null,
      continuations: 0,
    };
    const answers = () => thread.comments.slice(1).map(({ body }) => body);
    await run({ ...HALF, github: { ...link, review } }, pull);
    expect(answers()).toEqual([]);
    await run({ ...DONE, github: link }, pull);
    expect(answers()).toEqual([]);
    await run({ ...DONE, github: { ...link, review } }, pull);
    expect(answers()).toEqual([expect.stringContaining(`/commit/${commit}`)]);
    at.api.world.threads.splice(0, 1, { ...thread, comments: thread.comments.slice(0, 1) });
    await at.push(BRANCH, "theirs.txt");
    await at.work("b.txt");
    const { facts } = await run(
      { ...DONE, github: { ...link, review } },
      { ...pull, head: await at.git("rev-parse", "HEAD") },
    );
    expect(facts.notes.join("")).toContain("Nothing was pushed");
    expect(at.api.world.threads[0]?.comments).toHaveLength(1);
  });

  test("completed: ready, green, and the labels are gone [W-38]", async () => {
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

  test("a HARD STOP whose work was not pushed is reviewed, and waits where the branch is [C10]", async () => {
    await using at = await publishStage();
    const { run } = await prepared(at);
    const facts = known(at);
    const theirs = await at.push(BRANCH);
    await run(HALF, facts);
    expect(there(at)).toMatchObject({ reviews: 1, statuses: [["pending", theirs]], labels: ["smithers:paused"] });
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

  test("one that a person has opened of the loop's branch by hand is found, told on, and never reworded", async () => {
    await using at = await publishStage();
    const { run, commit } = await prepared(at);
    at.api.world.issues.push(aPull({ number: 8, headBranch: BRANCH, title: "Mine", body: "My words.", draft: true }));
    const done = await run(DONE);
    expect(done).toMatchObject({ head: commit, pull_request: { number: 8, own: false }, facts: { notes: [] } });
    expect(at.api.world.issues).toMatchObject([{ title: "Mine", body: "My words.", pull: { draft: true } }]);
    expect(there(at)).toMatchObject({ pulls: 1, comments: 1, statuses: [["success", commit]] });
    await run(HALF, { pullRequest: done.facts.pullRequest });
    expect(at.api.world.issues).toMatchObject([{ title: "Mine", body: "My words.", pull: { draft: true } }]);
    expect(there(at)).toMatchObject({ pulls: 1, comments: 1, labels: ["smithers:paused"], reviews: 1 });
  });

  test.for([
    { what: "GitHub has a fault", status: 500, again: 2 },
    { what: "it is refused, which is tried once more", status: 422, again: 1 },
  ])("a pull request that is missing is known to the next run: $what [C25]", async ({ status, again }) => {
    await using at = await publishStage();
    const { run, commit } = await prepared(at);
    at.api.fail("pulls/create", { status, body: { message: "oops" } }, 99);
    const { unpublished } = await run(DONE);
    expect(unpublished).toEqual({ what: "pull_request", base: null, tip: commit, kept_on: null });
    const link = { branch: BRANCH, head: commit, pull_request: null, authorised_by: null, obeyed: null };
    const github = { ...link, continuations: 0, ...(unpublished === undefined ? {} : { unpublished }) };
    expect("unpublished" in (await run({ ...DONE, github }))).toBe(again > 1);
  });

  test("another run has the loop: nothing is touched", async () => {
    await using at = await publishStage();
    const { run } = await prepared(at);
    await run(ended({ kind: "superseded", by: "run 2" }), known(at));
    expect(at.api.requests).toEqual([]);
    expect(await at.tip(BRANCH)).toBe("");
  });

  test("a cancelled loop's work is not pushed; its pull request says so [C13]", async () => {
    await using at = await publishStage();
    const { run } = await prepared(at);
    const canceled = await run(ended({ kind: "canceled", by: "alice" }), known(at));
    expect(canceled).toMatchObject({ head: null, facts: { notes: [] } });
    expect(await at.tip(BRANCH)).toBe("");
    expect(there(at).statuses).toEqual([]);
    expect(at.api.world.comments[0]?.body).toContain("`canceled`");
  });

  test("what is said of a cancelled loop's commit is said of the one that GitHub has [C13]", async () => {
    await using at = await publishStage();
    const { run, pushing, commit } = await prepared(at);
    await pushing.branch?.push(commit, 20_000);
    const later = await at.work("b.txt");
    await run(ended({ kind: "canceled", by: "alice" }), { ...known(at), head: later });
    expect(there(at).statuses).toEqual([["failure", commit]]);
  });

  test("a next run that was said to begin and does not is taken back in the comment", async () => {
    await using at = await publishStage();
    const { run, ...publishing } = await prepared(at);
    const state = ended({ kind: "time_budget" });
    const done = await run(state, known(at));
    expect(done.continues).toBe(true);
    expect(at.api.world.comments[0]?.body).toContain("goes on by itself, in a run of its own");
    const parked = { ...done.facts, selfContinue: selfContinuation({ refused: "the dispatch was refused" }) };
    expect(await sayAgain(publishing, aView(state), parked)).toEqual([]);
    expect(there(at)).toMatchObject({ comments: 1 });
    expect(at.api.world.comments[0]?.body).toContain("It does not go on by itself:** the dispatch was refused.");
  });
});
