import { describe, expect, test } from "vitest";
import { OperationalError } from "../../../src/core/errors.ts";
import { runLoop } from "../../../src/core/loop.ts";
import { settleAbandoned } from "../../../src/core/recover/abandoned-turn.ts";
import type { Ports } from "../../../src/core/ports.ts";
import { settle } from "../../../src/core/settle.ts";
import type { LoopState } from "../../../src/core/state.ts";
import { moveStory } from "../../../src/core/story/moves.ts";
import { committer, transition } from "../../../src/core/transition.ts";
import { aLastTurn, aState, aTask, aTurn, AT, aVerdict, digest } from "../../support/builders.ts";
import { fakePorts } from "../../support/fake-ports.ts";
import { aPassedRecord, aPrd, aPrdTask, aRecord, aStory, someStories } from "../../support/stories.ts";
import { itemOf } from "../../../src/core/story/pick.ts";
import { never } from "../run.ts";

const STORY = aStory("US-001", { checks: [{ criterion: 0, run: "npm run e2e", timeoutMs: null }] });
const PRD = aPrd([STORY, aStory("US-002")], { storyAttempts: 1 });
const TASK = aPrdTask(PRD);
const WORKING = someStories([aRecord("US-001", { state: "in_progress", attempts: 1 })], { active: "US-001" });

function withSync(ports: Ports, sync: Ports["backlog"]["sync"]): Ports {
  Object.assign(ports.backlog, { sync });
  return ports;
}

describe("documents that somebody changed", () => {
  test("are put back, and named: before a turn to people, after it to the agent", async () => {
    const fake = fakePorts({
      turns: [aTurn()],
      verdicts: [aVerdict("failed")],
      item: () => itemOf(PRD.stories[1] ?? STORY, digest),
    });
    const syncs = [[{ file: "prd.json", kept: "undone-1-prd.json" }], [{ file: "prd.md", kept: null }]];
    await runLoop(
      aPrdTask({ ...PRD, onBlocked: "stop" }),
      withSync(fake, async () => syncs.shift() ?? []),
      never,
    );
    const where = `${fake.state.artifacts.dir}/undone-1-prd.json`;
    expect(fake.observed).toContainEqual({
      type: "notice",
      text: expect.stringMatching(/^prd\.json was changed while no turn ran/u),
    });
    expect(JSON.stringify(fake.observed)).toContain(where);
    expect(fake.state.last_turn?.undone).toEqual([{ file: "prd.md", kept: null }]);
    expect(fake.state.stories?.undone).toEqual([{ file: "prd.md", kept: null }]);
  });

  test("are put back before anything else when the last run was killed, and a person hears how to bring them back", async () => {
    const opened = async (stored: LoopState, task = TASK) => {
      const ports = fakePorts({ stored });
      const undone = [
        { file: "prd.json", kept: "undone-1-prd.json" },
        { file: "prd.md", kept: null },
      ];
      const synced = withSync(ports, async () => undone);
      await settleAbandoned(task, synced, stored, committer(ports, stored));
      const texts = ports.observed.flatMap((event) => ("text" in event ? [event.text] : []));
      return texts.filter((text) => text.includes("the last run had it"));
    };
    const killed = aState({ phase: "turn", iteration: 1, stories: WORKING }, TASK);
    expect(await opened(killed)).toEqual([
      expect.stringMatching(/^prd\.json is not as the last run had it, .*undone-1-prd\.json\. If that was you/u),
      expect.stringMatching(/^prd\.md is not as the last run had it, .*could be kept\.$/u),
    ]);
    const ended = aState({ phase: "ready", status: "canceled", stories: WORKING }, TASK);
    expect(await opened(ended)).toEqual([]);
    // A job reads the PRD elsewhere, in a checkout that nobody else has.
    const github = {
      branch: "b",
      pullRequest: null,
      askedBy: null,
      request: null,
      continuations: 0,
      resetsCircuit: false,
    };
    expect(await opened(killed, { ...TASK, github })).toEqual([]);
    expect(await opened(aState({ phase: "turn", iteration: 1 }), aTask())).toEqual([]);
  });
});

test("when a story is blocked, its file says at once that nobody works on it, and the snapshot knows [C27]", async () => {
  const ports = fakePorts();
  const marks: string[] = [];
  withSync(ports, async ({ stories }) => {
    marks.push(...(stories?.records.map(({ id, state }) => `${id} ${state}`) ?? []));
    return [];
  });
  const snapshot = { id: "after", tree: "t".repeat(40), head: null };
  Object.assign(ports.workspace, { snapshot: async () => snapshot });
  const blocked = { id: "US-001", ends: "blocked", kind: "attempts", why: "x" } as const;
  const state = aState({ iteration: 1, stories: WORKING, last_turn: aLastTurn({ item: "US-001" }) }, TASK);
  const settled = await settle({ task: TASK, state, ports }, { commits: false, story: blocked });
  expect(marks).toEqual(["US-001 pending"]);
  expect(settled).toMatchObject({ story: blocked, snapshot, commit: null });
  const gone = { ...blocked, id: "US-009" };
  expect(await settle({ task: TASK, state, ports }, { commits: false, story: gone })).toMatchObject({ snapshot: null });
});

