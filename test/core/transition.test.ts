import { describe, expect, test } from "vitest";
import type { LoopEvent, LoopResumed } from "../../src/core/events.ts";
import type { LoopState } from "../../src/core/state.ts";
import { transition } from "../../src/core/transition.ts";
import {
  aHit,
  aLastTurn,
  aLoopStarted,
  AT,
  aState,
  aTask,
  aTodo,
  aTurnEnded,
  BOUNDS,
  THE_ITEM,
} from "../support/builders.ts";

const LATER = "2026-03-01T12:05:00.000+00:00";

function resumed(overrides: Partial<LoopResumed> = {}): LoopResumed {
  return {
    type: "loop_resumed",
    at: LATER,
    by: "person",
    runtime: aTask().runtime,
    max_iterations: 30,
    bounds: BOUNDS,
    guidance: null,
    github: null,
    snapshot: null,
    ...overrides,
  };
}

function folded(state: LoopState, ...events: readonly LoopEvent[]): LoopState {
  return events.reduce<LoopState>(transition, state);
}

test("every event is one revision and one moment [W-40]", () => {
  const state = folded(aState(), { type: "wait_started", at: LATER, until: LATER, why: "interval" });
  expect(state).toEqual({ ...aState(), revision: 2, updated_at: LATER });
});

test("an event before the loop was started is a bug", () => {
  expect(() => transition(undefined, resumed())).toThrow("loop_resumed came before the loop was started");
});

test("what this version does not know survives [W-48]", () => {
  const state = { ...aState(), from_the_future: { a: 1 } };
  expect(folded(state, resumed())).toMatchObject({ from_the_future: { a: 1 } });
});

describe("turn_started", () => {
  const started = { type: "turn_started", at: LATER, iteration: 2, item: THE_ITEM } as const;
  const session = { ...aState().codex, session_id: "s", session_iterations: 3, session_usage: null };

  test("the turn is counted before it begins [W-40]", () => {
    const before = aState({ iteration: 1, not_before: { until: AT, why: "interval", message: "" } });
    expect(folded(before, { ...started, session: "resumed" })).toMatchObject({
      phase: "turn",
      iteration: 2,
      iteration_started_at: LATER,
      not_before: null,
      artifacts: { last_message_path: "last_message_iter_2.txt", jsonl_path: "events_iter_2.jsonl" },
    });
  });

  test.each([
    ["resumed", { session_id: "s", session_iterations: 3 }],
    ["fresh", { session_id: null, session_iterations: 0 }],
  ] as const)("a %s session [C2]", (kind, codex) => {
    expect(folded(aState({ codex: session }), { ...started, session: kind }).codex).toMatchObject(codex);
  });
});

describe("session_opened", () => {
  const usage = { input: 5, cachedInput: 0, output: 1, reasoning: 0 };
  const codex = { ...aState().codex, session_id: "old", session_iterations: 2, session_usage: usage };

  test("the id is kept as soon as it is known, with counters of its own [W-64]", () => {
    const state = folded(aState({ codex }), { type: "session_opened", at: LATER, session_id: "new" });
    expect(state.codex).toMatchObject({ session_id: "new", session_iterations: 0, session_usage: null });
  });

  test("the same session goes on counting [W-02]", () => {
    expect(folded(aState({ codex }), { type: "session_opened", at: LATER, session_id: "old" }).codex).toEqual(codex);
  });
});

test("a turn that killed its machine: its iteration counts and is over", () => {
  const state = aState({ phase: "turn", iteration: 2, iteration_started_at: AT, last_turn: aLastTurn() });
  const abandoned = folded(state, { type: "turn_abandoned", at: LATER, iteration: 2 });
  expect(abandoned).toMatchObject({ phase: "ready", iteration: 2 });
  expect(abandoned.iterations).toEqual([
    expect.objectContaining({
      iteration: 2,
      started_at: AT,
      ended_at: LATER,
      agent: "abandoned",
      claimed: false,
      tokens: 0,
    }),
  ]);
});

describe("loop_stopped", () => {
  test.each([
    [{ kind: "hard_stop", mode: "pause", hits: [aHit()] }, "paused_hard_stop", true],
    [{ kind: "stopped", by: "SIGINT" }, "paused_user_interrupt", false],
  ] as const)("the ending is in the state (%o) [W-40, W-48]", (reason, status, paused) => {
    const state = folded(aState({ todo: aTodo() }), { type: "loop_stopped", at: LATER, reason, commit: null });
    expect(state).toMatchObject({ status, stop_reason: reason, todo: { paused_for_hard_stop: paused } });
  });
});

test("the same events give the same state", () => {
  const events: readonly LoopEvent[] = [
    aLoopStarted(),
    { type: "turn_started", at: AT, iteration: 1, item: THE_ITEM, session: "fresh" },
    aTurnEnded(),
  ];
  const fold = () => events.reduce<LoopState | undefined>(transition, undefined);
  expect(fold()).toEqual(fold());
});
