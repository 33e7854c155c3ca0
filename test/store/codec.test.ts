import { describe, expect, it } from "vitest";
import { NO_USAGE, type ProviderFailure } from "../../src/core/agent.ts";
import { OperationalError } from "../../src/core/errors.ts";
import type { StopReason } from "../../src/core/outcome.ts";
import type { LoopState } from "../../src/core/state.ts";
import type { Verdict } from "../../src/core/verdict.ts";
import { decodeState, encodeState, STATE_LIMIT } from "../../src/store/state-file.ts";
import { aClaim, aState } from "../support/builders.ts";

const FILE = "loops/a-loop.json";
const AT = "2026-03-01T10:00:00.000Z";
const failure: ProviderFailure = { kind: "auth", message: "no", retryable: false, resetsAt: 1.5e12, next: "log in" };
const problem = { code: "GATE", what: "what", next: "next" };
const hit = { id: "abc#1", line: 3, text: "HARD STOP", reached: true, vanished: true } as const;
const tests = { runner: "vitest", ran: 3, passed: 2, failed: 1, skipped: 0, failing: ["a"], exact: true, early: false };
const check = {
  role: "quality",
  command: "lint",
  exitCode: null,
  timedOut: true,
  durationMs: 12,
  tail: "…",
  tests,
} as const;

const REASONS: readonly StopReason[] = [
  { kind: "promise", verified: true },
  { kind: "success_command", command: "npm test" },
  { kind: "already_green", command: "npm test" },
  { kind: "hard_stop", mode: "pause", hits: [hit] },
  { kind: "paused", by: "me" },
  { kind: "stopped", by: "SIGINT" },
  { kind: "canceled", by: "me" },
  { kind: "time_budget" },
  { kind: "max_iterations", max: 3 },
  { kind: "tokens", spent: 10, max: 9 },
  { kind: "total_time", spent: 10.5, max: 9 },
  { kind: "rate_limit", until: AT, message: "slow down" },
  { kind: "usage_limit", until: AT, message: "tomorrow" },
  { kind: "calls_per_hour", until: AT, max: 100 },
  { kind: "tokens_per_day", until: AT, max: 100 },
  { kind: "auth", failure },
  { kind: "config", failure },
  { kind: "sandbox_broken", failure },
  { kind: "provider", failure },
  { kind: "gate_unrunnable", problem },
  { kind: "commit_refused", problem },
  { kind: "superseded", by: "run 7" },
];

const VERDICTS: readonly Verdict[] = [
  { result: "passed", checks: [] },
  { result: "failed", checks: [check] },
  { result: "cut_off", checks: [check] },
  { result: "unrunnable", checks: [], problem },
];

const STATES: readonly (readonly [string, LoopState])[] = [
  ["a loop that has just begun", aState()],
  ...REASONS.map((stop_reason) => [`ended as ${stop_reason.kind}`, aState({ stop_reason })] as const),
  ...VERDICTS.map((verdict) => [`with ${verdict.result} checks`, aState({ verdict, first_check: verdict })] as const),
  [
    "everything else there is",
    aState({
      status: "waiting",
      phase: "unsettled",
      not_before: { until: AT, why: "rate_limit", message: "later" },
      last_result: { exit_code: 1, detected_promise: true },
      iteration_started_at: AT,
      last_turn: {
        iteration: 2,
        ended_at: AT,
        failure,
        claim: aClaim({ hint: "nearly", notes: ["a"] }),
        summary: "lone \uD800 half",
        change: { files: 1, added: 2, removed: 3, stat: " a | 5", only_tests: false },
        denied: [{ what: "npm ci", allow: "--network on" }],
      },
      snapshot: { id: "i", tree: "t", head: null },
      codex: { ...aState().codex, session_id: "s", session_usage: NO_USAGE },
      todo: {
        path: "TODO.md",
        hard_stop_token: "HARD STOP",
        hard_stop_mode: "exit",
        hard_stop_when: "present",
        paused_for_hard_stop: true,
        seen: [hit],
        acknowledged: ["abc#1"],
      },
      iterations: [
        {
          iteration: 1,
          started_at: AT,
          ended_at: AT,
          agent: "abandoned",
          claimed: false,
          checks: "none",
          files_changed: null,
          lines_added: 0,
          lines_removed: 0,
          tokens: 0,
          commit: null,
        },
      ],
    }),
  ],
];

