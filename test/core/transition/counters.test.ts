import { describe, expect, test } from "vitest";
import type { LoopEvent } from "../../../src/core/events.ts";
import { startCounters } from "../../../src/core/progress/counters.ts";
import { CLOSED, type LoopState } from "../../../src/core/state.ts";
import { transition } from "../../../src/core/transition.ts";
import {
  aFailure,
  aHit,
  anIterationRecord,
  aLastTurn,
  aProved,
  aRedCheck,
  AT,
  aState,
  aTodo,
  aTurnEnded,
  aVerdict,
  THE_ITEM,
} from "../../support/builders.ts";

const LATER = "2026-03-01T12:05:00.000+00:00";

function folded(state: LoopState, ...events: readonly LoopEvent[]): LoopState {
  return events.reduce<LoopState>(transition, state);
}

describe("proved", () => {
  const proved = (result: Parameters<typeof aVerdict>[0]) => aProved(aVerdict(result), LATER);

  test.each([
    ["passed", "unsettled"],
    ["failed", "unsettled"],
    ["unrunnable", "unproved"],
  ] as const)("of a turn, %s: then %s", (result, phase) => {
    const state = folded(aState({ phase: "unproved", last_turn: aLastTurn() }), proved(result));
    expect(state).toMatchObject({ phase, verdict: { result } });
  });

  test("what a run hears first need not be asked again before its turn [PRE 6]", () => {
    const state = folded(aState({ phase: "unproved", last_turn: aLastTurn() }), proved("failed"));
    expect(state.first_check?.result).toBe("failed");
    expect(folded({ ...state, phase: "unproved" }, proved("passed")).first_check?.result).toBe("failed");
  });

  test("before the first turn there is no turn that it could be about [PRE 6]", () => {
    expect(folded(aState(), proved("failed"))).toMatchObject({
      phase: "ready",
      first_check: { result: "failed" },
      verdict: null,
    });
  });

  test("on resume it is what the checks say of the last turn now [PRE 6]", () => {
    const state = aState({ last_turn: aLastTurn(), verdict: aVerdict("passed") });
    expect(folded(state, proved("failed")).verdict?.result).toBe("failed");
  });

  test.each(["ready", "unproved"] as const)("checks that were cut off in %s are asked again", (phase) => {
    const before = aState({ phase });
    expect(folded(before, proved("cut_off"))).toEqual({ ...before, revision: 2, updated_at: LATER });
  });

  const red = aRedCheck({
    tests: { runner: "x", ran: 2, passed: 1, failed: 1, skipped: 0, failing: ["a"], exact: true, early: false },
  });

  test("what fails before the first turn is the baseline", () => {
    const state = folded(aState(), aProved(aVerdict("failed", [red]), LATER));
    expect(state).toMatchObject({ baseline: { failing: ["a"] }, failing: null, failure_signature: null });
  });

  test("what fails after a turn that died with its run is not [C21]", () => {
    const before = folded(aState(), aProved(aVerdict("failed", [red]), LATER));
    const died = aState({ ...before, iteration: 1, iterations: [anIterationRecord({ agent: "abandoned" })] });
    const state = folded(died, proved("passed"));
    expect(state.baseline).toMatchObject({ failing: ["a"] });
    expect(state.strength.counts).toEqual({ ran: 2, skipped: 0, exact: true });
  });

  test("what fails later is not", () => {
    const worked = aState({ phase: "unproved", last_turn: aLastTurn(), spent: { ...aState().spent, turns: 1 } });
    const state = folded(worked, aProved(aVerdict("failed", [red]), LATER));
    expect(state).toMatchObject({ baseline: null, failing: { failing: ["a"], failing_count: 1 } });
    expect(state.failure_signature).toMatch(/^[0-9a-f]{64}$/u);
  });

  test("the time of checks adds up", () => {
    const state = folded(aState({ phase: "unproved" }), proved("passed"), proved("failed"));
    expect(state.spent.check_ms).toBe(200);
  });

  test("the state keeps only as much output as a prompt can use", () => {
    const check = aRedCheck({ tail: "x".repeat(8192) });
    const verdict = aVerdict("failed", [check, check]);
    const state = folded(aState({ phase: "unproved", last_turn: aLastTurn() }), aProved(verdict, LATER));
    expect(JSON.stringify(state.verdict).length).toBeLessThan(6500);
  });
});

