import { expect, test } from "vitest";
import { failingSet, failureSignature } from "../../../src/core/progress/failures.ts";
import type { TestReport, CheckResult } from "../../../src/core/verdict.ts";
import { digest } from "../../support/builders.ts";

const RED: CheckResult = {
  role: "success",
  command: "npm test",
  exitCode: 1,
  timedOut: false,
  durationMs: 12,
  tail: "2 failed",
  tests: null,
};
const GREEN: CheckResult = { ...RED, exitCode: 0 };
const TIMED_OUT: CheckResult = { ...RED, exitCode: null, timedOut: true };
const KILLED: CheckResult = { ...RED, exitCode: null };

function report(failing: readonly string[], more: Partial<TestReport> = {}): TestReport {
  const failed = failing.length;
  return { runner: "vitest", ran: failed, passed: 0, failed, skipped: 0, failing, exact: true, early: false, ...more };
}

function withReports(checks: readonly CheckResult[], reports: readonly (TestReport | null)[]): readonly CheckResult[] {
  return checks.map((check, at) => ({ ...check, tests: reports[at] ?? null }));
}

function signature(checks: readonly CheckResult[], reports: readonly (TestReport | null)[] = []) {
  return failureSignature(withReports(checks, reports), digest, "");
}

function failing(checks: readonly CheckResult[], reports: readonly (TestReport | null)[]) {
  return failingSet(withReports(checks, reports), digest);
}

const AB = report(["a", "b"]);

test("4.4: what is green has no signature", () => {
  expect(signature([])).toBeNull();
  expect(signature([GREEN, GREEN], [AB, null])).toBeNull();
});

type Seen = readonly [checks: readonly CheckResult[], reports?: readonly (TestReport | null)[]];

test.each<[string, Seen, Seen]>([
  ["the same tests, whatever they say", [[RED], [AB]], [[{ ...RED, tail: "else", exitCode: 2 }], [report(["a", "b"])]]],
  ["the same error, some time later", [[RED], [null]], [[{ ...RED, durationMs: 5, tail: " 2  failed\n" }]]],
  ["a report without names", [[RED], [report([], { failed: 2 })]], [[RED]]],
  ["time was up, wherever it was", [[TIMED_OUT], [AB]], [[{ ...TIMED_OUT, tail: "else" }]]],
  ["green checks besides", [[RED, GREEN], [AB]], [[RED], [AB]]],
  [
    "a file that could not be run, for the same reason",
    [[RED], [report(["f"], { early: true })]],
    [[RED], [report(["f"], { early: true })]],
  ],
])("4.4: the same failure: %s", (_title, one, other) => {
  expect(signature(...one)).toBe(signature(...other));
  expect(signature(...one)).not.toBeNull();
});

test.each<[string, Seen, Seen]>([
  ["other tests", [[RED], [AB]], [[RED], [report(["a"])]]],
  ["another error", [[RED]], [[{ ...RED, tail: "3 failed" }]]],
  ["another exit code", [[RED]], [[{ ...RED, exitCode: 139 }]]],
  ["another check", [[RED]], [[{ ...RED, command: "npm run lint" }]]],
  ["one check more", [[RED]], [[RED, { ...RED, role: "quality" }]]],
  ["time was up", [[RED]], [[TIMED_OUT]]],
  ["killed", [[RED]], [[KILLED]]],
  [
    "a file that could not be run, for another reason",
    [[RED], [report(["f"], { early: true })]],
    [[{ ...RED, tail: "else" }], [report(["f"], { early: true })]],
  ],
])("4.4: another failure: %s", (_title, one, other) => {
  expect(signature(...one)).not.toBe(signature(...other));
});

test("the failing tests of all checks, bounded and comparable [C23]", () => {
  const names = Array.from({ length: 300 }, (_, at) => `test ${at}`).toSorted();
  const set = failing([RED, RED, GREEN], [report(names.slice(0, 200)), report(names.slice(100)), null]);
  expect(set).toMatchObject({ failing: names.slice(0, 200), failing_count: 400, early: false });
  expect(set?.failing_digest).toBe(failing([RED], [report(names)])?.failing_digest);
  expect(set?.failing_digest).not.toBe(failing([RED], [report(names.slice(0, 299))])?.failing_digest);
});

test.each<[string, Seen, { failing_count: number; early: boolean } | null]>([
  ["of a green check none", [[GREEN], [report([])]], { failing_count: 0, early: false }],
  ["names that are missing count", [[RED], [report(["a"], { failed: 5 })]], { failing_count: 5, early: false }],
  [
    "of a run that stopped early perhaps more",
    [[RED], [report(["a"], { early: true })]],
    { failing_count: 1, early: true },
  ],
  [
    "of a red check that nobody understands nobody knows",
    [
      [RED, GREEN],
      [null, AB],
    ],
    null,
  ],
  ["of a check that was killed nobody knows", [[KILLED], [AB]], null],
  ["of checks that are no tests nobody knows", [[GREEN]], null],
])("how many fail: %s [C23]", (_title, [checks, reports = []], expected) => {
  const set = failing(checks, reports);
  expect(set && { failing_count: set.failing_count, early: set.early }).toEqual(expected);
});
