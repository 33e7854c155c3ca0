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
  ["all is well [R-14]", LOOPR, {}, "CLOSED", null],
  ["one iteration without progress [L-18]", LOOPR, { no_progress: 1 }, "CLOSED", null],
  ["one short of the threshold is a warning [C6]", LOOPR, { no_progress: 2 }, "HALF_OPEN", "no_progress"],
  ["no progress [L-18, L-24]", LOOPR, { no_progress: 3 }, "OPEN", "no_progress"],
  ["the same error, one short [L-19, L-24]", LOOPR, { same_error: 4 }, "HALF_OPEN", "same_error"],
  ["the same error [L-19, L-24]", LOOPR, { same_error: 5 }, "OPEN", "same_error"],
  ["nothing but tests [L-20, L-24]", LOOPR, { test_loops: 3 }, "OPEN", "test_loops"],
  ["no status [L-21, L-24]", LOOPR, { missing: 2 }, "OPEN", "missing_status"],
  ["no status once [L-21]", LOOPR, { missing: 1 }, "HALF_OPEN", "missing_status"],
  ["Ralph warns at three [R-15]", RALPH, { no_progress: 3 }, "HALF_OPEN", "no_progress"],
  ["and not before [R-15]", RALPH, { no_progress: 2 }, "CLOSED", null],
  ["and opens at twice that [R-16]", RALPH, { no_progress: 6 }, "OPEN", "no_progress"],
  ["Ralph warns at five equal errors [R-15]", RALPH, { same_error: 5 }, "HALF_OPEN", "same_error"],
  ["and opens at ten [R-16]", RALPH, { same_error: 10 }, "OPEN", "same_error"],
  ["0 turns a threshold off [L-20]", { ...LOOPR, testLoops: 0 }, { test_loops: 99 }, "CLOSED", null],
  ["a threshold of one opens at once", { ...LOOPR, noProgress: 1 }, { no_progress: 1 }, "OPEN", "no_progress"],
  [
    "the order of the triggers [POST 11]",
    LOOPR,
    { missing: 2, no_progress: 3, same_error: 5 },
    "OPEN",
    "missing_status",
  ],
  ["what opens goes before what warns [POST 11]", LOOPR, { missing: 1, no_progress: 3 }, "OPEN", "no_progress"],
])("%s", (_title, limits, counts, state, trigger) => {
  expect(circuit(limits, counts)).toMatchObject({ state, trigger });
});

test("the circuit tells how many iterations it took [R-24]", () => {
  expect(circuit(LOOPR, { no_progress: 3 }).count).toBe(3);
  expect(circuit(LOOPR, {})).toEqual(CLOSED);
});