describe("setting work aside", () => {
  const state = aState({ iteration: 4, stories: WORKING }, TASK);
  const move = { do: "shelve", story: "US-001" } as const;
  const shelved = async (workspace: Partial<Ports["workspace"]>, last = state) => {
    const ports = fakePorts();
    const seen: string[] = [];
    Object.assign(ports.workspace, workspace);
    const marked = withSync(ports, async ({ stories }) => {
      seen.push(stories?.records.map((record) => record.state).join(" ") ?? "none");
      return [];
    });
    return { event: await moveStory({ task: TASK, state: last, ports: marked }, move, never), seen };
  };

  test("names the patch after story and iteration, and takes no mark of the engine for work", async () => {
    const { event, seen } = await shelved({ pendingFiles: async () => 1 });
    expect(event).toMatchObject({ type: "story_shelved", id: "US-001", patch: "US-001-4.patch" });
    expect(seen).toEqual(["pending", "pending"]);
  });

  test("without any work there is no patch", async () => {
    const { event } = await shelved({});
    expect(event).toMatchObject({ patch: null });
  });

  test("found done after a crash, it names the patch that was written then", async () => {
    const { event } = await shelved({}, { ...state, last_turn: aLastTurn({ item: "US-001", pending: 2 }) });
    expect(event).toMatchObject({ patch: "US-001-4.patch" });
    const other = await shelved({}, { ...state, last_turn: aLastTurn({ item: "US-001" }) });
    expect(other.event).toMatchObject({ patch: null });
  });

  test("what cannot be set aside ends the loop with what to do, and a bug stays a bug", async () => {
    const problem = { code: "SET_ASIDE_FAILED", what: "It is a submodule.", next: "Put it back." };
    const cannot = async () => Promise.reject(new OperationalError(problem));
    expect((await shelved({ setAside: cannot })).event).toEqual({ kind: "commit_refused", problem });
    await expect(shelved({ setAside: async () => Promise.reject(new TypeError("bug")) })).rejects.toThrow(TypeError);
  });

  test("a loop whose story cannot be set aside stops with it", async () => {
    const stored = aState({ stories: WORKING, status: "running" }, TASK);
    const known = { ...stored, stories: { ...WORKING, records: [aRecord("US-001")] } };
    const fake = fakePorts({
      stored: known,
      verdicts: [aVerdict("failed")],
      item: () => itemOf(PRD.stories[1] ?? STORY, digest),
    });
    const problem = { code: "SET_ASIDE_FAILED", what: "It is a submodule.", next: "Put it back." };
    Object.assign(fake.workspace, { setAside: async () => Promise.reject(new OperationalError(problem)) });
    expect(await runLoop(TASK, fake, never)).toEqual({ kind: "commit_refused", problem });
  });
});

test("a story's commands that were cut off say nothing, and are asked again", async () => {
  const verdicts = [aVerdict("failed"), aVerdict("cut_off"), aVerdict("failed"), aVerdict("failed")];
  const fake = fakePorts({ turns: [aTurn()], verdicts, item: () => itemOf(STORY, digest) });
  await runLoop(aPrdTask({ ...PRD, onBlocked: "stop" }), fake, never);
  expect(fake.evidence.map(({ occasion }) => occasion)).toEqual(["first", "story", "story"]);
});

