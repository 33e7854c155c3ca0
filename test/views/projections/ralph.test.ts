import { describe, expect, test } from "vitest";
import type { LoopState } from "../../../src/core/state.ts";
import { RALPH_LAYOUT } from "../../../src/views/projections/ralph.ts";
import { aBlock, aClaim, aLastTurn, anIterationRecord } from "../../support/builders.ts";
import { aState } from "../a-state.ts";
import { aMoment, jsonOf, textOf } from "./a-moment.ts";

const AT = "2026-01-06T21:10:00.000+00:00";

test("the dot files in the project's root [R-21, R-34]", () => {
  expect(RALPH_LAYOUT).toMatchObject({ folder: "", logs: {} });
  expect(Object.keys(RALPH_LAYOUT.files)).toEqual([
    ".call_count",
    ".last_reset",
    ".codex_session_id",
    ".ralph_session",
    ".circuit_breaker_state",
    ".exit_signals",
  ]);
});

describe("what they hold [R-21]", () => {
  const { codex, progress } = aState();

  test(".codex_session_id is empty where the next turn begins a fresh session [R-35]", () => {
    expect(textOf(RALPH_LAYOUT, ".codex_session_id", aMoment())).toBe("");
    const open = aMoment({ codex: { ...codex, session_id: "s-1" } });
    expect(textOf(RALPH_LAYOUT, ".codex_session_id", open)).toBe("s-1\n");
  });

  test(".ralph_session", () => {
    const open = aMoment({ codex: { ...codex, session_id: "s-1", model: "m", session_iterations: 3 } });
    expect(jsonOf(RALPH_LAYOUT, ".ralph_session", open)).toEqual({
      session_id: "s-1",
      provider: "scripted",
      model: "m",
      iterations: 3,
      loop_id: "repo-1",
      loop_created_at: AT,
      last_used: AT,
    });
  });

  test(".circuit_breaker_state [R-14, R-24]", () => {
    const state: Partial<LoopState> = {
      iteration: 5,
      circuit: { state: "HALF_OPEN", trigger: "no_progress", count: 3 },
      progress: { ...progress, no_progress: 3, same_error: 1 },
    };
    expect(jsonOf(RALPH_LAYOUT, ".circuit_breaker_state", aMoment(state))).toEqual({
      state: "HALF_OPEN",
      reason: "no_progress",
      consecutive_no_progress: 3,
      consecutive_same_error: 1,
      current_loop: 5,
      last_change: AT,
    });
  });

  test(".exit_signals [R-18]", () => {
    const signs = (moment: ReturnType<typeof aMoment>) => jsonOf(RALPH_LAYOUT, ".exit_signals", moment);
    expect(signs(aMoment())).toEqual({
      done_signals: [],
      completion_indicators: 0,
      exit_signal: null,
      consecutive_test_loops: 0,
    });
    const state: Partial<LoopState> = {
      iterations: [1, 2, 3].map((iteration) => anIterationRecord({ iteration, claimed: iteration !== 2 })),
      signals: { done: 1, missing: 0 },
      progress: { ...progress, test_loops: 2 },
      last_turn: aLastTurn({ claim: aClaim({ block: aBlock({ exit_signal: true }) }) }),
    };
    expect(signs(aMoment(state))).toEqual({
      done_signals: [1, 3],
      completion_indicators: 1,
      exit_signal: true,
      consecutive_test_loops: 2,
    });
  });

  test(".call_count and .last_reset [R-32]", () => {
    const rate = { hour_began: "2026-01-06T21:00:00.000+00:00", calls: 7 };
    expect(textOf(RALPH_LAYOUT, ".call_count", aMoment({ rate }))).toBe("7\n");
    expect(textOf(RALPH_LAYOUT, ".last_reset", aMoment({ rate }))).toBe(`${rate.hour_began}\n`);
  });
});
