import { expect, test } from "vitest";
import { startCounters } from "../../../src/core/progress/counters.ts";
import { CLOSED } from "../../../src/core/state.ts";
import { circuitOf, type CircuitLimits } from "../../../src/core/progress/circuit.ts";

const LOOPR: CircuitLimits = { missingStatus: 2, noProgress: 3, sameError: 5, testLoops: 3, openMultiplier: 1 };
const RALPH: CircuitLimits = { ...LOOPR, openMultiplier: 2 };

interface Counts {
  readonly missing?: number;
  readonly no_progress?: number;
  readonly same_error?: number;
  readonly test_loops?: number;
}

const circuit = (limits: CircuitLimits, { missing = 0, ...counts }: Counts) =>
  circuitOf({ ...startCounters(null), ...counts }, { done: 0, missing }, limits);

test.each<[string, CircuitLimits, Counts, string, string | null]>([
  ["R-14: all is well", LOOPR, {}, "CLOSED", null],
  ["L-18: one iteration without progress", LOOPR, { no_progress: 1 }, "CLOSED", null],
  ["C6: one short of the threshold is a warning", LOOPR, { no_progress: 2 }, "HALF_OPEN", "no_progress"],
  ["L-18, L-24: no progress", LOOPR, { no_progress: 3 }, "OPEN", "no_progress"],
  ["L-19, L-24: the same error, one short", LOOPR, { same_error: 4 }, "HALF_OPEN", "same_error"],
  ["L-19, L-24: the same error", LOOPR, { same_error: 5 }, "OPEN", "same_error"],
  ["L-20, L-24: nothing but tests", LOOPR, { test_loops: 3 }, "OPEN", "test_loops"],
  ["L-21, L-24: no status", LOOPR, { missing: 2 }, "OPEN", "missing_status"],
  ["L-21: no status once", LOOPR, { missing: 1 }, "HALF_OPEN", "missing_status"],
  ["R-15: Ralph warns at three", RALPH, { no_progress: 3 }, "HALF_OPEN", "no_progress"],
  ["R-15: and not before", RALPH, { no_progress: 2 }, "CLOSED", null],
  ["R-16: and opens at twice that", RALPH, { no_progress: 6 }, "OPEN", "no_progress"],
  ["R-15: Ralph warns at five equal errors", RALPH, { same_error: 5 }, "HALF_OPEN", "same_error"],
  ["R-16: and opens at ten", RALPH, { same_error: 10 }, "OPEN", "same_error"],
  ["L-20: 0 turns a threshold off", { ...LOOPR, testLoops: 0 }, { test_loops: 99 }, "CLOSED", null],
  ["a threshold of one opens at once", { ...LOOPR, noProgress: 1 }, { no_progress: 1 }, "OPEN", "no_progress"],
  [
    "POST 11: the order of the triggers",
    LOOPR,
    { missing: 2, no_progress: 3, same_error: 5 },
    "OPEN",
    "missing_status",
  ],
  ["POST 11: what opens goes before what warns", LOOPR, { missing: 1, no_progress: 3 }, "OPEN", "no_progress"],
])("%s", (_title, limits, counts, state, trigger) => {
  expect(circuit(limits, counts)).toMatchObject({ state, trigger });
});

test("R-24: the circuit tells how many iterations it took", () => {
  expect(circuit(LOOPR, { no_progress: 3 }).count).toBe(3);
  expect(circuit(LOOPR, {})).toEqual(CLOSED);
});
