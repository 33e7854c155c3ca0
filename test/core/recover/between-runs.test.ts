import { describe, expect, test } from "vitest";
import { changedBetween, openLoop } from "../../../src/core/open-loop.ts";
import { betweenWords, namingOthers, withBetween } from "../../../src/core/recover/between-runs.ts";
import { concludeWork, settle } from "../../../src/core/settle.ts";
import type { LoopState } from "../../../src/core/state.ts";
import { committer, transition } from "../../../src/core/transition.ts";
import { aLastTurn, aState, aTask, AT, type TaskOverrides } from "../../support/builders.ts";
import { fakePorts } from "../../support/fake-ports.ts";

const SEEN = { id: "commit-0/tree-0", tree: "tree-0", head: "commit-0" };
const NAMES = Array.from({ length: 22 }, (_, number) => `${number}.txt`);
const EACH: TaskOverrides = { runtime: { commit: "iteration" } };
const GITHUB = {
  ...{ branch: "b", head: null, pull_request: null, authorised_by: null, obeyed: null, continuations: 0 },
};
const DONE = { kind: "success_command", command: "true" } as const;

/** A stopped loop, since whose stop these files were changed. */
function edited(files: readonly string[] | undefined, state: Partial<LoopState> = {}) {
  const stored = aState({ phase: "ready", iteration: 2, snapshot: SEEN, ...state });
  const fake = fakePorts({ stored });
  fake.touch();
  Object.assign(fake.workspace, { changedOtherwise: async () => files });
  return { fake, stored };
}

async function resumed(files: readonly string[] | undefined, overrides = EACH) {
  const { fake, stored } = edited(files);
  const state = await openLoop(aTask(overrides), fake, stored, committer(fake, stored));
  return { fake, state };
}

describe("what changed between runs, by no turn [C60]", () => {
  test("is told when the loop goes on, and named by the commit that takes it in", async () => {
    const { fake, state } = await resumed(["notes.md"]);
    expect(fake.observed).toContainEqual({
      type: "notice",
      text: expect.stringMatching(
        /^Changed since the last run, by no turn of the loop: notes\.md\. .*next commit takes/u,
      ),
    });
    expect(state.between).toEqual({ files: ["notes.md"], more: 0 });
    const worked = { ...state, phase: "unsettled" as const, iteration: 3, last_turn: aLastTurn({ iteration: 3 }) };
    const settled = await settle({ task: aTask(EACH), state: worked, ports: fake }, { commits: true, story: null });
    expect(fake.commits).toMatchObject([
      { message: expect.stringMatching(/\n\nChanged between two runs, .* in here as well: notes\.md\.$/u) },
    ]);
    if ("kind" in settled) throw new Error("The commit was refused.");
    expect(transition(worked, settled).between).toBeNull();
  });

  test("stays known until a commit takes it in", async () => {
    const { state } = await resumed(["notes.md"]);
    const stopped = transition(state, { type: "loop_stopped", reason: { kind: "time_budget" }, commit: null, at: AT });
    expect(stopped.between).toEqual({ files: ["notes.md"], more: 0 });
    const ended = transition(state, { type: "loop_stopped", reason: { kind: "time_budget" }, commit: "c", at: AT });
    expect(ended.between).toBeNull();
  });

  test("is not warned of where nothing is committed", async () => {
    const { fake } = await resumed(["notes.md"], { runtime: { commit: "never" } });
    expect(fake.observed).toEqual([]);
  });

  test.each<[string, readonly string[] | undefined]>([
    ["nothing", []],
    ["nobody knows what", undefined],
  ])("when %s changed, nothing is told", async (_what, files) => {
    const { fake, state } = await resumed(files);
    expect(fake.observed).toEqual([]);
    expect(state.between).toBeNull();
  });

  test.each<[string, Partial<LoopState>]>([
    ["no snapshot", { snapshot: null }],
    ["a job's own checkout", { github: GITHUB }],
  ])("is not looked for with %s", async (_what, state) => {
    const { fake, stored } = edited(["notes.md"], state);
    expect(await changedBetween(stored, fake)).toBeNull();
  });

  test("is bounded, and adds up over runs", async () => {
    const { fake, stored } = edited(NAMES);
    const many = await changedBetween(stored, fake);
    expect(many).toEqual({ files: NAMES.slice(0, 20), more: 2 });
    expect(withBetween(null, many)).toEqual(many);
    expect(withBetween(many, null)).toEqual(many);
    expect(withBetween(many, { files: ["0.txt", "new"], more: 0 })).toEqual({ files: NAMES.slice(0, 20), more: 3 });
    expect(betweenWords({ files: ["a\nb", "c"], more: 2 })).toBe("a b, c and 2 more");
    expect(namingOthers("subject", null)).toBe("subject");
  });
});

describe("what a turn has left that does not count, with commit: iteration [W-06]", () => {
  const change = { files: 1, added: 1, removed: 0, stat: "", only_tests: false };
  test.each<[string, Partial<LoopState>, readonly number[]]>([
    ["becomes the commit of its iteration", { last_turn: aLastTurn({ iteration: 3, change }) }, [3]],
    [
      "is nothing where it changed nothing",
      { last_turn: aLastTurn({ iteration: 3, change: { ...change, files: 0 } }) },
      [],
    ],
    ["was committed already where it counts", { last_turn: aLastTurn({ iteration: 2, change }) }, []],
    ["is nothing where there was no turn: what is there is a person's", { last_turn: null }, []],
  ])("%s when the loop is complete", async (_what, state, iterations) => {
    const { fake, stored } = edited([], state);
    const { commit } = await concludeWork(aTask(EACH), stored, fake, DONE);
    expect(fake.commits.map(({ iteration }) => iteration)).toEqual(iterations);
    expect(commit).toBe(iterations.length === 0 ? null : "commit-1");
  });

  test("waits for the turn that is tried again when the loop is not", async () => {
    const { fake, stored } = edited([], { last_turn: aLastTurn({ iteration: 3, change }) });
    expect(await concludeWork(aTask(EACH), stored, fake, { kind: "time_budget" })).toMatchObject({ commit: null });
    expect(fake.commits).toEqual([]);
  });
});
