import { describe, expect, test } from "vitest";
import type { LoopEvent } from "../../../src/core/events.ts";
import type { Status, StopReason } from "../../../src/core/outcome.ts";
import type { LoopState } from "../../../src/core/state.ts";
import { LOOPR_LAYOUT } from "../../../src/views/projections/loopr.ts";
import { aBlock, aClaim, aFailure, aLastTurn, aProved } from "../../support/builders.ts";
import { aCheck, aState, settled, started, turnEnded, turnStarted } from "../a-state.ts";
import { aMoment, jsonOf, textOf } from "./a-moment.ts";

const AT = "2026-01-06T21:10:00.000+00:00";
const UNTIL = "2026-01-06T22:00:00.000Z";
const HOUR: LoopState["rate"] = { hour_began: "2026-01-06T21:00:00.000+00:00", calls: 7 };

const statusOf = (state: Partial<LoopState>, event?: LoopEvent): Record<string, unknown> =>
  jsonOf(LOOPR_LAYOUT, "status.json", aMoment(state, event));

test("the files below .loopr [L-22]", () => {
  expect(LOOPR_LAYOUT.folder).toBe(".loopr");
  expect(Object.keys(LOOPR_LAYOUT.files)).toEqual(["status.json", "loop-state.json", ".call_count", ".last_reset"]);
  expect(Object.keys(LOOPR_LAYOUT.logs)).toEqual(["loop.log"]);
});

describe("status.json [L-26]", () => {
  test("of a loop that has just begun: exactly the seven fields of the specification", () => {
    expect(statusOf({}, started())).toEqual({
      state: "running",
      iteration: 0,
      exit_reason: null,
      last_summary: null,
      last_error: null,
      call_count: 0,
      next_reset_at: null,
    });
  });

  test.each<[Status, StopReason, string]>([
    ["completed", { kind: "dual_gate", verified: false }, "complete"],
    ["waiting", { kind: "usage_limit", until: UNTIL, message: "used up" }, "waiting"],
    ["paused_hard_stop", { kind: "hard_stop", mode: "pause", hits: [] }, "blocked"],
    ["paused_user_interrupt", { kind: "stopped", by: "SIGINT" }, "waiting"],
    ["paused_time_budget", { kind: "time_budget" }, "waiting"],
    ["stopped_budget", { kind: "tokens", spent: 2, max: 1 }, "blocked"],
    ["blocked", { kind: "question", question: "Which?" }, "blocked"],
    ["circuit_open", { kind: "no_progress", count: 3 }, "circuit_open"],
    ["canceled", { kind: "canceled", by: "ada" }, "error"],
    ["error", { kind: "superseded", by: "run 7" }, "error"],
  ])("%s is told as its column in the table of states says", (status, reason, projected) => {
    expect(statusOf({ status, stop_reason: reason })).toMatchObject({ state: projected, exit_reason: reason.kind });
  });

  test("the cap is blocked, and no success [C16]", () => {
    const state: Partial<LoopState> = {
      status: "stopped_max_iterations",
      stop_reason: { kind: "max_iterations", max: 30 },
      iteration: 30,
    };
    expect(statusOf(state)).toMatchObject({ state: "blocked", exit_reason: "max_iterations", iteration: 30 });
  });

  test("the calls of the hour, and when they are forgotten", () => {
    expect(statusOf({ rate: HOUR })).toMatchObject({ call_count: 7, next_reset_at: UNTIL });
    const parked: StopReason = { kind: "calls_per_hour", until: "2026-01-06T21:59:00.000Z", max: 7 };
    expect(statusOf({ rate: HOUR, status: "waiting", stop_reason: parked })).toMatchObject({
      next_reset_at: "2026-01-06T21:59:00.000Z",
    });
  });

  test("a limit that is waited for inside the run is waiting, the interval between iterations is not [C12]", () => {
    const wait = { type: "wait_started", at: AT, until: UNTIL } as const;
    expect(statusOf({}, { ...wait, why: "calls_per_hour" })).toMatchObject({ state: "waiting", next_reset_at: UNTIL });
    expect(statusOf({}, { ...wait, why: "interval" })).toMatchObject({ state: "running", next_reset_at: null });
  });

  test.each<[string, Parameters<typeof aLastTurn>[0], string | null]>([
    ["nothing", {}, null],
    ["the end of the message", { summary: "I did it." }, "I did it."],
    ["the block's summary", { summary: "…", claim: aClaim({ block: aBlock({ summary: "half way" }) }) }, "half way"],
  ])("last_summary is %s", (_, turn, expected) => {
    expect(statusOf({ last_turn: aLastTurn(turn) })["last_summary"]).toBe(expected);
  });

  const red: Partial<LoopState> = {
    checks: { success_cmd: ["npm", "test"], success_sh: null, quality_commands: [], ci_workflow: null },
    verdict: { result: "failed", checks: [aCheck({ exitCode: 1 })] },
  };
  const says = (summary: string | null) =>
    aLastTurn({ claim: aClaim({ block: aBlock({ status: "ERROR", summary }) }) });
  test.each<[string, Partial<LoopState>, string | null]>([
    ["nothing before the first turn", {}, null],
    ["nothing after a good turn", { last_turn: aLastTurn() }, null],
    ["a turn's failure", { last_turn: aLastTurn({ failure: aFailure("idle") }) }, "idle: the provider said idle"],
    ["a red check", { ...red, last_turn: aLastTurn() }, "Not verified: `npm test` failed (exit 1)."],
    ["the agent's own", { last_turn: says("no compiler") }, "no compiler"],
    ["the agent's, without a word", { last_turn: says(null) }, "The agent's status block says ERROR."],
    [
      "an ending's",
      {
        status: "error",
        stop_reason: { kind: "auth", failure: aFailure("auth", { next: "Log in." }) },
        last_turn: aLastTurn(),
      },
      "auth: the provider said auth Log in.",
    ],
    [
      "not an ending that is no error",
      { status: "blocked", stop_reason: { kind: "question", question: "Which?" }, last_turn: aLastTurn() },
      null,
    ],
  ])("last_error is %s", (_, state, expected) => {
    expect(statusOf(state)["last_error"]).toBe(expected);
  });
});

