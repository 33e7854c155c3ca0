import { expect, test } from "vitest";
import type { LoopState } from "../../../src/core/state.ts";
import type { Move } from "../../../src/core/stop/rule.ts";
import {
  aFailure,
  aHit,
  aLastTurn,
  anIterationRecord,
  aState,
  aTodo,
  AT,
  NOW,
  THE_ITEM,
} from "../../support/builders.ts";
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
  { title: "another run has it [PRE 1]", facts: request("supersede"), move: stop({ kind: "superseded", by: "me" }) },
  { title: "cancelled [PRE 2]", facts: request("cancel"), move: stop({ kind: "canceled", by: "me" }) },
  { title: "stopped [PRE 3, W-46]", facts: request("stop"), move: stop({ kind: "stopped", by: "me" }) },
  { title: "paused [PRE 3]", facts: request("pause"), move: stop({ kind: "paused", by: "me" }) },
  {
    title: "an open HARD STOP on resume [PRE 5]",
    state: { todo: aTodo(), spent: resumed },
    facts: { hardStops: [hit] },
    move: stop({ kind: "hard_stop", mode: "pause", hits: [hit] }),
  },
  {
    title: "the first iteration of a loop runs all the same [PRE 5]",
    state: { todo: aTodo() },
    facts: { hardStops: [hit] },
    move: TURN,
  },
  {
    title: "an acknowledged HARD STOP lets the loop go on [PRE 5, C10]",
    state: { todo: aTodo({ acknowledged: [hit.id] }), spent: resumed },
    facts: { hardStops: [hit] },
    move: TURN,
  },
  {
    title: "without a todo file there is nothing to stop at [PRE 5]",
    state: { todo: null, spent: resumed },
    facts: { hardStops: [hit] },
    move: TURN,
  },
  {
    title: "the cap is reached [PRE 8, W-39]",
    task: { limits: { maxIterations: 3 } },
    state: { iteration: 3 },
    move: stop({ kind: "max_iterations", max: 3 }),
  },
  { title: "one below the cap [PRE 8]", task: { limits: { maxIterations: 3 } }, state: { iteration: 2 }, move: TURN },
  {
    title: "the token cap is reached [PRE 9]",
    task: { limits: { maxTokens: 100 } },
    state: { spent: spent({ tokens: 100 }) },
    move: stop({ kind: "tokens", spent: 100, max: 100 }),
  },
  {
    title: "below it [PRE 9]",
    task: { limits: { maxTokens: 100 } },
    state: { spent: spent({ tokens: 99 }) },
    move: TURN,
  },
  {
    title: "the cap of work in all is reached, by turns and checks together [PRE 9]",
    task: { limits: { maxTotalMs: 100 } },
    state: { spent: spent({ turn_ms: 60, check_ms: 40 }) },
    move: stop({ kind: "total_time", spent: 100, max: 100 }),
  },
  {
    title: "below that [PRE 9]",
    task: { limits: { maxTotalMs: 100 } },
    state: { spent: spent({ turn_ms: 60, check_ms: 39 }) },
    move: TURN,
  },
  {
    title: "no room for an iteration before the reserve [PRE 10]",
    task: { limits: { deadline: NOW + 6 * MINUTE - 1, reserveMs: 5 * MINUTE } },
    move: stop({ kind: "time_budget" }),
  },
  {
    title: "just enough [PRE 10]",
    task: { limits: { deadline: NOW + 6 * MINUTE, reserveMs: 5 * MINUTE } },
    move: TURN,
  },
  {
    title: "the interval is charged to the time budget [PRE 10, S-14]",
    task: { limits: { deadline: NOW + 5 * MINUTE } },
    state: { not_before: limit(4 * MINUTE + 1, "interval") },
    move: stop({ kind: "time_budget" }),
  },
  {
    title: "the interval is waited for [S-14, S-20]",
    state: { not_before: limit(MINUTE, "interval") },
    move: { do: "wait", until: NOW + MINUTE, why: "interval" },
  },
  { title: "an interval that is over [S-14]", state: { not_before: limit(0, "interval") }, move: TURN },
  {
    title: "a short limit is waited for inside the run [PRE 11, C12]",
    state: { not_before: limit(10 * MINUTE) },
    move: { do: "wait", until: NOW + 10 * MINUTE, why: "rate_limit" },
  },
  {
    title: "a long one parks the loop [PRE 11, C12]",
    state: { not_before: limit(10 * MINUTE + 1, "usage_limit") },
    move: stop({ kind: "usage_limit", until: "2026-03-01T12:10:00.001Z", message: "slow down" }),
  },
  {
    title: "so does one that leaves no time for an iteration [PRE 11, C12]",
    task: { limits: { deadline: NOW + 6 * MINUTE - 1 } },
    state: { not_before: limit(5 * MINUTE) },
    move: stop({ kind: "rate_limit" }),
  },
  {
    title: "one that leaves just enough is waited for [PRE 11, C12]",
    task: { limits: { deadline: NOW + 6 * MINUTE } },
    state: { not_before: limit(5 * MINUTE) },
    move: { do: "wait", until: NOW + 5 * MINUTE, why: "rate_limit" },
  },
  {
    title: "the calls of this hour are used up: the loop is parked until the hour ends [PRE 11, R-30, C12]",
    task: { limits: { maxCallsPerHour: 2 } },
    state: { rate: { hour_began: AT, calls: 2 } },
    move: stop({ kind: "calls_per_hour", until: "2026-03-01T13:00:00.000Z", max: 2 }),
  },
  {
    title: "or waits inside the run when the hour ends soon enough [PRE 11, R-30, C12]",
    task: { limits: { maxCallsPerHour: 2 } },
    state: { rate: { hour_began: new Date(NOW - 50 * MINUTE).toISOString(), calls: 2 } },
    move: { do: "wait", until: NOW + 10 * MINUTE, why: "calls_per_hour" },
  },
  {
    title: "the tokens of this day are used up, with those of other loops: it is parked until midnight [PRE 11, C14]",
    task: { limits: { maxTokensPerDay: 1000 } },
    state: { iterations: [anIterationRecord({ ended_at: AT, tokens: 500, review_tokens: 100 })] },
    facts: { tokensOfOthers: 400 },
    move: stop({ kind: "tokens_per_day", until: "2026-03-02T00:00:00.000Z", max: 1000 }),
  },
  {
    title: "tokens of another day, and fewer than the limit, keep nobody from a turn [PRE 11, C14]",
    task: { limits: { maxTokensPerDay: 1000 } },
    state: {
      iterations: [
        anIterationRecord({ ended_at: "2026-02-28T23:59:59.999+00:00", tokens: 5000 }),
        anIterationRecord({ ended_at: AT, tokens: 999 }),
      ],
    },
    move: { do: "turn", item: THE_ITEM },
  },
  {
    title: "an hour that is over counts no more (auto-resets hourly) [PRE 11, R-32]",
    task: { limits: { maxCallsPerHour: 2 } },
    state: { rate: { hour_began: new Date(NOW - 60 * MINUTE).toISOString(), calls: 2 } },
    move: TURN,
  },
  {
    title: "one call below the limit [PRE 11, L-14]",
    task: { limits: { maxCallsPerHour: 3 } },
    state: { rate: { hour_began: AT, calls: 2 } },
    move: TURN,
  },
  { title: "a loop without the limit [PRE 11]", state: { rate: { hour_began: AT, calls: 1000 } }, move: TURN },
  { title: "a limit that is over [PRE 11]", state: { not_before: limit(0) }, move: TURN },
];

test.each(rows)("$title", (row) => {
  expect(moveBefore(row)).toEqual(row.move);
});

test("an open circuit stops the loop before a turn is spent, and before an hourly limit is looked at [PRE 7, R-11]", () => {
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
