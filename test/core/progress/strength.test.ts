import { expect, test } from "vitest";
import { countProof, judged, countsToCompare, weaknessWords } from "../../../src/core/progress/strength.ts";
import { NOTHING_JUDGED } from "../../../src/core/verdict.ts";
import type { TestChanges } from "../../../src/core/progress/test-changes.ts";
import { readTestReport } from "../../../src/core/progress/test-report.ts";
import { aCheck, aState, aVerdict } from "../../support/builders.ts";

const counts = (ran: number, skipped = 0, exact = true) => ({ ran, skipped, exact });
const report = (ran: number, skipped = 0, exact = true) => ({
  ...{ runner: "vitest", ran, passed: ran, failed: 0, skipped, failing: [], exact, early: false },
});
const green = (...tests: readonly (ReturnType<typeof report> | null)[]) =>
  aVerdict(
    "passed",
    tests.map((each) => aCheck({ tests: each })),
  );

const NONE = { count: 0, paths: [] };
const UNCHANGED: TestChanges = {
  ...{ since: 2, deleted: NONE, emptied: NONE, skipped: { count: 0, skips: [] }, changed: NONE, scripts: NONE },
};
const ONE = { count: 1, paths: ["test/a.test.ts"] };
const SKIP = { count: 1, skips: [{ path: "test/a.test.ts", marker: "it.skip" }] };

test("what the commands of stories count says nothing of the tests that were there [C21, D-22]", () => {
  const before = aCheck({ role: "quality", tests: report(8) });
  const added = aCheck({ role: "story", story: "US-001", tests: report(5) });
  expect(judged(aVerdict("passed", [before, added]), counts(10), UNCHANGED).weaknesses).toMatchObject([
    { kind: "tests_deleted", fewer: 2 },
  ]);
  expect(judged(aVerdict("passed", [before, added]), counts(8), UNCHANGED).weaknesses).toEqual([]);
});

test.each<[string, Parameters<typeof judged>]>([
  ["nothing has changed", [green(report(10, 1)), counts(10, 1), UNCHANGED]],
  ["nobody knows anything", [green(null), null, null]],
  ["one check ran tests and another none", [green(report(0), report(3)), null, null]],
  ["nobody knows how many there were", [green(report(1, 9)), null, UNCHANGED]],
  ["there are more tests", [green(report(12, 1)), counts(10, 1), null]],
  ["tests run that were skipped", [green(report(11)), counts(10, 1), null]],
  ["fewer are counted, by another measure", [green(report(2, 5)), counts(10, 1, false), null]],
  ["fewer are counted by this measure", [green(report(2, 5, false)), counts(10, 1), null]],
  ["no test is known any more, by the same scripts", [green(null), counts(10), UNCHANGED]],
  ["tests were only changed", [green(null), null, { ...UNCHANGED, changed: ONE }]],
  [
    "what changed of its judges are lockfiles",
    [
      green(null),
      null,
      { ...UNCHANGED, scripts: { count: 3, paths: ["Cargo.lock", "a/yarn.lock", "package-lock.json"] } },
    ],
  ],
  [
    "it is red",
    [aVerdict("failed", [aCheck({ tests: report(0), exitCode: 1 })]), null, { ...UNCHANGED, deleted: ONE }],
  ],
])("a proof is strong when %s [C21]", (_title, proof) => {
  expect(judged(...proof).weaknesses).toEqual([]);
});

test.each<[string, Parameters<typeof judged>, object, string]>([
  ["no test ran", [green(report(0, 3), null), null, null], { kind: "no_tests_ran" }, "no test ran"],
  [
    "no test is known any more, by other scripts",
    [green(null), counts(10), { ...UNCHANGED, scripts: { count: 1, paths: ["check.sh"] } }],
    { kind: "tests_unseen", count: 1, paths: ["check.sh"] },
    "the checks tell of no test any more, and what runs them was changed: check.sh",
  ],
  [
    "a file of tests is gone",
    [green(null), null, { ...UNCHANGED, deleted: ONE }],
    { kind: "tests_deleted", fewer: 0, ...ONE },
    "1 test file was deleted: test/a.test.ts",
  ],
  [
    "there are fewer tests in the files",
    [green(report(7, 1)), counts(10, 1), UNCHANGED],
    { kind: "tests_deleted", fewer: 3, ...NONE },
    "3 tests fewer than when the loop began",
  ],
  [
    "both",
    [green(report(9, 1)), counts(10, 1), { ...UNCHANGED, deleted: { count: 3, paths: ["a", "b"] } }],
    { kind: "tests_deleted", fewer: 1, count: 3, paths: ["a", "b"] },
    "3 test files were deleted: a, b and 1 more; 1 test fewer than when the loop began",
  ],
  [
    "a file is all but empty",
    [green(null), null, { ...UNCHANGED, emptied: ONE }],
    { kind: "tests_emptied", ...ONE },
    "1 test file was emptied: test/a.test.ts",
  ],
  [
    "more are skipped",
    [green(report(8, 3)), counts(10, 1), null],
    { kind: "newly_skipped", count: 2, skips: [] },
    "2 tests or groups of tests are newly kept from running",
  ],
  [
    "a line says skip",
    [green(report(8, 3)), null, { ...UNCHANGED, skipped: SKIP }],
    { kind: "newly_skipped", ...SKIP },
    "1 test or group of tests is newly kept from running: test/a.test.ts (it.skip)",
  ],
  [
    "a helper of a check script was changed",
    [green(report(10)), counts(10), { ...UNCHANGED, scripts: { count: 1, paths: ["lib/check.sh"] } }],
    { kind: "scripts_changed", flagged: true, count: 1, paths: ["lib/check.sh"] },
    "what judges the work was changed: lib/check.sh",
  ],
  [
    "package scripts were, beside a lockfile",
    [green(null), null, { ...UNCHANGED, scripts: { count: 2, paths: ["package-lock.json", "package.json"] } }],
    { kind: "scripts_changed", flagged: true, count: 1, paths: ["package.json"] },
    "what judges the work was changed: package.json",
  ],
  [
    "a Makefile was, which is not put up with",
    [green(null), null, { ...UNCHANGED, scripts: { count: 30, paths: ["Makefile", "x.lock"] } }, "strict"],
    { kind: "scripts_changed", flagged: false, count: 29, paths: ["Makefile"] },
    "what judges the work was changed: Makefile and 28 more",
  ],
])("a proof is weak when %s, and says so [C21]", (_title, proof, weakness, words) => {
  const { weaknesses } = judged(...proof);
  expect(weaknesses).toEqual([weakness]);
  expect(weaknessWords(weaknesses)).toEqual([words]);
});

