import * as built from "../support/builders.ts";
import type { EventOf, LoopEvent, LoopStarted, TurnEnded } from "../../src/core/events.ts";
import { startCounters } from "../../src/core/progress/counters.ts";
import { CLOSED, type LoopState } from "../../src/core/state.ts";
import type { Item } from "../../src/core/task.ts";
import { transition } from "../../src/core/transition.ts";
import type { CheckResult } from "../../src/core/verdict.ts";
import type { RunView } from "../../src/views/run-view.ts";

const AT = "2026-01-06T21:10:00.000+00:00";

const TASK = built.aTask({
  loopId: "repo-1",
  identity: { prompt: "Fix the tests", promise: { guard: "code" } },
  runtime: { workspaceRoot: "/w", artifactsDir: "/w/.codex/repo-1", provider: "scripted" },
});

/** The event that begins a loop. */
export function started(overrides: Partial<LoopStarted> = {}): LoopEvent {
  return built.aLoopStarted(TASK, { at: AT, ...overrides });
}

/** The state of a loop that has just begun, with `overrides`. */
export function aState(overrides: Partial<LoopState> = {}): LoopState {
  return { ...transition(undefined, started()), ...overrides };
}

/** The agent has claimed to be done, and the checks have just answered. */
export const CLAIMED: Partial<LoopState> = {
  phase: "unsettled",
  last_turn: built.aLastTurn({ ended_at: AT, claim: built.aDoneClaim() }),
};

/** A view of a loop whose run is over. */
export function aView(state: Partial<LoopState> = {}, overrides: Partial<RunView> = {}): RunView {
  return {
    state: aState(state),
    alive: false,
    change: { files: 2, added: 5, removed: 1, stat: "a.ts | 5 +\nb.ts | 1 -", only_tests: false },
    prd: null,
    branch: null,
    protection: { sandbox: "workspace-write", providerArgs: [] },
    stateFile: ".codex/repo-1.json",
    folder: ".codex/repo-1",
    word: (advice) => advice,
    resume: "smithers resume --loop-id repo-1",
    ruling: null,
    ...overrides,
  };
}

/** A green success check that took three seconds, with `overrides`. */
export function aCheck(overrides: Partial<CheckResult> = {}): CheckResult {
  return built.aCheck({ durationMs: 3_000, ...overrides });
}

/** The event that ends a turn, with `overrides`. */
export function turnEnded(overrides: Partial<TurnEnded> = {}): LoopEvent {
  const usage = { input: 1_000, cachedInput: 200, output: 34, reasoning: 0 };
  return built.aTurnEnded({ at: AT, usage, duration_ms: 65_000, ...overrides });
}

/** The event that begins a turn. */
export function turnStarted(
  iteration = 1,
  more: { readonly provider?: string; readonly session?: "resumed"; readonly item?: Item } = {},
): LoopEvent {
  const item = { id: "i", title: "the task", text: "" };
  return { type: "turn_started", at: AT, iteration, item, session: "fresh", ...more };
}

/** The event that settles an iteration. */
export function settled(iteration = 1, commit: string | null = null): EventOf<"settled"> {
  return {
    type: "settled",
    at: AT,
    iteration,
    commit,
    snapshot: null,
    hard_stops: [],
    progress: startCounters(null),
    circuit: CLOSED,
    next_at: null,
  };
}
