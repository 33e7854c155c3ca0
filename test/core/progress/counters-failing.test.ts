import { expect, test } from "vitest";
import { countFailures, type FailingHistory, hasShrunk, NO_HISTORY } from "../../../src/core/progress/counters.ts";

/** Failing tests by letters; `?` stands for a run that says nothing of them. */
const now = (letters: string) =>
  letters === "?" ? { failures: null, failing: null } : { failures: letters.length, failing: Array.from(letters) };

/** For each run whether the failures have shrunk with it, as `+` or `-`. */
function shrinking(...runs: readonly string[]): string {
  let history: FailingHistory = NO_HISTORY;
  return runs
    .map((run) => {
      const shrunk = hasShrunk(history, now(run));
      history = countFailures(history, now(run));
      return shrunk ? "+" : "-";
    })
    .join("");
}

test.each<[string, readonly string[], string]>([
  ["known for the first time", ["abc"], "-"],
  ["fewer than ever", ["abc", "ab", ""], "-++"],
  ["moved around: what broke later counts once when it is mended", ["ab", "cd", "ab", "cd", "ab"], "--+--"],
  ["grown and shrunk again", ["ab", "abc", "ab", "abc", "ab"], "--+--"],
  ["a test that failed when they were fewest turns green while another one breaks", ["ab", "bc", "cd"], "---"],
  ["a new test turns green, as many as ever being left", ["ab", "abn", "ab"], "--+"],
  ["each new test once", ["a", "an", "a", "am", "a", "an", "a"], "--+-+--"],
  ["nothing is known in between", ["ab", "?", "a"], "--+"],
  ["a new test that nobody looked at in between", ["a", "an", "?", "a"], "---+"],
])("the failures shrink: %s [C23]", (_title, runs, shrunk) => {
  expect(shrinking(...runs)).toBe(shrunk);
});

test("a number without all names counts by the number alone [C23]", () => {
  const history = countFailures(countFailures(NO_HISTORY, now("abc")), { failures: 300, failing: null });
  expect(history).toEqual({ fewest_failures: 3, last_failing: ["a", "b", "c"], settled_tests: ["a", "b", "c"] });
  expect(hasShrunk(history, { failures: 2, failing: null })).toBe(true);
});

test("when too many tests have broken and turned green, none is news any more [C23]", () => {
  const names = (count: number) => Array.from({ length: count }, (_, index) => `test ${index}`);
  const settled = countFailures(NO_HISTORY, { failures: 500, failing: names(500) });
  expect(settled.settled_tests).toHaveLength(400);
  const broken = countFailures(settled, { failures: 501, failing: [...names(500), "new"] });
  expect(hasShrunk(broken, { failures: 500, failing: names(500) })).toBe(false);
});
