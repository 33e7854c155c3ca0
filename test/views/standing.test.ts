import { describe, expect, test } from "vitest";
import { type Bounds, CLOSED, type LoopState } from "../../src/core/state.ts";
import { circuitBlocks } from "../../src/views/github/iterations.ts";
import { callsOf, callsText, circuitReport, circuitText, progressOf, progressText } from "../../src/views/progress.ts";
import { markdown } from "../../src/views/github/markdown.ts";
import { resultOf } from "../../src/views/result.ts";
import { summary } from "../../src/views/summary.ts";
import { anIterationRecord } from "../support/builders.ts";
import { aState, aView } from "./a-state.ts";

const BOUNDS: Bounds = {
  max_calls_per_hour: 100,
  done_signals: 2,
  thresholds: { no_progress: 3, same_error: 5, test_loops: 0, missing_status: 1 },
  open_multiplier: 2,
};
const { progress, spent } = aState();
const failing = (count: number): LoopState["failing"] => ({
  failing: [],
  failing_count: count,
  failing_digest: "",
  early: false,
});

/** In the middle of its work, with the circuit half open. */
const STUCK: Partial<LoopState> = {
  status_block: "ralph",
  bounds: BOUNDS,
  iterations: [anIterationRecord()],
  spent: { ...spent, turns: 5 },
  circuit: { state: "HALF_OPEN", trigger: "no_progress", count: 4 },
  progress: { ...progress, no_progress: 4, same_error: 1, fewest_failures: 2 },
  failing: failing(3),
  baseline: failing(7),
  plan: { path: "@fix_plan.md", agent_file: "@AGENT.md", items: 9, ticked: 4, most_items: 9 },
  rate: { hour_began: "2026-01-06T21:00:00.000+00:00", calls: 12 },
};

describe("the circuit [R-07, R-22, R-24]", () => {
  test.each<[string, Partial<LoopState>, string]>([
    [
      "closed, with what is on against what opens it",
      { bounds: BOUNDS, status_block: "ralph" },
      "CLOSED; no progress 0 of 6, same error 0 of 10, no status block 0 of 2",
    ],
    [
      "half open, and by what",
      STUCK,
      "HALF_OPEN (no progress); no progress 4 of 6, same error 1 of 10, no status block 0 of 2",
    ],
    [
      "of a version that did not keep what opens it",
      { ...STUCK, bounds: null },
      "HALF_OPEN (no progress); no progress 4, same error 1",
    ],
    [
      "without a block that could be missing",
      { bounds: BOUNDS, status_block: "off" },
      "CLOSED; no progress 0 of 6, same error 0 of 10",
    ],
    ["with nothing on", { bounds: null }, "CLOSED"],
  ])("%s", (_, state, text) => {
    expect(circuitText(aState(state))).toBe(text);
  });

  test("in detail", () => {
    expect(circuitReport(aState(STUCK))).toEqual({
      state: "HALF_OPEN",
      trigger: "no_progress",
      count: 4,
      counters: [
        { trigger: "no_progress", count: 4, marks: { warns: 3, opens: 6 } },
        { trigger: "same_error", count: 1, marks: { warns: 5, opens: 10 } },
        { trigger: "test_loops", count: 0, marks: null },
        { trigger: "missing_status", count: 0, marks: { warns: 1, opens: 2 } },
      ],
    });
  });

  test("in the summary of a job, from the first turn on", () => {
    expect(circuitBlocks(aState())).toEqual([]);
    const shown = markdown(circuitBlocks(aState(STUCK)));
    expect(shown).toContain("**Circuit:** HALF_OPEN (no progress)");
    expect(shown).toMatch(/\| no progress +\| +4 \| +3 \| +6 \|\n\| same error +\| +1 \| +5 \| +10 \|/u);
    expect(shown).toMatch(/\| nothing but tests +\| +0 \| +off \| +off \|/u);
  });
});

describe("the calls of the hour [R-22, R-32]", () => {
  test.each<[string, Partial<LoopState>, string]>([
    ["none yet", {}, "0"],
    ["none yet, of a limit", { bounds: BOUNDS }, "0 of 100"],
    ["some, of a limit", STUCK, "12 of 100 in the hour until 2026-01-06T22:00:00.000Z"],
    ["some, without a limit", { ...STUCK, bounds: null }, "12 in the hour until 2026-01-06T22:00:00.000Z"],
  ])("%s", (_, state, text) => {
    expect(callsText(aState(state))).toBe(text);
  });

  test("in detail", () => {
    expect(callsOf(aState(STUCK))).toEqual({
      hour_began: "2026-01-06T21:00:00.000+00:00",
      calls: 12,
      max: 100,
      resets_at: "2026-01-06T22:00:00.000Z",
    });
  });
});

describe("progress [R-07]", () => {
  test.each<[string, Partial<LoopState>, string]>([
    ["before the first iteration", {}, "no iteration is over yet"],
    ["in the last iteration", { iterations: [anIterationRecord({ files_changed: 2 })] }, "made in the last iteration"],
    [
      "where nothing is measured",
      { iterations: [anIterationRecord({ files_changed: null })] },
      "made in the last iteration",
    ],
    [
      "after an idle turn that does not count, because another story has begun",
      { iterations: [anIterationRecord()] },
      "no file changed in the last iteration",
    ],
    [
      "after a turn that failed",
      { status: "error", iterations: [anIterationRecord({ agent: "auth" })] },
      "none, the last turn failed",
    ],
    ...(["cancelled", "abandoned"] as const).map((agent): [string, Partial<LoopState>, string] => [
      `after a turn that was ${agent}`,
      { iterations: [anIterationRecord({ agent, files_changed: null })] },
      "none, the last turn was cut short",
    ]),
    [
      "after a reset [R-08]",
      { status: "circuit_open", circuit: CLOSED, iterations: [anIterationRecord()] },
      "counting from zero again",
    ],
    [
      "long ago",
      STUCK,
      "none for 4 iterations; failing tests: 3 now, 2 at the fewest, 7 at the start; 4 of 9 items ticked",
    ],
    [
      "with a signal of completion, and tests that nobody has counted now",
      { ...STUCK, failing: null, plan: null, signals: { done: 1, missing: 0 } },
      "none for 4 iterations; failing tests: 2 at the fewest, 7 at the start; 1 signal of completion in a row",
    ],
  ])("%s", (_, state, text) => {
    expect(progressText(aState(state))).toBe(text);
  });

  test("in detail", () => {
    expect(progressOf(aState(STUCK))).toEqual({
      iterations_without: 4,
      failing_tests: { now: 3, fewest: 2, at_start: 7, names: [] },
      plan: { items: 9, ticked: 4 },
      done_signals: 0,
    });
    expect(progressOf(aState())).toMatchObject({ failing_tests: { now: null, at_start: null }, plan: null });
  });
});

test("status tells all three, to people and with --json [R-07, R-22, R-24]", () => {
  const view = aView(STUCK);
  const lines = summary(view).map(({ text }) => text);
  expect(lines).toContain(`Progress: ${progressText(view.state)}.`);
  expect(lines).toContain(`Calls of the agent: ${callsText(view.state)}.`);
  expect(summary(view)).toContainEqual({ text: `Circuit: ${circuitText(view.state)}.`, tone: "warn" });
  expect(resultOf(view)).toMatchObject({
    progress: progressOf(view.state),
    calls: callsOf(view.state),
    circuit: circuitReport(view.state),
  });
});
