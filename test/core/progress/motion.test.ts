import { expect, test } from "vitest";
import { circuitCounts } from "../../../src/core/progress/circuit.ts";
import { startCounters } from "../../../src/core/progress/counters.ts";
import { areNew, countDenied, countRecurring, withFigures } from "../../../src/core/progress/motion.ts";
import { NO_SIGNALS } from "../../../src/core/state.ts";

const START: ReturnType<typeof countRecurring> = { failures_seen: [], recurring: 0 };

/** One letter an iteration: how it failed, `.` for unknown, `+` for one that got further, `G` for green. */
function recurring(iterations: string): number {
  return Array.from(iterations).reduce<ReturnType<typeof countRecurring>>(
    (before, one) =>
      countRecurring(before, ".+G".includes(one) ? null : one, { further: one === "+", green: one === "G" }),
    START,
  ).recurring;
}

test.each<[string, string, number]>([
  ["the first time", "a", 0],
  ["the same again, which same error counts", "aaaa", 0],
  ["another one each time", "abcdef", 0],
  ["two by turns [C33]", "abababa", 5],
  ["three by turns [C33]", "abcabcab", 5],
  ["one that comes back now and then [C33]", "abacadae", 3],
  ["what nobody knows is no answer", "ab.a.b", 2],
  ["getting further starts over", "abab+ab", 0],
  ["green starts over", "ababGab", 0],
])("failures that come back: %s", (_title, iterations, count) => {
  expect(recurring(iterations)).toBe(count);
});

test.each([
  ["others by turns count", true, 3],
  ["the same ones do not", false, 0],
])("as many failing tests each time: %s [C33]", (_title, others, count) => {
  const now = { further: false, green: false, others };
  const counted = [1, 2, 3, 4].reduce((before) => countRecurring(before, "1 failing", now), START);
  expect(counted.recurring).toBe(count);
});

test("at most 50 failures are kept, those that were seen last [C33]", () => {
  const many = Array.from({ length: 60 }, (_, at) => `f${at}`);
  const quiet = { further: false, green: false };
  const counted = many.reduce((before, one) => countRecurring(before, one, quiet), START);
  expect(counted.failures_seen).toEqual(many.slice(-50));
});

test("a failure that comes back counts as the same error [C33]", () => {
  const counters = { ...startCounters("a"), same_error: 1, recurring: 4, no_progress: 2, test_loops: 3 };
  expect(circuitCounts(counters, NO_SIGNALS)).toEqual({
    missing_status: 0,
    no_progress: 2,
    same_error: 4,
    test_loops: 3,
  });
});

test.each<[string, readonly [readonly string[], boolean][], number]>([
  ["once", [[["a"], false]], 0],
  [
    "twice running [C32]",
    [
      [["a"], false],
      [["b", "a"], false],
    ],
    1,
  ],
  [
    "three times",
    [
      [["a"], false],
      [["a"], false],
      [["a"], false],
    ],
    2,
  ],
  [
    "something else",
    [
      [["a"], false],
      [["b"], false],
    ],
    0,
  ],
  [
    "with a turn between",
    [
      [["a"], false],
      [[], false],
      [["a"], false],
    ],
    0,
  ],
  [
    "while the checks advance [C32]",
    [
      [["a"], false],
      [["a"], true],
    ],
    0,
  ],
])("the same is denied: %s", (_title, denials, count) => {
  const counted = denials.reduce<ReturnType<typeof countDenied>>(
    (before, [now, advanced]) => countDenied(before, now, advanced),
    { denied: [], denied_again: 0 },
  );
  expect(counted.denied_again).toBe(count);
});

test("figures are new that the loop has not had; the first are where it begins [C31]", () => {
  expect([areNew([], "a"), areNew(["a"], "b"), areNew(["a", "b"], "a"), areNew(["a"], null)]).toEqual([
    false,
    true,
    false,
    false,
  ]);
  expect(withFigures(["a", "b"], "a")).toEqual(["b", "a"]);
  expect(withFigures(["a"], null)).toEqual(["a"]);
  const many = Array.from({ length: 150 }, (_, at) => `f${at}`);
  expect(many.reduce<readonly string[]>(withFigures, [])).toEqual(many.slice(-100));
});
