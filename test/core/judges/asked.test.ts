import { describe, expect, test } from "vitest";
import { growsLinearly } from "../../support/growth.ts";
import { askedIn, isAsked } from "../../../src/core/judges/asked.ts";
import type { Bend, BendKind, TextChange } from "../../../src/core/judges/bend.ts";

const aBend = (kind: BendKind, more: Partial<Bend> = {}): Bend => ({
  ...{ kind, path: "test/work.test.ts", line: 3, was: null, now: null },
  ...more,
});

const asks = (task: string, found: Bend, changes: readonly TextChange[] = []): boolean =>
  isAsked(askedIn(task), found, changes);

describe("a task asks for", () => {
  test.each<[string, BendKind]>([
    ["Update the tests to the new interface.", "expectation_replaced"],
    ["Rename the option, and adapt its tests.", "expectation_replaced"],
    ["Rewrite the specs in a simpler way", "fewer_assertions"],
    ["Please regenerate all snapshots", "snapshot_replaced"],
    ["The snapshots need to be regenerated.", "snapshot_replaced"],
    ["The golden files should be updated.", "snapshot_replaced"],
    ["Correct the expected values", "expectation_replaced"],
    ["Remove the tests of the old parser", "tests_removed"],
    ["Skip the slow tests for now", "tests_excluded"],
    ["Quarantine the integration tests", "tests_excluded"],
    ["Raise the timeout of the suite", "timeout_raised"],
    ["Relax the tolerance", "tolerance_widened"],
    ["Lower the coverage threshold to 70", "threshold_lowered"],
    ["Disable the lint rule no-console", "rule_off"],
    ["Turn off the lint rule no-console", "rule_off"],
    ["Switch the lint rule no-console off", "rule_off"],
    ["Suppress the mypy warnings in legacy code", "rule_off_inline"],
    ["Mock the network in the tests", "unit_stubbed"],
    ["Ignore errors of the cleanup", "errors_swallowed"],
    ["Make the lint job non-blocking in CI", "cannot_fail"],
    ["Migrate the test suite from jest to vitest", "tests_removed"],
    ["Switch to pytest as the runner", "tests_removed"],
    ["Run the recipe fix-flakes", "timeout_raised"],
    ["Find out why the suite is flaky", "tolerance_widened"],
  ])("%s [C42]", (task, kind) => {
    expect(asks(task, aBend(kind))).toBe(true);
  });

  test.each<[string, BendKind]>([
    ["Fix the failing tests.", "expectation_replaced"],
    ["Make the tests pass", "expectation_replaced"],
    ["Update the parser so that the tests pass", "expectation_replaced"],
    ["Change the code, not the tests", "expectation_replaced"],
    ["Refactor the parser and make all tests green", "expectation_replaced"],
    ["Do not change the tests", "expectation_replaced"],
    ["Don't update the snapshots", "snapshot_replaced"],
    ["The tests were updated yesterday; mend the code", "expectation_replaced"],
    ["The tests must not be changed", "expectation_replaced"],
    ["Fix the code without removing tests", "tests_removed"],
    ["Restore the tests that were removed", "tests_removed"],
    ["Update the test database", "expectation_replaced"],
    ["Move the parser into a module of its own", "tests_removed"],
    ["Add tests for the parser", "expectation_replaced"],
    ["Tests have to pass", "expectation_replaced"],
    ["Tests must", "expectation_replaced"],
    ["Report the error", "errors_swallowed"],
    ["Turn the offline mode of the linter on", "rule_off"],
    ["Write a script", "cannot_fail"],
    ["", "threshold_lowered"],
  ])("nothing of that kind with “%s” [C42]", (task, kind) => {
    expect(asks(task, aBend(kind))).toBe(false);
  });
});

