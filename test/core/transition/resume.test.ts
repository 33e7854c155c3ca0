import { describe, expect, test } from "vitest";
import { NOT_BLOCKED_YET, CLOSED, type LoopState, type Phase } from "../../../src/core/state.ts";
import type { LoopResumed } from "../../../src/core/events.ts";
import { startCounters } from "../../../src/core/progress/counters.ts";
import { transition } from "../../../src/core/transition.ts";
import { aFailure, aHit, aState, AT, aTask, aTodo, aVerdict, BOUNDS } from "../../support/builders.ts";

const LATER = "2026-03-01T12:05:00.000+00:00";

function resume(state: Partial<LoopState>, event: Partial<LoopResumed> = {}): LoopState {
  return transition(aState(state), {
    type: "loop_resumed",
    at: LATER,
    by: "person",
    runtime: aTask().runtime,
    max_iterations: 30,
    bounds: BOUNDS,
    guidance: null,
    github: null,
    snapshot: null,
    ...event,
  });
}

const stopped: Partial<LoopState> = { status: "paused_user_interrupt", stop_reason: { kind: "stopped", by: "me" } };
const refused: Partial<LoopState> = {
  status: "error",
  stop_reason: { kind: "commit_refused", problem: { code: "GIT_BUSY", what: "", next: "" } },
};

test.each<[string, Partial<LoopState>, Phase, Phase]>([
  ["after a stop nothing is looked back at", stopped, "settled", "ready"],
  ["after a crash nothing is forgiven", {}, "settled", "settled"],
  ["after a refused commit neither", refused, "settled", "settled"],
  ["what waits for its proof is proved first", stopped, "unproved", "unproved"],
  ["an unsettled iteration is settled first", {}, "unsettled", "unsettled"],
  ["between iterations the next one begins", stopped, "ready", "ready"],
])("%s [C25, decision 0002]", (_title, state, phase, next) => {
  expect(resume({ ...state, phase })).toMatchObject({ phase: next, status: "running", stop_reason: null });
});

test("limits and runtime are the current settings', the task stays [C25]", () => {
  const runtime = {
    ...aTask().runtime,
    workspaceRoot: "/elsewhere",
    model: "m",
    sandbox: "read-only",
    approval: "never",
    profile: "p",
  };
  const bounds = { ...BOUNDS, max_calls_per_hour: 50 };
  const state = resume({ prompt: "Mine.", max_iterations: 3 }, { runtime, max_iterations: 50, bounds });
  expect(state).toMatchObject({
    prompt: "Mine.",
    max_iterations: 50,
    bounds,
    workspace_root: "/elsewhere",
    codex: { model: "m", sandbox: "read-only", approval: "never", profile: "p" },
  });
});

test("a check that could not be started is asked again", () => {
  expect(resume({ verdict: aVerdict("unrunnable"), first_check: aVerdict("unrunnable") })).toMatchObject({
    verdict: null,
    first_check: null,
  });
});

test("each run asks for itself, and the verdict of the last turn stays [PRE 6]", () => {
  const state = resume({ verdict: aVerdict("failed"), first_check: aVerdict("failed") });
  expect([state.verdict?.result, state.first_check]).toEqual(["failed", null]);
});

test("resumes are counted, those of errors apart", () => {
  const error = { status: "error", stop_reason: { kind: "provider", failure: aFailure() } } as const;
  const first = resume(error);
  expect([first.spent.resumes, first.error_resumes]).toEqual([1, 1]);
  expect(resume({ ...error, error_resumes: 1 }).error_resumes).toBe(2);
  expect(resume({ ...stopped, error_resumes: 1 }).error_resumes).toBe(1);
});

test("the tree is measured from where the resume finds it", () => {
  const old = { id: "old", tree: "old", head: null };
  const now = { id: "now", tree: "now", head: null };
  expect(resume({ snapshot: old }, { snapshot: now }).snapshot).toEqual(now);
  expect(resume({ snapshot: old }).snapshot).toEqual(old);
});

describe("another provider", () => {
  const session = { ...aState().codex, session_id: "s", session_iterations: 2 };
  const other = { ...aTask().runtime, provider: "other" };

  test("the same provider goes on with its session [W-02, D-20]", () => {
    expect(resume({ codex: session }).codex).toMatchObject({ session_id: "s", session_iterations: 2 });
  });

  test("another provider cannot [D-20]", () => {
    expect(resume({ codex: session }, { runtime: other })).toMatchObject({
      provider: "other",
      codex: { session_id: null, session_iterations: 0 },
    });
  });

  test.each([
    ["interval", "fake", null],
    ["usage_limit", "fake", "usage_limit"],
    ["usage_limit", "other", null],
  ] as const)("a wait for %s is held with provider %s: %s [PRE 11]", (why, provider, kept) => {
    const state = resume(
      { not_before: { until: LATER, why, message: "" } },
      { runtime: { ...aTask().runtime, provider } },
    );
    expect(state.not_before?.why ?? null).toBe(kept);
  });
});

