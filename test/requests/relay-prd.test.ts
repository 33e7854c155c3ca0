import { describe, expect, test } from "vitest";
import type { Stories } from "../../src/core/story/stories.ts";
import { answers, inputs, relayed, writes } from "./relay-stage.ts";
import { asking, type Asking, commented, RELAY } from "../support/asking.ts";
import { anIssue, aRun } from "../support/github-api/server.ts";

const FILE = ".daedalus/prds/billing/prd.json";

const STORIES = [
  { id: "US-001", title: "Read the file", priority: 2, passes: true },
  { id: "US-002", title: "Show it @everyone fixes #7", priority: 3, dependsOn: ["US-004"] },
  { id: "US-003", title: "Write it", priority: 1 },
  { id: "US-004", title: "Close it", priority: 4 },
];

const AT = "2026-11-20T03:00:00.000Z";

/** What the loop of the PRD remembers. */
function remembered(): Stories {
  const story = { title: "", digest: "", attempts: 2, blocked: null, passing: null, before: null, words: null };
  const record = { ...story, patch: null, changed: false, gone: false };
  const passing = { how: "proved", commit: "a".repeat(40), by: null, at: AT, proved: 1, criteria: 1 } as const;
  const blocked = { kind: "attempts", why: "its tests are red", at: AT } as const;
  return {
    ...{ prd: "billing", total: 4, active: null, passed_in_run: 0 },
    records: [
      { ...record, id: "US-001", state: "passed", passing },
      { ...record, id: "US-003", state: "pending", blocked },
    ],
  };
}

/** The same, as waves remember it. */
const ENTRY = { take: 1, paths: [], feedback: null, words: null, reopened: false, passed: null };
const LEDGER = {
  ...{ schema: 1, prd: "billing", revision: 4, obeyed: null, idle_waves: 0 },
  stories: {
    "US-001": { ...ENTRY, state: "passed", passed: "proved", attempts: 2, blocked: null, commit: "a".repeat(40) },
    "US-003": { ...ENTRY, state: "pending", attempts: 2, blocked: "its tests are red", commit: null },
  },
};

async function withPrd(names: readonly string[] = ["billing"]): Promise<Asking> {
  const at = await asking({ ...RELAY, issues: "write" });
  const text = JSON.stringify({ project: "demo", userStories: STORIES });
  at.files(Object.fromEntries(names.map((name) => [`.daedalus/prds/${name}/prd.json`, text])));
  return at;
}

async function withLedger(status: "running" | "blocked" = "blocked"): Promise<Asking> {
  const at = await withPrd();
  const state = { status, stories: remembered() };
  await at.loop({
    loopId: "prd-billing",
    state,
    number: null,
    run: status === "running" ? "in_progress" : "completed",
  });
  return at;
}

/** @param run of its open wave; null: no wave is open */
async function withWaves(run: "in_progress" | "completed" | null): Promise<Asking> {
  const at = await withPrd();
  const id = 4_711;
  if (run !== null)
    at.api.world.runs.push(aRun({ id, status: run, conclusion: run === "completed" ? "success" : null }));
  const stories = [{ story: "US-003", take: 1, candidates: 1 }];
  const wave = { number: 2, commit: "b".repeat(40), run: id, begun_at: AT, is_open: run !== null, stories };
  await at.record("refs/smithers-prd/billing", { ...LEDGER, wave });
  return at;
}

