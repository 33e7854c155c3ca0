import { describe, expect, test } from "vitest";
import type { LoopEvent } from "../../src/core/events.ts";
import type { StopReason } from "../../src/core/outcome.ts";
import { count, metricsOf, NO_COUNTS } from "../../src/views/metrics.ts";
import { aDoneClaim, aFailure, aProved, aTask, BOUNDS } from "../support/builders.ts";
import { settled, started, turnEnded, turnStarted } from "./a-state.ts";

const at = "2026-01-06T21:10:00.000+00:00";
const resumed: LoopEvent = {
  type: "loop_resumed",
  at,
  by: "person",
  runtime: aTask().runtime,
  max_iterations: 30,
  bounds: BOUNDS,
  guidance: null,
  github: null,
  snapshot: null,
};
const abandoned: LoopEvent = { type: "turn_abandoned", at, iteration: 1 };
const SILENT: readonly LoopEvent[] = [
  { type: "session_opened", at, session_id: "s" },
  { type: "wait_started", at, until: at, why: "interval" },
  {
    ...{ type: "reviewed", at, answer: "clear", why: "", objections: [], iteration: 1, of: ["/t"], tree: "t" },
    ...{ usage: null, duration_ms: 0 },
  },
  { type: "reset", at, what: "session", by: "a person" },
  { type: "published", at, head: null, pull_request: null, continues: false },
];
const COMPLETED: StopReason = { kind: "promise", verified: true };
const CAPPED: StopReason = { kind: "max_iterations", max: 2 };
const PAUSED: StopReason = { kind: "paused", by: "a person" };
const BROKEN: StopReason = { kind: "provider", failure: aFailure("crashed") };

function stopped(reason: StopReason): LoopEvent {
  return { type: "loop_stopped", at, commit: null, reason };
}

function iteration(number: number, claims = false): readonly LoopEvent[] {
  const claim = claims ? { claim: aDoneClaim() } : {};
  return [turnStarted(number), turnEnded({ iteration: number, ...claim }), settled(number)];
}

function metrics(...events: readonly LoopEvent[]): ReturnType<typeof metricsOf> {
  return metricsOf(events.reduce(count, NO_COUNTS));
}

/** A generation that was completed in its nth iteration. */
function completedIn(iterations: number): readonly LoopEvent[] {
  const numbers = Array.from({ length: iterations }, (_, index) => index + 1);
  return [started(), ...numbers.flatMap((number) => iteration(number, number === iterations)), stopped(COMPLETED)];
}

test("nothing is known of a loop that has just begun [W-57]", () => {
  expect(metrics(started(), ...SILENT)).toEqual({
    generations: 1,
    completed: 0,
    completion_rate: null,
    median_iterations_to_complete: null,
    human_interruptions_per_completed: null,
    resume_success_rate: null,
    refused_claims: 0,
    stories: null,
  });
});

test.each<[string, readonly LoopEvent[], number | null]>([
  ["completed at once", completedIn(1), 1],
  ["completed after the cap was raised", [started(), stopped(CAPPED), resumed, stopped(COMPLETED)], 0],
  ["one of two, which ended twice", [...completedIn(2), started(), stopped(PAUSED), resumed, stopped(PAUSED)], 0.5],
  ["one of two, of which the other is still at work", [...completedIn(2), started()], 1],
  ["one of three", [...completedIn(1), started(), stopped(CAPPED), started(), stopped(BROKEN)], 0.333],
])("the completion rate before the cap: %s [W-57]", (_title, events, rate) => {
  expect(metrics(...events).completion_rate).toBe(rate);
});

test.each<[string, readonly number[], number]>([
  ["one", [3], 3],
  ["three, in any order", [9, 1, 2], 2],
  ["two", [1, 2], 1.5],
  ["ten and more are numbers, no texts", [10, 9, 11], 10],
])("the median of iterations to complete: %s [W-57]", (_title, generations, expected) => {
  expect(metrics(...generations.flatMap(completedIn)).median_iterations_to_complete).toBe(expected);
});

test("an iteration that was cut counts among those that it took [W-57]", () => {
  const events = [started(), turnStarted(1), abandoned, resumed, stopped({ kind: "already_green", command: "x" })];
  expect(metrics(...events).median_iterations_to_complete).toBe(1);
});

test("people are interrupted by what only they can end [W-57]", () => {
  const first = [started(), stopped(PAUSED), resumed, stopped({ kind: "question", question: "?" })];
  const second = [resumed, stopped({ kind: "time_budget" }), resumed, stopped(COMPLETED)];
  expect(metrics(...first)).toMatchObject({ human_interruptions_per_completed: null });
  expect(metrics(...first, ...second)).toMatchObject({ human_interruptions_per_completed: 2 });
});