describe("what a task brings along", () => {
  const gone: TextChange = { path: "src/parser.ts", before: "export const parse = 1;\n", after: null };
  const itsTests: TextChange = { path: "test/syntax.test.ts", before: 'import "../src/parser";\n', after: null };

  test.each<[string, string, Bend, readonly TextChange[], boolean]>([
    ["its own tests", "Remove the unused parser", aBend("tests_removed", { path: "test/parser.test.ts" }), [], true],
    ["a test that names it", "Delete `exportAll`", aBend("tests_removed", { was: "it('exportAll works')" }), [], true],
    [
      "tests that take the removed unit in",
      "Drop the parser module",
      aBend("tests_removed", { path: "test/syntax.test.ts" }),
      [gone, itsTests],
      true,
    ],
    [
      "no tests of what a sentence names as its reason",
      "Remove the banner because the parser is slow",
      aBend("tests_removed", { path: "test/parser.test.ts" }),
      [],
      false,
    ],
    [
      "no tests of something else",
      "Remove the parser",
      aBend("tests_removed", { path: "test/lexer.test.ts" }),
      [gone],
      false,
    ],
    [
      "no tests where nothing is to go",
      "Mend the parser",
      aBend("tests_removed", { path: "test/parser.test.ts" }),
      [gone],
      false,
    ],
    [
      "no tests where it has to stay",
      "Do not remove the parser",
      aBend("tests_removed", { path: "test/parser.test.ts" }),
      [],
      false,
    ],
    [
      "no tests of a unit that was removed unasked",
      "Remove the banner from the page",
      aBend("fewer_assertions", { path: "test/syntax.test.ts" }),
      [gone, itsTests],
      false,
    ],
  ])("dead code takes along %s [C42]", (_what, task, found, changes, isAskedFor) => {
    expect(asks(task, found, changes)).toBe(isAskedFor);
  });

  test.each<[string, string, string | null, boolean]>([
    ["that it names", "Support Windows as well", 'it.skipIf(process.platform === "win32")("links")', true],
    ["without naming one", "Support more machines", 'it.skipIf(process.platform === "win32")("links")', false],
    ["in a test that does not", "Support Windows as well", 'it.skip("links")', false],
    ["nobody knows how", "Support Windows as well", null, false],
  ])("a test is kept from a platform %s [C42]", (_what, task, now, isAskedFor) => {
    expect(asks(task, aBend("tests_excluded", { now }))).toBe(isAskedFor);
  });

  test.each<[string, string, string | null, string | null, boolean]>([
    ["a number that stands there", "The answer is 42, not 41.", "expect(a).toBe(41)", "expect(a).toBe(42)", true],
    ["a text that stands there", "It says 'hello you' from now on", 'eq("hello")', 'eq("hello you")', true],
    ["a number that does not", "The answer is 42.", "expect(a).toBe(41)", "expect(a).toBe(43)", false],
    ["part of a number", "There are 420 of them.", "expect(a).toBe(41)", "expect(a).toBe(42)", false],
    ["a text that does not", "It says hello", 'eq("hello")', 'eq("bye")', false],
    ["too short a text", "It says a", 'eq("b")', 'eq("a")', false],
    ["a word that is no value", "It is true", "expect(a).toBe(b)", "expect(a).toBe(c)", false],
    ["nothing", "It is 42", "expect(a).toBe(41)", null, false],
    ["something in place of nothing", "It is 42", null, "expect(a).toBe(42)", true],
  ])("the new value is %s [C42]", (_what, task, was, now, isAskedFor) => {
    expect(asks(task, aBend("expectation_replaced", { was, now }))).toBe(isAskedFor);
  });

  test.each<BendKind>(["rule_off", "rule_off_inline", "cannot_fail", "snapshot_replaced", "errors_swallowed"])(
    "%s never follows from a value or a removal [C42]",
    (kind) => {
      expect(asks("Remove the parser; the answer is 42 on Windows.", aBend(kind, { now: "parser 42 win32" }))).toBe(
        false,
      );
    },
  );
});

test("a long task takes no long time, and only its beginning counts [C42]", () => {
  const long = `${"update ".repeat(40_000)}Update the tests.`;
  expect(asks(long, aBend("expectation_replaced"))).toBe(false);
  for (const part of ["update ", "'", "a-"])
    expect(growsLinearly((size) => void askedIn(part.repeat(size)), 200_000)).toBe(true);
});
