import type { LoopEvent } from "../../src/core/events.ts";
import type { LoopState } from "../../src/core/state.ts";
import { transition } from "../../src/core/transition.ts";
import type { CheckResult } from "../../src/core/verdict.ts";
import type { RunView } from "../../src/views/run-view.ts";

const AT = "2026-01-06T21:10:00.000+00:00";

/** The event that begins a loop. */
export function started(overrides: Partial<Extract<LoopEvent, { type: "loop_started" }>> = {}): LoopEvent {
  return {
    type: "loop_started",
    at: AT,
    loop_id: "repo-1",
    generation: 1,
    identity: {
      prompt: "Fix the tests",
      promise: { text: "DONE", mode: "tag", guard: "code" },
      checks: { successCommand: null, successShell: null, quality: [] },
      todo: null,
    },
    prompt_digest: "p",
    task_digest: "t",
    runtime: {
      workspaceRoot: "/w",
      artifactsDir: "/w/.codex/repo-1",
      provider: "scripted",
      model: null,
      profile: null,
      sandbox: "workspace-write",
      approval: null,
      session: "resume",
      sessionMaxIterations: 10,
      continuePrompt: null,
      checkFirst: true,
      commit: "never",
    },
    max_iterations: 30,
    artifacts_dir: "/w/.codex/repo-1",
    snapshot: null,
    hard_stops: [],
    ...overrides,
  };
}

/** The state of a loop that has just begun, with `overrides`. */
export function aState(overrides: Partial<LoopState> = {}): LoopState {
  return { ...transition(undefined, started()), ...overrides };
}

/** The agent has claimed to be done, and the checks have just answered. */
export const CLAIMED: Partial<LoopState> = {
  phase: "unsettled",
  last_turn: {
    iteration: 1,
    ended_at: AT,
    failure: null,
    claim: { detected: true, done: true, hint: null, blocked: null, notes: [] },
    summary: "",
    change: null,
  },
};

/** A view of a loop whose run is over. */
export function aView(state: Partial<LoopState> = {}, overrides: Partial<RunView> = {}): RunView {
  return {
    state: aState(state),
    alive: false,
    change: { files: 2, added: 5, removed: 1, stat: "a.ts | 5 +\nb.ts | 1 -" },
    protection: { sandbox: "workspace-write", providerArgs: [] },
    stateFile: ".codex/repo-1.json",
    folder: ".codex/repo-1",
    word: (advice) => advice,
    resume: "smithers resume --loop-id repo-1",
    ...overrides,
  };
}

/** A green success check, with `overrides`. */
export function aCheck(overrides: Partial<CheckResult> = {}): CheckResult {
  return {
    role: "success",
    command: "npm test",
    exitCode: 0,
    timedOut: false,
    durationMs: 3_000,
    tail: "",
    ...overrides,
  };
}

/** The event that ends a turn, with `overrides`. */
export function turnEnded(overrides: Partial<Extract<LoopEvent, { type: "turn_ended" }>> = {}): LoopEvent {
  return {
    type: "turn_ended",
    at: AT,
    iteration: 1,
    failure: null,
    exit_code: 0,
    usage: { input: 1_000, cachedInput: 200, output: 34, reasoning: 0 },
    session_usage: null,
    claim: { detected: false, done: false, hint: null, blocked: null, notes: [] },
    summary: "",
    snapshot: null,
    change: null,
    duration_ms: 65_000,
    ...overrides,
  };
}

/** The event that begins a turn. */
export function turnStarted(iteration = 1): LoopEvent {
  return { type: "turn_started", at: AT, iteration, item: { id: "i", title: "the task", text: "" }, session: "fresh" };
}

/** The event that closes an iteration's books. */
export function settled(iteration = 1, commit: string | null = null): LoopEvent {
  return { type: "settled", at: AT, iteration, commit, snapshot: null, hard_stops: [], next_at: null };
}