describe("a resume [W-57, W-58]", () => {
  test.each<[string, readonly LoopEvent[], number | null]>([
    ["that has yet to come to anything", [], null],
    ["whose turn went well", [turnStarted(1), turnEnded()], 1],
    ["whose turn failed in a way that the loop gets over", [turnEnded({ failure: aFailure("idle") })], 1],
    ["whose turn failed for good", [turnEnded({ failure: aFailure("auth") }), settled(), stopped(BROKEN)], 0],
    ["that proves first", [aProved()], 1],
    ["that is parked again", [stopped({ kind: "time_budget" })], 1],
    ["that could not begin", [stopped(BROKEN)], 0],
    ["that crashed, and the next that did not", [resumed, aProved()], 0.5],
    ["that is judged once", [turnEnded(), aProved(), settled(), stopped(BROKEN)], 1],
  ])("%s", (_title, events, rate) => {
    expect(metrics(started(), stopped(PAUSED), resumed, ...events).resume_success_rate).toBe(rate);
  });
});

test.each<[string, readonly LoopEvent[], number]>([
  ["one that ends the loop is none", completedIn(1), 0],
  ["one after which it goes on", [started(), ...iteration(1, true), ...iteration(2, true), stopped(COMPLETED)], 1],
  ["one that the cap follows", [started(), ...iteration(1, true), stopped(CAPPED)], 1],
  [
    "one of a turn that failed is none",
    [started(), turnEnded({ claim: aDoneClaim(), failure: aFailure("idle") }), settled()],
    0,
  ],
  ["one that is still to be proved is none yet", [started(), turnStarted(1), turnEnded({ claim: aDoneClaim() })], 0],
])("refused claims: %s [W-57]", (_title, events, expected) => {
  expect(metrics(...events).refused_claims).toBe(expected);
});

describe("the stories of a PRD [D-09]", () => {
  const read = (...ids: readonly string[]) => ({
    ...{ prd: "shop", held: [] },
    stories: ids.map((id) => ({ id, title: id, digest: "d", passes: false })),
  });
  const ruled = (id: string, ruling: "accept" | "retry"): LoopEvent => ({
    ...{ type: "story_ruled", at, id, title: id, digest: "d", ruling, by: "ada", words: null, commit: null },
  });
  /** An iteration that leaves a story so. */
  const works = (id: string, ends: "passed" | "blocked", isGreen = true): readonly LoopEvent[] => [
    turnStarted(),
    turnEnded(),
    { ...aProved({ result: isGreen ? "passed" : "failed", checks: [] }), at },
    {
      ...settled(),
      ...(ends === "passed"
        ? { story: { id, ends, proved: 0, criteria: 1 } }
        : { story: { id, ends, kind: "attempts" as const, why: "red" } }),
    },
  ];

  test("the share that no person had to decide about, and of those that passed the share with green checks", () => {
    const begun = started({ stories: read("US-001", "US-002", "US-003", "US-004") });
    const events = [
      begun,
      ...works("US-001", "passed"),
      ...works("US-002", "blocked", false),
      ruled("US-002", "retry"),
      ...works("US-002", "passed"),
      ruled("US-003", "accept"),
    ];
    expect(metrics(...events).stories).toEqual({
      total: 4,
      passed: 3,
      completed_without_person: 0.25,
      passed_with_green_checks: 0.667,
    });
  });

  test("every story that the loop passes had green checks, and none of a person", () => {
    const events = [
      started({ stories: read("US-001", "US-002") }),
      ...works("US-001", "passed"),
      ...works("US-002", "passed"),
    ];
    expect(metrics(...events).stories).toMatchObject({ completed_without_person: 1, passed_with_green_checks: 1 });
  });

  test("a story whose checks were not green as it passed would be seen", () => {
    const events = [started({ stories: read("US-001") }), ...works("US-001", "passed", false)];
    expect(metrics(...events).stories).toMatchObject({ passed: 1, passed_with_green_checks: 0 });
  });

  test("stories that were edited out of the PRD do not count, and before the first has passed nothing is divided", () => {
    const events = [started({ stories: read("US-001") }), ...works("US-001", "passed")];
    expect(metrics(...events, { ...resumed, stories: read("US-002") }).stories).toEqual({
      total: 1,
      passed: 0,
      completed_without_person: 0,
      passed_with_green_checks: null,
    });
  });

  test("a resume that says nothing of them leaves them as they were", () => {
    expect(metrics(started({ stories: read("US-001") }), resumed).stories).toMatchObject({ total: 1 });
  });
});