describe("who acknowledges what [C10]", () => {
  const todo = aTodo({ paused_for_hard_stop: true, acknowledged: ["old#1"] });
  const paused: Partial<LoopState> = {
    status: "paused_hard_stop",
    stop_reason: { kind: "hard_stop", mode: "pause", hits: [aHit({ id: "a#1" }), aHit({ id: "old#1" })] },
    todo,
  };

  test("a person's resume acknowledges exactly the hits of the pause, each once", () => {
    const state = resume({ ...paused, todo: { ...todo, seen: [aHit({ id: "later#1" })] } });
    expect(state.todo).toMatchObject({ paused_for_hard_stop: false, acknowledged: ["old#1", "a#1"] });
  });

  test("a trigger acknowledges nothing", () => {
    expect(resume(paused, { by: "trigger" }).todo).toEqual(todo);
  });

  test("resuming another ending acknowledges nothing", () => {
    expect(resume({ ...stopped, todo }).todo).toEqual(todo);
  });

  test("acknowledgements are bounded, and the newest stay", () => {
    const acknowledged = Array.from({ length: 300 }, (_, index) => `x#${index}`);
    const kept = resume({ ...paused, todo: { ...todo, acknowledged } }).todo?.acknowledged;
    expect(kept?.at(-1)).toBe("old#1");
    expect(kept?.length).toBeLessThan(300);
  });
});

test("a session that is reset is not gone on with; nothing else changes [R-35]", () => {
  const codex = { ...aState().codex, session_id: "old", session_iterations: 3 };
  const state = aState({ codex, circuit: { state: "HALF_OPEN", trigger: "no_progress", count: 2 } });
  const after = transition(state, { type: "reset", what: "session", by: "me", at: AT });
  expect(after).toEqual({ ...state, codex: aState().codex, revision: state.revision + 1, updated_at: AT });
});

describe("an open circuit [PRE 7, R-35]", () => {
  const circuit = { state: "OPEN", trigger: "no_progress", count: 3 } as const;
  const open: Partial<LoopState> = { status: "circuit_open", stop_reason: { kind: "no_progress", count: 3 }, circuit };

  test("takes one more iteration when a person lets it", () => {
    expect(resume(open).circuit).toEqual({ ...circuit, state: "HALF_OPEN" });
  });

  test("is closed by hand, in a fresh session; what it has seen it still knows [R-08, C2]", () => {
    const codex = { ...aState().codex, session_id: "old" };
    const progress = { ...startCounters("a"), no_progress: 3, same_error: 4, signature: "x", test_loops: 1 };
    const state = aState({ ...open, codex, progress, signals: { done: 0, missing: 2 } });
    const after = transition(state, { type: "reset", what: "circuit", by: "me", at: AT });
    expect(after).toMatchObject({
      circuit: CLOSED,
      progress: startCounters("a"),
      signals: { done: 0, missing: 0 },
      codex: { session_id: null },
      status: "circuit_open",
    });
  });

  test("stays open for everybody else", () => {
    expect(resume(open, { by: "trigger" }).circuit).toEqual(circuit);
  });
});

const appeals = { blocked: 2, why: "no key", questions: 2 };
const agentBlocked: Partial<LoopState> = { status: "blocked", stop_reason: { kind: "agent_blocked", why: "no key" } };

test.each<[string, Partial<LoopState>, LoopResumed["by"], LoopState["appeals"]]>([
  ["a person's resume is an answer: the count starts over", agentBlocked, "person", NOT_BLOCKED_YET],
  ["a trigger answers nothing", stopped, "trigger", appeals],
  ["after a crash nobody was asked yet", {}, "person", appeals],
  ["after a refused commit neither", refused, "person", appeals],
])("%s [POST 10]", (_title, state, by, next) => {
  const progress = { ...aState().progress, denied: ["x"], denied_again: 1 };
  const resumed = resume({ ...state, appeals, progress }, { by });
  expect(resumed.appeals).toEqual(next);
  // Who has answered may have allowed what was denied (C32).
  expect(resumed.progress.denied_again).toBe(next === appeals ? 1 : 0);
});