describe("settled", () => {
  const settled = {
    type: "settled",
    at: LATER,
    iteration: 1,
    commit: null,
    snapshot: null,
    hard_stops: [],
    progress: startCounters(null),
    circuit: CLOSED,
    next_at: null,
  } as const;
  const working = aState({ phase: "unsettled", iteration: 1, iteration_started_at: AT, turn_tokens: 12 });

  test("the iteration gets its line in the history", () => {
    const change = { files: 2, added: 3, removed: 1, stat: "", only_tests: false };
    const turn = aLastTurn({ change, claim: { ...aLastTurn().claim, done: true } });
    const state = folded({ ...working, last_turn: turn, verdict: aVerdict("failed") }, { ...settled, commit: "abc" });
    expect(state.phase).toBe("settled");
    expect(state.iterations).toEqual([
      {
        iteration: 1,
        started_at: AT,
        ended_at: LATER,
        agent: "ok",
        claimed: true,
        checks: "failed",
        files_changed: 2,
        lines_added: 3,
        lines_removed: 1,
        tokens: 12,
        commit: "abc",
      },
    ]);
  });

  test("a failed turn is told by the kind of its failure, without a repository without a change", () => {
    const turn = aLastTurn({ failure: aFailure("timed_out") });
    const line = folded({ ...working, last_turn: turn }, settled).iterations[0];
    expect(line).toMatchObject({ agent: "timed_out", checks: "none", files_changed: null });
  });

  test("the history keeps the last 50 iterations", () => {
    const events = Array.from({ length: 60 }, (_, index) => [
      { type: "turn_started", at: AT, iteration: index + 1, item: THE_ITEM, session: "fresh" } as const,
      aTurnEnded({ iteration: index + 1 }),
      { ...settled, iteration: index + 1 },
    ]).flat();
    const { iterations } = folded(aState(), ...events);
    expect([iterations.length, iterations[0]?.iteration, iterations.at(-1)?.iteration]).toEqual([50, 11, 60]);
  });

  test("a turn that went well ends a row of errors [C25]", () => {
    const ok = folded({ ...working, last_turn: aLastTurn(), error_resumes: 2 }, settled);
    const bad = folded({ ...working, last_turn: aLastTurn({ failure: aFailure() }), error_resumes: 2 }, settled);
    expect([ok.error_resumes, bad.error_resumes]).toEqual([0, 2]);
  });

  test("the next turn waits for the interval [S-14]", () => {
    const state = folded({ ...working, last_turn: aLastTurn() }, { ...settled, next_at: LATER });
    expect(state.not_before).toEqual({ until: LATER, why: "interval", message: "" });
  });

  test("hits are remembered with their newest sight, without a todo file there are none [C10]", () => {
    const todo = aTodo({ seen: [aHit({ id: "a#1", line: 3 }), aHit({ id: "b#1" })] });
    const event = { ...settled, hard_stops: [aHit({ id: "a#1", line: 9 }), aHit({ id: "c#1" })] };
    const state = folded({ ...working, last_turn: aLastTurn(), todo }, event);
    expect(state.todo?.seen.map(({ id, line }) => [id, line])).toEqual([
      ["a#1", 9],
      ["b#1", 3],
      ["c#1", 3],
    ]);
    expect(folded({ ...working, last_turn: aLastTurn() }, event).todo).toBeNull();
  });

  test("a commit moves the snapshot that the next change is measured from", () => {
    const snapshot = { id: "x", tree: "t", head: "h" };
    const last = { ...working, last_turn: aLastTurn(), snapshot: { id: "y", tree: "t", head: null } };
    expect(folded(last, { ...settled, snapshot }).snapshot).toEqual(snapshot);
    expect(folded(last, settled).snapshot).toEqual(last.snapshot);
  });
});
