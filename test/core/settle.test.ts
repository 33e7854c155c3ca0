import { describe, expect, test } from "vitest";
import type { FailureKind } from "../../src/core/agent.ts";
import { OperationalError } from "../../src/core/errors.ts";
import type { Settled } from "../../src/core/events.ts";
import type { StopReason } from "../../src/core/outcome.ts";
import { concludeWork, settle } from "../../src/core/settle.ts";
import { startCounters } from "../../src/core/progress/counters.ts";
import { CLOSED, type LoopState } from "../../src/core/state.ts";
import { transition } from "../../src/core/transition.ts";
import {
  aCheck,
  aClaim,
  aDoneClaim,
  aFailure,
  aHit,
  aLastTurn,
  aRedCheck,
  aState,
  aTask,
  aVerdict,
  AT,
  type TaskOverrides,
  someFailing,
} from "../support/builders.ts";
import { fakePorts, type FakeOptions } from "../support/fake-ports.ts";

const QUALITY: TaskOverrides = { identity: { checks: { quality: ["npm run lint"] } } };

function given(state: Partial<LoopState>, overrides: TaskOverrides = {}, options: FakeOptions = {}) {
  const task = aTask(overrides);
  const ports = fakePorts(options);
  ports.touch();
  const worked = { phase: "unsettled", iteration: 4, last_turn: aLastTurn({ iteration: 4 }) } as const;
  return { task, ports, state: aState({ ...worked, spent: { ...aState().spent, turns: 4 }, ...state }, task) };
}

function settledWith(settled: Awaited<ReturnType<typeof settle>>): Settled {
  if ("kind" in settled) throw new Error(`The commit was refused: ${JSON.stringify(settled)}`);
  return settled;
}

test("an iteration is settled", async () => {
  const work = given({}, {}, { hardStops: [aHit()] });
  expect(await settle(work, { commits: false, story: null })).toEqual({
    type: "settled",
    at: "2026-03-01T12:00:00.000+00:00",
    iteration: 4,
    commit: null,
    snapshot: null,
    hard_stops: [aHit()],
    progress: startCounters(null),
    circuit: CLOSED,
    next_at: null,
  });
  expect(work.ports.commits).toEqual([]);
});

test("the next turn may begin after the interval [S-14, S-20]", async () => {
  const settled = settledWith(
    await settle(given({}, { limits: { intervalMs: 60_000 } }), { commits: false, story: null }),
  );
  expect(settled.next_at).toBe("2026-03-01T12:01:00.000+00:00");
});

describe("what progress.md keeps [C18]", () => {
  const change = { files: 2, added: 3, removed: 1, stat: "", only_tests: false };

  async function entry(state: Partial<LoopState>): Promise<string | undefined> {
    const work = given(state);
    await settle(work, { commits: false, story: null });
    return work.ports.notes.get(4);
  }

  test.each<[string, Partial<LoopState>, string]>([
    ["a quiet turn", {}, "- agent: ok\n- checks: none ran\n- change: unknown"],
    [
      "a turn with a change, a green check and notes [D-03]",
      {
        last_turn: aLastTurn({ change, claim: aClaim({ notes: ["- done: a", "- next: b"] }) }),
        verdict: aVerdict("passed"),
      },
      "- agent: ok\n- check `npm test`: exit 0\n- change: 2 files, +3 -1\n  - done: a\n  - next: b",
    ],
    [
      "a red check, with the end of its output [D-24]",
      {
        last_turn: aLastTurn({ change: { ...change, files: 0 } }),
        verdict: aVerdict("failed", [aCheck({ command: "a" }), aRedCheck({ command: "b", tail: "1\n2\n\n3\n4\n" })]),
      },
      "- agent: ok\n- check `a`: exit 0\n- check `b`: exit 1\n  > 2\n  > 3\n  > 4\n- change: nothing",
    ],
    [
      "a red check whose tests are known, with what failed [D-24]",
      {
        verdict: aVerdict("failed", [
          aRedCheck({ tail: "# todo 0", tests: someFailing(["a", "b", "c", "d", "e", "f\n"], 7) }),
        ]),
      },
      "- agent: ok\n- check `npm test`: exit 1\n  > 7 tests failed: a, b, c, d, e and 2 more\n  > # todo 0\n- change: unknown",
    ],
    [
      "a check that timed out and one that was killed",
      {
        verdict: aVerdict("failed", [
          aRedCheck({ command: "a", exitCode: null, timedOut: true, tail: "" }),
          aRedCheck({ command: "b", exitCode: null, tail: "" }),
        ]),
      },
      "- agent: ok\n- check `a`: timed out\n- check `b`: killed\n- change: unknown",
    ],
    [
      "a failed turn",
      { last_turn: aLastTurn({ failure: aFailure("idle", { message: "5 minutes" }) }) },
      "- agent: idle: 5 minutes\n- checks: none ran\n- change: unknown",
    ],
  ])("%s", async (_title, state, expected) => {
    expect(await entry(state)).toBe(expected);
  });

  test("settling without a turn is a bug", async () => {
    await expect(settle(given({ last_turn: null }), { commits: false, story: null })).rejects.toThrow(
      "no turn to settle",
    );
  });
});