describe("/smithers prd [D-29]", () => {
  test.for([
    { name: "the loop's own record", prepare: () => withLedger() },
    { name: "what its waves remember", prepare: () => withWaves(null) },
    { name: "an open wave whose run was cancelled", prepare: () => withWaves("completed") },
  ])("status tells how the stories are, from $name, and starts nothing", async ({ prepare }) => {
    await using at = await prepare();
    const comment = at.comment("/smithers prd");
    const { exitCode, lines } = await relayed(at, commented(comment), { disabled: "1" });
    const { reactions, replies } = answers(at, comment.id);
    expect({ exitCode, lines, reactions }).toEqual({
      ...{ exitCode: 0, lines: ["PRD billing: 1 of 4 stories passed."] },
      reactions: ["eyes", "rocket"],
    });
    expect(replies).toHaveLength(1);
    const [reply = ""] = replies;
    expect(reply).toContain("billing: 1 of 4 stories passed");
    expect(reply).toContain("2 open, 1 blocked.");
    expect(reply).toContain("Next: US-004, Close it");
    expect(reply).toContain("US-003: its tests are red");
    expect(reply).toMatch(/\| US-001 \| Read the file +\| passed +\| 2 \| `a{12}` +\|/u);
    expect(reply).toContain("`/smithers prd billing retry US-003 [words]`");
    expect(reply).not.toMatch(/@everyone|#7/u);
    expect(at.api.world.dispatches).toEqual([]);
  });

  test("status tells who has accepted a story, and which ones read differently since they passed", async () => {
    await using at = await withPrd();
    const whole = { description: "", acceptanceCriteria: ["It works."], priority: 1, passes: false };
    const userStories = ["US-001", "US-003"].map((id) => ({ ...whole, id, title: "Read it" }));
    at.files({ [FILE]: JSON.stringify({ project: "demo", description: "A demo.", userStories }) });
    const passed = { ...ENTRY, state: "passed", attempts: 1, blocked: null, commit: null, passed: "accepted" };
    const stories = { "US-001": { ...passed, accepted_by: "wendy" }, "US-003": { ...passed, digest: "0".repeat(16) } };
    await at.record("refs/smithers-prd/billing", { ...LEDGER, wave: null, stories });
    const comment = at.comment("/smithers prd billing");
    await relayed(at, commented(comment));
    const [reply = ""] = answers(at, comment.id).replies;
    expect(reply).toMatch(/\| US-001 \| Read it \| accepted by wendy +\|/u);
    expect(reply).toMatch(/\| US-003 \| Read it \| accepted, changed since +\|/u);
    expect(reply).toContain("US-003 has passed and reads differently now");
  });

  test("without a record, the file on the default branch tells", async () => {
    await using at = await withPrd();
    const comment = at.comment("/smithers prd billing status");
    await relayed(at, commented(comment));
    expect(answers(at, comment.id).replies).toEqual([expect.stringContaining("Nobody has begun to work on it.")]);
  });

  test.for([
    { body: "/smithers prd run", asked: { verb: "run" } },
    { body: "/smithers prd billing run", asked: { verb: "run" } },
    { body: "/smithers prd retry US-003 use v2 && rm -rf /", asked: { verb: "retry", story: "US-003" } },
    { body: "/smithers prd billing accept US-003", asked: { verb: "accept", story: "US-003" } },
  ])("$body starts the workflow on the default branch, and no words travel", async ({ body, asked }) => {
    await using at = await withLedger();
    const comment = at.comment(body, { author: "wendy" });
    const { exitCode, lines } = await relayed(at, commented(comment));
    expect(inputs(at)).toEqual([{ command: "prd", prd: "billing", ...asked, request: `comment:${comment.id}` }]);
    expect(at.api.world.dispatches).toMatchObject([{ workflow: ".github/workflows/smithers.yml", ref: "main" }]);
    expect(answers(at, comment.id)).toEqual({ reactions: ["eyes", "rocket"], replies: [] });
    expect({ exitCode, lines }).toEqual({
      ...{ exitCode: 0 },
      lines: [expect.stringContaining("smithers.yml was started for wendy (prd billing")],
    });
  });

  test("a wave that was not closed is gone on with, although every story has passed", async () => {
    await using at = await withWaves("completed");
    at.files({ [FILE]: JSON.stringify({ userStories: [STORIES[0]] }) });
    await relayed(at, commented(at.comment("/smithers prd run")));
    expect(inputs(at)).toMatchObject([{ verb: "run" }]);
    const status = at.comment("/smithers prd status");
    await relayed(at, commented(status));
    const [reply = ""] = answers(at, status.id).replies;
    expect(reply).toContain("Its last wave is not closed");
    expect(reply).toContain("`/smithers prd billing run`");
  });

  test("every story of the largest PRD can be asked for, although GitHub shows its file as a blob", async () => {
    await using at = await withPrd();
    const userStories = Array.from({ length: 2_000 }, (_, number) => ({
      ...{ id: `US-${1_000 + number}`, title: "x".repeat(700), priority: number },
    }));
    at.files({ [FILE]: JSON.stringify({ userStories }) });
    await relayed(at, commented(at.comment("/smithers prd billing retry US-2999")));
    expect(inputs(at)).toMatchObject([{ verb: "retry", story: "US-2999" }]);
  });

  test("starts the workflow for PRDs where there is one, else the one of the loops", async () => {
    await using at = await withPrd();
    const workflows = ["prd.yml", "worker.yml"].map((file) => `.github/workflows/${file}`);
    at.api.world.workflows.push(...workflows.map((path) => ({ path, inputs: ["smithers"] })));
    await relayed(at, commented(at.comment("/smithers prd run")), { relayTo: "worker.yml", relayPrdTo: "prd.yml" });
    await relayed(at, commented(at.comment("/smithers prd run")), { relayTo: "worker.yml" });
    expect(at.api.world.dispatches.map(({ workflow }) => workflow)).toEqual(workflows);
  });

  test("is heard on an issue, and on a pull request that is closed or was pushed to since", async () => {
    await using at = await withPrd();
    at.api.world.issues.push(anIssue({ number: 9 }));
    const onIssue = at.comment("/smithers prd status", { issue: 9 });
    await relayed(at, commented(onIssue, { issue: { number: 9 } }));
    expect(answers(at, onIssue.id)).toEqual({
      reactions: ["eyes", "rocket"],
      replies: [expect.stringContaining("billing: 1 of 4")],
    });
    at.pull.state = "closed";
    await at.push(31);
    await relayed(at, commented(at.comment("/smithers prd run")));
    expect(inputs(at)).toHaveLength(1);
  });
});

describe("what is not done is told, with why and the way out", () => {
  test.for([
    { name: "a malformed question", body: "/smithers prd a b", said: "The name is followed by a verb." },
    {
      name: "a name left out where there are several",
      body: "/smithers prd",
      said: "several PRDs on main: billing, shop.",
    },
    { name: "a PRD that is not on the default branch", body: "/smithers prd x run", said: "no PRD x on main" },
    { name: "a story that there is not", body: "/smithers prd shop accept US-009", said: "shop has no story US-009." },
  ])("$name", async ({ body, said }) => {
    await using at = await withPrd(["shop", "billing"]);
    at.files({ ".daedalus/prds/run/prd.json": "", ".daedalus/prds/README.md": "" });
    const comment = at.comment(body);
    expect(await relayed(at, commented(comment))).toMatchObject({ exitCode: 0 });
    const { reactions, replies } = answers(at, comment.id);
    expect(reactions).toEqual(["eyes", "confused"]);
    expect(replies).toEqual([expect.stringContaining(said)]);
    expect(replies[0]).toContain("**Nothing was changed.**");
    expect(at.api.world.dispatches).toEqual([]);
  });

  test.for([
    { name: "no PRD at all", prepare: () => asking(), said: "There is no PRD on main." },
    { name: "a run that is under way", prepare: () => withLedger("running"), said: "A run of billing is under way." },
    {
      name: "a wave that is under way",
      prepare: () => withWaves("in_progress"),
      said: "A run of billing is under way.",
    },
    {
      name: "loops that are switched off",
      prepare: () => withPrd(),
      more: { disabled: "1" },
      said: "switched off",
    },
    {
      name: "a PRD of which every story has passed",
      prepare: async () => {
        const at = await withPrd();
        at.files({ [FILE]: JSON.stringify({ userStories: [STORIES[0]] }) });
        return at;
      },
      said: "All stories of billing have passed.",
    },
  ])("$name", async ({ prepare, more = {}, said }) => {
    await using at = await prepare();
    const comment = at.comment("/smithers prd run");
    expect(await relayed(at, commented(comment), more)).toMatchObject({ exitCode: 0 });
    expect(answers(at, comment.id)).toEqual({
      reactions: ["eyes", "confused"],
      replies: [expect.stringContaining(said)],
    });
    expect(at.api.world.dispatches).toEqual([]);
  });

  test("a ledger that is none, and an open wave of which nobody says whether it runs, are no word to act on", async () => {
    await using at = await withWaves("in_progress");
    at.api.fail("actions/get-workflow-run", { status: 500, body: { message: "Oops" } });
    const unknown = await relayed(at, commented(at.comment("/smithers prd run")));
    expect(unknown).toMatchObject({ exitCode: 1, lines: [expect.stringContaining("Whether the last run is over")] });
    await at.record("refs/smithers-prd/billing", { schema: 2 });
    const none = await relayed(at, commented(at.comment("/smithers prd run")));
    expect(none).toMatchObject({ exitCode: 1, lines: [expect.stringContaining("How billing stands cannot be read")] });
    expect(at.api.world.dispatches).toEqual([]);
  });

  test("a story can be retried and accepted while a run is under way", async () => {
    await using at = await withLedger("running");
    await relayed(at, commented(at.comment("/smithers prd accept US-003")));
    expect(inputs(at)).toHaveLength(1);
  });

  test.for(["tom", "rob", "olga", "other[bot]", "github-actions[bot]"])(
    "nothing is done for %s, and nothing is said [T4]",
    async (author) => {
      await using at = await withLedger();
      for (const body of ["/smithers prd accept US-003", "/smithers prd status", "/smithers prd a b"]) {
        expect(await relayed(at, commented(at.comment(body, { author })))).toMatchObject({ exitCode: 0 });
      }
      expect(writes(at)).toEqual([]);
    },
  );

  test("a comment that was edited since, or is on a fork's pull request, asks for nothing", async () => {
    await using at = await withLedger();
    const edited = at.comment("/smithers prd accept US-003", { updatedAt: new Date("2026-11-20T03:31:00Z") });
    await relayed(at, commented(edited));
    expect(answers(at, edited.id).replies).toEqual([expect.stringContaining("The comment was edited")]);
    Object.assign(at.pull.pull ?? {}, { headRepositoryId: 9 });
    const forked = at.comment("/smithers prd accept US-003");
    await relayed(at, commented(forked));
    expect(answers(at, forked.id).replies.at(-1)).toContain("comes from a fork");
    expect(at.api.world.dispatches).toEqual([]);
  });

  test.for([
    { text: "{", said: "missing, too large or no PRD" },
    { text: '{"userStories":7}', said: "missing, too large or no PRD" },
  ])("a PRD that is none: $text", async ({ text, said }) => {
    await using at = await withPrd();
    at.files({ [FILE]: text });
    const comment = at.comment("/smithers prd run");
    expect(await relayed(at, commented(comment))).toMatchObject({ exitCode: 1 });
    expect(answers(at, comment.id).replies).toEqual([expect.stringContaining(said)]);
  });

  test.for([
    { operation: "repos/get-content", said: "cannot be listed: GitHub answered 500" },
    { operation: "git/get-ref", said: "cannot be read: GitHub answered 500" },
    { operation: "issues/create-comment", said: "could not be said: GitHub answered 500" },
  ])("the job is red where $operation fails", async ({ operation, said }) => {
    await using at = await withLedger();
    at.api.fail(operation, { status: 500, body: { message: "Oops" } });
    const { exitCode, lines } = await relayed(at, commented(at.comment("/smithers prd status")));
    expect(exitCode).toBe(1);
    expect(lines.join("\n")).toContain(said);
  });

  test("on an issue, the log says which permission the answer takes", async () => {
    await using at = await asking();
    at.api.world.issues.push(anIssue({ number: 9 }));
    const { exitCode, lines } = await relayed(
      at,
      commented(at.comment("/smithers prd status", { issue: 9 }), { issue: { number: 9 } }),
    );
    expect(exitCode).toBe(1);
    expect(lines.join("\n")).toContain("issues: write");
  });
});