test("loop-state.json has what the exit rules count [L-22, L-24]", () => {
  const { progress, circuit } = aState();
  const state: Partial<LoopState> = {
    iteration: 4,
    signals: { done: 1, missing: 2 },
    progress: { ...progress, no_progress: 3, same_error: 4, test_loops: 5 },
    circuit: { ...circuit, state: "HALF_OPEN" },
  };
  expect(jsonOf(LOOPR_LAYOUT, "loop-state.json", aMoment(state))).toEqual({
    loop_id: "repo-1",
    iteration: 4,
    max_iterations: 30,
    completion_indicators: 1,
    no_progress: 3,
    same_error: 4,
    consecutive_test_loops: 5,
    missing_status: 2,
    circuit: "HALF_OPEN",
    updated_at: AT,
  });
});

test(".call_count and .last_reset [L-22, R-35]", () => {
  expect(textOf(LOOPR_LAYOUT, ".call_count", aMoment({ rate: HOUR }))).toBe("7\n");
  expect(textOf(LOOPR_LAYOUT, ".last_reset", aMoment({ rate: HOUR }))).toBe("2026-01-06T21:00:00.000+00:00\n");
  expect(textOf(LOOPR_LAYOUT, ".call_count", aMoment())).toBe("0\n");
  expect(textOf(LOOPR_LAYOUT, ".last_reset", aMoment())).toBe(`${AT}\n`);
});

describe("loop.log has one line for an event that matters [L-22]", () => {
  const { "loop.log": logLine } = LOOPR_LAYOUT.logs;
  test.each<[string, LoopEvent, string | undefined]>([
    ["a turn that begins", turnStarted(2), `${AT} [2/30] iteration 2 started, fresh session`],
    [
      "checks",
      aProved({ result: "failed", checks: [aCheck({ exitCode: 1 }), aCheck({ command: "npm\nrun lint" })] }, AT),
      `${AT} [2/30] check failed (exit 1, 3 s): npm test; check passed (exit 0, 3 s): npm run lint`,
    ],
    ["a session", { type: "session_opened", at: AT, session_id: "s" }, undefined],
    ["an iteration that is put away", settled(), undefined],
  ])("%s", (_, event, line) => {
    expect(logLine?.(aMoment({ iteration: 2 }, event))).toBe(line);
  });

  test("the agent cannot add a line of its own", () => {
    const failure = aFailure("crashed", { message: "first\nsecond" });
    expect(logLine?.(aMoment({}, turnEnded({ failure })))).not.toContain("\n");
  });
});