describe("commits of iterations [C13]", () => {
  test.each<[string, Partial<LoopState>, TaskOverrides, string]>([
    ["green", { verdict: aVerdict("passed") }, QUALITY, "smithers: Make the tests pass."],
    ["red", { verdict: aVerdict("failed") }, QUALITY, "wip(smithers): iteration 4, checks red"],
    ["without checks", {}, {}, "wip(smithers): iteration 4, checks not run"],
    [
      "without checks, claimed",
      { last_turn: aLastTurn({ claim: aDoneClaim() }) },
      {},
      "smithers: Make the tests pass.",
    ],
    [
      "claimed, but the checks have not run",
      { last_turn: aLastTurn({ claim: aDoneClaim() }) },
      QUALITY,
      "wip(smithers): iteration 4, checks not run",
    ],
  ])("%s", async (_title, state, task, message) => {
    const work = given(state, task);
    const settled = settledWith(await settle(work, { commits: true, story: null }));
    expect(work.ports.commits).toEqual([{ message, loopId: "a-loop", iteration: 4 }]);
    expect(settled).toMatchObject({ commit: "commit-1", snapshot: { head: "commit-1" } });
  });

  test("settling again commits and notes nothing again", async () => {
    const work = given({});
    await settle(work, { commits: true, story: null });
    expect(await settle(work, { commits: true, story: null })).toMatchObject({ commit: null, snapshot: null });
    expect([work.ports.commits.length, work.ports.notes.size]).toEqual([1, 1]);
  });

  test.each([
    ["\n\n  Fix it.\n\nAll of it.", "smithers: Fix it."],
    ["x".repeat(60), `smithers: ${"x".repeat(60)}`],
    ["word ".repeat(30), `smithers: ${"word ".repeat(11)}word…`],
  ])("the subject is the first line of the prompt %j", async (prompt, message) => {
    const work = given({ verdict: aVerdict("passed") }, { identity: { prompt } });
    await settle(work, { commits: true, story: null });
    expect(work.ports.commits[0]?.message).toBe(message);
  });
});

describe("the commit at the end [C13]", () => {
  const timeUp: StopReason = { kind: "time_budget" };
  const END = { runtime: { commit: "end" } } as const;
  const nobody = { spent: aState().spent, iterations: [] };
  const begun = { id: "begun", tree: "a".repeat(40), head: null };
  const refused = { kind: "protected_paths", count: 1, paths: ["CODEOWNERS"] } as const;

  test.each<[string, StopReason, Partial<LoopState>, string]>([
    ["of a completed loop", { kind: "promise", verified: false }, {}, "smithers: Make the tests pass."],
    ["of one that was stopped", timeUp, { verdict: aVerdict("failed") }, "wip(smithers): iteration 4, checks red"],
    ["before its checks", timeUp, {}, "wip(smithers): iteration 4, checks not run"],
    ["green, yet not done", timeUp, { verdict: aVerdict("passed") }, "wip(smithers): iteration 4, checks green"],
    [
      "whose checks cannot run",
      { kind: "gate_unrunnable", problem: { code: "", what: "", next: "" } },
      { verdict: aVerdict("unrunnable") },
      "wip(smithers): iteration 4, checks not run",
    ],
  ])("%s", async (_title, reason, state, message) => {
    const { task, ports, state: built } = given(state, END);
    expect(await concludeWork(task, built, ports, reason)).toEqual({ reason, commit: "commit-1" });
    expect(ports.commits[0]?.message).toBe(message);
  });

  test.each<[string, StopReason, Partial<LoopState>, TaskOverrides]>([
    ["of a loop that was cancelled [W-12]", { kind: "canceled", by: "me" }, {}, END],
    ["of a loop that another run has", { kind: "superseded", by: "run 7" }, {}, END],
    ["with commit never", timeUp, {}, {}],
    ["with commit iteration", timeUp, {}, { runtime: { commit: "iteration" } }],
    ["before anybody has worked", { kind: "already_green", command: "x" }, nobody, END],
    [
      "of what may not leave, compared with nothing yet [T17]",
      timeUp,
      { boundary: { begun: null, refused, turns: 1 } },
      END,
    ],
    [
      "of what may not leave, where nothing was seen since [T17]",
      timeUp,
      { boundary: { begun, refused, turns: 1 }, snapshot: null },
      END,
    ],
  ])("there is none %s", async (_title, reason, state, overrides) => {
    const { task, ports, state: built } = given(state, overrides);
    expect(await concludeWork(task, built, ports, reason)).toEqual({ reason, commit: null });
    expect(ports.commits).toEqual([]);
  });

  test("after a crash it is not made again", async () => {
    const { task, ports, state } = given({}, END);
    expect(await concludeWork(task, state, ports, timeUp)).toMatchObject({ commit: "commit-1" });
    expect(await concludeWork(task, state, ports, timeUp)).toMatchObject({ commit: null });
  });

  test("a turn that died with its run has worked, too", async () => {
    const { iterations } = transition(aState({ phase: "turn" }), { type: "turn_abandoned", at: AT, iteration: 1 });
    const { task, ports, state } = given({ ...nobody, iterations }, END);
    expect(await concludeWork(task, state, ports, timeUp)).toMatchObject({ commit: "commit-1" });
  });
});

