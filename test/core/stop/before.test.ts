import { expect, test } from "vitest";
import type { LoopState } from "../../../src/core/state.ts";
import type { Move } from "../../../src/core/stop/rule.ts";
import { aFailure, aHit, aLastTurn, aState, aTodo, AT, NOW, THE_ITEM } from "../../support/builders.ts";
import { moveBefore, request, stop, type Row } from "./row.ts";

const MINUTE = 60_000;
const TURN: Move = { do: "turn", item: THE_ITEM };

function spent(totals: Partial<LoopState["spent"]>): LoopState["spent"] {
  return { ...aState().spent, ...totals };
}

function limit(inMs: number, why: "rate_limit" | "usage_limit" | "interval" = "rate_limit"): LoopState["not_before"] {
  return { until: new Date(NOW + inMs).toISOString(), why, message: "slow down" };
}

const hit = aHit();
const resumed = spent({ resumes: 1 });

const rows: readonly Row[] = [
  { title: "PRE: nothing stands against a turn", move: TURN },
  { title: "PRE 1: another run has it", facts: request("supersede"), move: stop({ kind: "superseded", by: "me" }) },
  { title: "PRE 2: cancelled", facts: request("cancel"), move: stop({ kind: "canceled", by: "me" }) },
  { title: "PRE 3: stopped (W-46)", facts: request("stop"), move: stop({ kind: "stopped", by: "me" }) },
  { title: "PRE 3: paused", facts: request("pause"), move: stop({ kind: "paused", by: "me" }) },
  {
    title: "PRE 5: an open HARD STOP on resume",
    state: { todo: aTodo(), spent: resumed },
    facts: { hardStops: [hit] },
    move: stop({ kind: "hard_stop", mode: "pause", hits: [hit] }),
  },
  {
    title: "PRE 5: the first iteration of a loop runs all the same",
    state: { todo: aTodo() },
    facts: { hardStops: [hit] },
    move: TURN,
  },
  {
    title: "PRE 5: an acknowledged HARD STOP lets the loop go on (C10)",
    state: { todo: aTodo({ acknowledged: [hit.id] }), spent: resumed },
    facts: { hardStops: [hit] },
    move: TURN,
  },
  {
    title: "PRE 5: without a todo file there is nothing to stop at",
    state: { todo: null, spent: resumed },
    facts: { hardStops: [hit] },
    move: TURN,
  },
  {
    title: "PRE 8: the cap is reached (W-39)",
    task: { limits: { maxIterations: 3 } },
    state: { iteration: 3 },
    move: stop({ kind: "max_iterations", max: 3 }),
  },
  { title: "PRE 8: one below the cap", task: { limits: { maxIterations: 3 } }, state: { iteration: 2 }, move: TURN },
  {
    title: "PRE 9: the token cap is reached",
    task: { limits: { maxTokens: 100 } },
    state: { spent: spent({ tokens: 100 }) },
    move: stop({ kind: "tokens", spent: 100, max: 100 }),
  },
  {
    title: "PRE 9: below it",
    task: { limits: { maxTokens: 100 } },
    state: { spent: spent({ tokens: 99 }) },
    move: TURN,
  },
  {
    title: "PRE 9: the cap of work in all is reached, by turns and checks together",
    task: { limits: { maxTotalMs: 100 } },
    state: { spent: spent({ turn_ms: 60, check_ms: 40 }) },
    move: stop({ kind: "total_time", spent: 100, max: 100 }),
  },
  {
    title: "PRE 9: below that",
    task: { limits: { maxTotalMs: 100 } },
    state: { spent: spent({ turn_ms: 60, check_ms: 39 }) },
    move: TURN,
  },
  {
    title: "PRE 10: no room for an iteration before the reserve",
    task: { limits: { deadline: NOW + 6 * MINUTE - 1, reserveMs: 5 * MINUTE } },
    move: stop({ kind: "time_budget" }),
  },
  { title: "PRE 10: just enough", task: { limits: { deadline: NOW + 6 * MINUTE, reserveMs: 5 * MINUTE } }, move: TURN },
  {
    title: "PRE 10, S-14: the interval is charged to the time budget",
    task: { limits: { deadline: NOW + 5 * MINUTE } },
    state: { not_before: limit(4 * MINUTE + 1, "interval") },
    move: stop({ kind: "time_budget" }),
  },
  {
    title: "S-14, S-20: the interval is waited for",
    state: { not_before: limit(MINUTE, "interval") },
    move: { do: "wait", until: NOW + MINUTE, why: "interval" },
  },
  { title: "S-14: an interval that is over", state: { not_before: limit(0, "interval") }, move: TURN },
  {
    title: "PRE 11, C12: a short limit is waited for inside the run",
    state: { not_before: limit(10 * MINUTE) },
    move: { do: "wait", until: NOW + 10 * MINUTE, why: "rate_limit" },
  },
  {
    title: "PRE 11, C12: a long one parks the loop",
    state: { not_before: limit(10 * MINUTE + 1, "usage_limit") },
    move: stop({ kind: "usage_limit", until: "2026-03-01T12:10:00.001Z", message: "slow down" }),
  },
  {
    title: "PRE 11, C12: so does one that leaves no time for an iteration",
    task: { limits: { deadline: NOW + 6 * MINUTE - 1 } },
    state: { not_before: limit(5 * MINUTE) },
    move: stop({ kind: "rate_limit" }),
  },
  {
    title: "PRE 11, C12: one that leaves just enough is waited for",
    task: { limits: { deadline: NOW + 6 * MINUTE } },
    state: { not_before: limit(5 * MINUTE) },
    move: { do: "wait", until: NOW + 5 * MINUTE, why: "rate_limit" },
  },
  {
    title: "PRE 11, R-30, C12: the calls of this hour are used up: the loop is parked until the hour ends",
    task: { limits: { maxCallsPerHour: 2 } },
    state: { rate: { hour_began: AT, calls: 2 } },
    move: stop({ kind: "calls_per_hour", until: "2026-03-01T13:00:00.000Z", max: 2 }),
  },
  {
    title: "PRE 11, R-30, C12: or waits inside the run when the hour ends soon enough",
    task: { limits: { maxCallsPerHour: 2 } },
    state: { rate: { hour_began: new Date(NOW - 50 * MINUTE).toISOString(), calls: 2 } },
    move: { do: "wait", until: NOW + 10 * MINUTE, why: "calls_per_hour" },
  },
  {
    title: "PRE 11, R-32: an hour that is over counts no more (auto-resets hourly)",
    task: { limits: { maxCallsPerHour: 2 } },
    state: { rate: { hour_began: new Date(NOW - 60 * MINUTE).toISOString(), calls: 2 } },
    move: TURN,
  },
  {
    title: "PRE 11, L-14: one call below the limit",
    task: { limits: { maxCallsPerHour: 3 } },
    state: { rate: { hour_began: AT, calls: 2 } },
    move: TURN,
  },
  { title: "PRE 11: a loop without the limit", state: { rate: { hour_began: AT, calls: 1000 } }, move: TURN },
  { title: "PRE 11: a limit that is over", state: { not_before: limit(0) }, move: TURN },
];

test.each(rows)("$title", (row) => {
  expect(moveBefore(row)).toEqual(row.move);
});

test("PRE 7, R-11: an open circuit stops the loop before a turn is spent, and before an hourly limit is looked at", () => {
  const circuit = { state: "OPEN", trigger: "no_progress", count: 3 } as const;
  const not_before = { until: new Date(NOW + 3_600_000).toISOString(), why: "rate_limit", message: "" } as const;
  const rate = { hour_began: AT, calls: 1 };
  const task = { limits: { maxCallsPerHour: 1 } };
  expect(moveBefore({ title: "", task, state: { circuit, not_before, rate }, move: null })).toEqual(
    stop({ kind: "no_progress", count: 3 }),
  );
});

test("what ended before the last stop is not looked back at", () => {
  const state = { iteration: 1, last_turn: aLastTurn({ failure: aFailure("auth") }) };
  expect(moveBefore({ title: "", state, move: TURN })).toEqual(TURN);
});

test("an empty backlog without an ending is a bug, and is said to be one", () => {
  const look = () => moveBefore({ title: "", facts: { item: null }, move: null });
  expect(look).toThrow("The backlog has nothing left");
});