test("all weaknesses are told, and plain data [C21]", () => {
  const changes = { ...UNCHANGED, deleted: ONE, emptied: ONE, skipped: SKIP };
  const { weaknesses } = judged(green(report(0)), counts(5), changes);
  expect(weaknesses.map(({ kind }) => kind)).toEqual([
    ...["no_tests_ran", "tests_deleted", "tests_emptied", "newly_skipped"],
  ]);
  expect(JSON.parse(JSON.stringify(weaknesses))).toEqual(weaknesses);
});

test("what was changed of tests and check scripts is reported [C21]", () => {
  expect(judged(green(null), null, { ...UNCHANGED, scripts: ONE }).tampering).toEqual({
    ...{ since: 2, changed: NONE, scripts: ONE },
  });
  expect(judged(green(null), null, { ...UNCHANGED, changed: ONE }).tampering?.changed).toEqual(ONE);
  expect(judged(green(null), null, UNCHANGED).tampering).toBeNull();
});

test("what only runs behind a green success command is not compared with a beginning where that was red [C21]", () => {
  const both = (success: number) =>
    aVerdict("passed", [aCheck({ tests: report(success) }), aCheck({ role: "quality", tests: report(50) })]);
  expect(judged(both(7), counts(10), null).weaknesses).toEqual([{ kind: "tests_deleted", fewer: 3, ...NONE }]);
  expect(judged(both(10), counts(10), null).weaknesses).toEqual([]);
  const quality = aVerdict("passed", [aCheck({ role: "quality", tests: report(7) })]);
  expect(judged(quality, counts(10), null).weaknesses).toMatchObject([{ fewer: 3 }]);
});

test("the counts of several checks are added up, as far as anybody knows them [C21]", () => {
  const go = readTestReport("ok  \ta\t0.001s");
  const pytest = readTestReport("=== 2 passed, 1 skipped in 0.25s ===");
  const checks = (...reports: readonly (typeof go)[]) => reports.map((tests) => aCheck({ tests }));
  expect(countsToCompare(checks(null))).toBeNull();
  expect(countsToCompare(checks())).toBeNull();
  expect(countsToCompare(checks(pytest, null, pytest))).toEqual(counts(4, 2));
  expect(countsToCompare(checks(pytest, go))).toEqual(counts(3, 1, false));
});

test("only green verdicts of turns that are weak count; the first counts of tests stay [C21, POST 7a]", () => {
  const weak = { ...judged(green(report(0)), null, null), verdict: green(report(0)) };
  const strong = { ...judged(green(report(4)), null, null), verdict: green(report(4)) };
  const begun = aState({ phase: "ready" });
  const first = countProof(begun, weak);
  expect(first).toEqual({ ...NOTHING_JUDGED, began: "passed", weaknesses: weak.weaknesses, counts: counts(0) });
  const turn = aState({ phase: "unproved", strength: first, spent: { ...begun.spent, turns: 1 } });
  expect(countProof(turn, weak)).toMatchObject({ refused: 1, counts: counts(0) });
  const scripts = { ...UNCHANGED, scripts: { count: 1, paths: ["check.sh"] } };
  const changed = (setting?: "strict") => ({ ...judged(green(null), null, scripts, setting), verdict: green(null) });
  expect(countProof(turn, changed()).refused).toBe(0);
  expect(countProof(turn, changed("strict")).refused).toBe(1);
  expect(countProof(turn, strong)).toMatchObject({ refused: 0, weaknesses: [], counts: counts(0) });
});

test("what a green verdict could have come from is kept [C40]", () => {
  const bend = { kind: "rule_off", path: "a.ts", line: 1, was: null, now: "x" } as const;
  const bent = {
    ...judged(green(null), null, null),
    weaknesses: [{ kind: "judges_bent", count: 1, bends: [bend] }] as const,
  };
  const turn = aState({ phase: "unproved", iteration: 1 });
  expect(countProof(turn, { ...bent, verdict: green(null) }).bends).toEqual([bend]);
});