describe("a commit that is refused [C13]", () => {
  const problem = { code: "GIT_FILTER_NEEDED", what: "a.bin belongs to LFS.", next: "Commit it yourself." };
  const refusing = (error: Error) => {
    const work = given({}, { runtime: { commit: "end" } });
    const refuse = async (): Promise<never> => {
      throw error;
    };
    Object.assign(work.ports.workspace, { commit: refuse });
    return work;
  };

  test("is the ending, whether at the end or of an iteration", async () => {
    const work = refusing(new OperationalError(problem));
    const reason = { kind: "commit_refused", problem } as const;
    expect(await settle(work, { commits: true, story: null })).toEqual(reason);
    expect(await concludeWork(work.task, work.state, work.ports, { kind: "promise", verified: true })).toEqual({
      reason,
      commit: null,
    });
  });

  test("of a submodule is told in the event that has the commit", async () => {
    const work = given({}, { runtime: { commit: "end" } });
    const made = { commit: "c", snapshot: { id: "i", tree: "t", head: "c" }, submodules: ["lib"] };
    Object.assign(work.ports.workspace, { commit: async () => made });
    const told = { commit: "c", submodules: ["lib"] };
    expect(await settle(work, { commits: true, story: null })).toMatchObject(told);
    expect(await concludeWork(work.task, work.state, work.ports, { kind: "time_budget" })).toMatchObject(told);
  });

  test("is a bug when nobody explains it", async () => {
    await expect(settle(refusing(new Error("oops")), { commits: true, story: null })).rejects.toThrow("oops");
  });
});

test("an iteration that leaves nothing new is counted, and opens the circuit at its threshold [L-18, L-24]", async () => {
  const snapshot = { id: "head/a", tree: "a", head: "head" };
  const progress = { ...startCounters("a"), no_progress: 2, fewest_failures: 2 };
  const limits = { circuit: { missingStatus: 2, noProgress: 3, sameError: 5, testLoops: 3, openMultiplier: 1 } };
  const settled = settledWith(await settle(given({ snapshot, progress }, { limits }), { commits: false, story: null }));
  expect(settled.progress).toMatchObject({ no_progress: 3, fewest_failures: 2 });
  expect(settled.circuit).toEqual({ state: "OPEN", trigger: "no_progress", count: 3 });
});

test("neither an error that ends the loop nor a turn that a person ends is held against the agent [C25, W-46]", async () => {
  const progress = { ...startCounters(null), no_progress: 2, same_error: 2, signature: "x" };
  const counters = async (kind: FailureKind) => {
    const last_turn = aLastTurn({ iteration: 4, failure: aFailure(kind) });
    return settledWith(await settle(given({ progress, last_turn }), { commits: false, story: null })).progress;
  };
  expect(await counters("auth")).toEqual(progress);
  expect(await counters("cancelled")).toEqual(progress);
  expect(await counters("timed_out")).toMatchObject({ same_error: 1, signature: "agent timed_out" });
});