describe("events that come without a story to be of", () => {
  const events = [
    { type: "story_examined", id: "US-001", title: "x", digest: "d", before: [], at: AT },
    { type: "story_shelved", id: "US-001", patch: null, snapshot: null, at: AT },
    { type: "story_given_up", story: { id: "US-001", ends: "blocked", kind: "attempts", why: "x" }, at: AT },
    {
      type: "story_ruled",
      id: "US-001",
      title: "x",
      digest: "d",
      ruling: "retry",
      by: "ann",
      words: null,
      commit: null,
      at: AT,
    },
  ] as const;
  test.each(events)("$type changes nothing of a loop without a PRD", (event) => {
    const before = aState();
    expect(transition(before, event)).toEqual({ ...before, revision: 2, updated_at: AT });
  });

  test("and none is blocked", async () => {
    const story = { id: "US-001", ends: "blocked", kind: "attempts", why: "x" } as const;
    const [without, unknown] = [aState({ last_turn: aLastTurn() }), aState({ stories: someStories() })];
    for (const state of [without, { ...unknown, last_turn: aLastTurn() }]) {
      const ports = fakePorts();
      const settled = await settle({ task: TASK, state, ports }, { commits: false, story });
      expect(settled).toMatchObject({ commit: null, snapshot: null });
      expect(ports.commits).toEqual([]);
    }
  });

  test("and none passes that is not at work", async () => {
    const story = { id: "US-001", ends: "passed", proved: 0, criteria: 1 } as const;
    const state = aState({ last_turn: aLastTurn() });
    const settled = await settle({ task: aTask(), state, ports: fakePorts() }, { commits: true, story });
    expect(settled).toMatchObject({ commit: null });
    const none = aState({ last_turn: aLastTurn() }, TASK);
    expect(await settle({ task: TASK, state: none, ports: fakePorts() }, { commits: true, story })).toMatchObject({
      commit: null,
    });
    const unknown = aState({ last_turn: aLastTurn(), stories: someStories([], { active: "US-001" }) }, TASK);
    const ports = fakePorts();
    expect(await settle({ task: TASK, state: unknown, ports }, { commits: true, story })).toMatchObject({
      commit: null,
    });
    expect([...ports.notes.values()][0]).toContain("- story: US-001 : passed");
  });
});

describe("a person's word", () => {
  const ruled = {
    type: "story_ruled",
    id: "US-001",
    title: "x",
    digest: "e",
    by: "ann",
    words: "w",
    commit: "c",
    at: AT,
  } as const;
  const before = [{ run: "x", green: false }];
  const state = aState({
    stories: { ...WORKING, records: [aRecord("US-001", { before, attempts: 3 })] },
    signals: { done: 1, missing: 2 },
  });

  test("retry of the work in the tree keeps what was red before it, and counts anew", () => {
    const after = transition(state, { ...ruled, ruling: "retry" });
    expect(after.stories?.records[0]).toMatchObject({ before, attempts: 0, words: "w", digest: "e" });
    expect(after.signals).toEqual({ done: 0, missing: 0 });
  });

  test("retry of another story asks its commands anew, and leaves the counters of the one at work", () => {
    const other = { ...state, stories: { ...WORKING, active: "US-002", records: [aPassedRecord("US-001")] } };
    const after = transition(other, { ...ruled, ruling: "retry" });
    expect(after).toMatchObject({
      signals: { missing: 2 },
      stories: { active: "US-002", records: [{ state: "pending", before: null, passing: null }] },
    });
  });

  test("accept of the work in the tree: what follows is compared with it", () => {
    const after = transition(state, { ...ruled, ruling: "accept" });
    expect(after).toMatchObject({
      stories: { active: null, accepted: true },
      boundary: { begun: null },
      strength: { counts: null },
    });
  });

  test("accept of another story leaves what the one at work is compared with", () => {
    const begun = { id: "i", tree: "t", head: null };
    const other = { ...state, boundary: { begun, refused: null, turns: 0 }, stories: { ...WORKING, active: "US-002" } };
    const after = transition(other, { ...ruled, ruling: "accept" });
    expect(after).toMatchObject({ stories: { active: "US-002" }, boundary: { begun } });
    expect(after.stories?.accepted).toBeUndefined();
  });

  test("accept of what has passed, and reads differently since, keeps its commit; no patch is left to wait for", () => {
    const passed = aPassedRecord("US-001", {}, { changed: true, patch: "US-001-1.patch" });
    const stories = { ...WORKING, active: null, records: [passed] };
    const after = transition({ ...state, stories }, { ...ruled, ruling: "accept", commit: null });
    const passing = { how: "accepted", by: "ann", commit: "c-US-001" };
    expect(after.stories?.records[0]).toMatchObject({ passing, changed: false, patch: null });
  });

  test("after accept the tests are kept anew, until a story begins", async () => {
    const stored = transition({ ...state, status: "running" }, { ...ruled, ruling: "accept", commit: null });
    const fake = fakePorts({
      stored: { ...stored, iterations: [], task_digest: "x" },
      turns: [aTurn()],
      verdicts: [aVerdict("failed"), aVerdict("failed")],
      item: () => itemOf(PRD.stories[1] ?? STORY, digest),
    });
    let renewed = 0;
    Object.assign(fake.tests, { renew: async () => void (renewed += 1) });
    await runLoop(aPrdTask({ ...PRD, onBlocked: "stop" }), fake, never);
    expect([renewed, fake.state.stories?.accepted]).toEqual([1, undefined]);
  });
});