/** The code and the text of the error that decoding `text` gives. */
function problemOf(text: string): { readonly code: string; readonly what: string; readonly next: string } {
  try {
    decodeState(text, FILE);
  } catch (error) {
    if (error instanceof OperationalError) return { code: error.code, what: error.message, next: error.next };
    throw error;
  }
  throw new Error("It was decoded.");
}

/** As many lists within each other. */
function within(times: number): unknown {
  let inner: unknown = [];
  for (let i = 1; i < times; i += 1) inner = [inner];
  return inner;
}

/** The same state with an unknown key in every object. */
function sprinkled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sprinkled);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, sprinkled(inner)]);
  return { ...Object.fromEntries(entries), x_later: { n: [1, null, { deep: true }] } };
}

describe("the state file's text", () => {
  it.each(STATES)("round trip of %s [W-41, W-48]", (_what, state) => {
    expect(decodeState(encodeState(state), FILE)).toEqual(state);
  });

  it.each(STATES)("keys that nobody knows survive on every level: %s [W-48]", (_what, state) => {
    const text = JSON.stringify(sprinkled(state));
    expect(JSON.parse(encodeState(decodeState(text, FILE)))).toEqual(JSON.parse(text));
  });

  it("schema and revision come first, for people [W-48]", () => {
    const { schema: _schema, revision: _revision, ...rest } = aState({ revision: 7 });
    const text = encodeState({ ...rest, revision: 7, schema: 1 });
    expect(text).toMatch(/^\{\n {2}"schema": 1,\n {2}"revision": 7,\n {2}"loop_id": /u);
    expect(text.endsWith("}\n")).toBe(true);
  });

  it.each([
    ["torn JSON", encodeState(aState()).slice(0, 100), "it is not JSON"],
    ["nothing", "", "it is not JSON"],
    ["no object", "[]", "expected object"],
    ["a key that is missing", JSON.stringify({ ...aState(), codex: {} }), "codex.session_id: "],
    ["another type", JSON.stringify(aState({ iteration: -1 })), "iteration: "],
    ["a status from elsewhere", JSON.stringify({ ...aState(), status: "merry" }), "status: "],
    ["an ending from elsewhere", JSON.stringify({ ...aState(), stop_reason: { kind: "x" } }), "stop_reason.kind: "],
    ["a date without offset", JSON.stringify(aState({ updated_at: "2026-01-01" })), "updated_at: "],
    ["a schema that is none", JSON.stringify({ ...aState(), schema: "1" }), "schema: "],
    ["values within each other", JSON.stringify({ ...aState(), x: within(64) }), "it is not JSON, or is too deep"],
    ["more than is written", JSON.stringify(aState({ prompt: "x".repeat(STATE_LIMIT) })), "no state has more than"],
    ["deep in a list", JSON.stringify({ ...aState(), iterations: [{}] }), "iterations.0.iteration: "],
  ])("damage is named with its place: %s [W-58]", (_what, text, where) => {
    const { code, what, next } = problemOf(text);
    expect(code).toBe("STATE_DAMAGED");
    expect(what).toContain(FILE);
    expect(what).toContain(where);
    expect(what).toContain("not touched");
    expect(next).toContain("--loop-id");
  });

  it("a newer schema asks for an upgrade [W-48]", () => {
    const { code, what, next } = problemOf(JSON.stringify({ ...aState(), schema: 2 }));
    expect(code).toBe("STATE_NEWER");
    expect(what).toContain("schema 2");
    expect(next).toContain("Upgrade");
  });

  it("refuses to write what it would not read", () => {
    const state = aState({ prompt: "x".repeat(STATE_LIMIT) });
    expect(() => encodeState(state)).toThrow(expect.objectContaining({ code: "STATE_TOO_LARGE" }));
  });
});
