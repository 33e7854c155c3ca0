import type { Verdict, CheckResult, FailingSet } from "../verdict.ts";
import { errorTail } from "./error-tail.ts";
import type { Digest } from "../schema.ts";
import { seenOnOneLine } from "../text.ts";

/** What a verdict says about the failures, small enough for the state however much failed. */
export interface Examined {
  readonly verdict: Verdict;
  /** null: it is not known which tests fail */
  readonly failing: FailingSet | null;
  /** tells this failure apart from others (section 4.4); null: everything is green */
  readonly signature: string | null;
}

/** A verdict keeps at most this many names of failing tests of each check; the others are in the failing set. */
const NAMES_IN_VERDICT = 20;

/** Looks at a verdict as the gate gave it. @param root absolute path of the workspace */
export function examined(verdict: Verdict, digest: Digest, root: string): Examined {
  const { checks } = verdict;
  const kept = checks.map((check) => ({
    ...check,
    tests: check.tests && { ...check.tests, failing: check.tests.failing.slice(0, NAMES_IN_VERDICT) },
  }));
  return {
    verdict: { ...verdict, checks: kept },
    failing: failingSet(checks, digest),
    signature: failureSignature(checks, digest, root),
  };
}

const NAMED = 5;
const LINE_LENGTH = 200;

/** Which tests of a check failed, on one line; "" when that is not known. Words of others. */
export function failedTests({ tests }: Pick<CheckResult, "tests">): string {
  if (tests === null || tests.failed === 0) return "";
  const { failed, failing } = tests;
  const names = failing.slice(0, NAMED).map((name) => seenOnOneLine(name, LINE_LENGTH));
  const rest = failed - names.length;
  const named = names.length === 0 ? "" : `: ${names.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
  return `${failed} ${failed === 1 ? "test" : "tests"} failed${named}`;
}

/** Why a check is red, in a line of its own; "" when it says nothing. Words of others. */
export function whyRed(check: CheckResult): string {
  const last = check.tail.split("\n").findLast((line) => line.trim() !== "") ?? "";
  return failedTests(check) || seenOnOneLine(last, LINE_LENGTH);
}

/** Whether nothing fails but what failed before the loop began. */
export function isAllOfBefore(failing: FailingSet | null, baseline: FailingSet | null): boolean {
  if (failing === null || baseline === null || failing.failing_count > failing.failing.length) return false;
  const before = new Set(baseline.failing);
  return failing.failing_count > 0 && failing.failing.every((name) => before.has(name));
}

const KEPT_NAMES = 200;

/**
 * What fails in all checks together.
 *
 * @returns null when it is not known how many fail: no check has a report, or a red or killed one has none
 */
export function failingSet(checks: readonly CheckResult[], digest: Digest): FailingSet | null {
  const reportOf = ({ exitCode, tests }: CheckResult) => (exitCode === null ? null : tests);
  const found = checks.map(reportOf).filter((report) => report !== null);
  const unknown = checks.some((check) => check.exitCode !== 0 && reportOf(check) === null);
  if (unknown || found.length === 0) return null;
  const names = [...new Set(found.flatMap((report) => report.failing))].toSorted();
  const failed = found.reduce((sum, report) => sum + report.failed, 0);
  return {
    failing: names.slice(0, KEPT_NAMES),
    failing_count: Math.max(failed, names.length),
    failing_digest: digest(JSON.stringify(names)),
    early: found.some((report) => report.early),
  };
}

/**
 * Tells failures apart (section 4.4): the same failure has the same signature in every run and on every machine. It is
 * over the names of the tests that fail. If no runner names any, or some could not be run, so that names do not tell
 * the reason, it is over the end of the check's output.
 *
 * @param root absolute path of the workspace; "" when it is not known
 * @returns null when every check is green
 */
export function failureSignature(checks: readonly CheckResult[], digest: Digest, root: string): string | null {
  const red = checks.filter(({ exitCode }) => exitCode !== 0);
  const failures = red.map((check) => [check.command, ...failureOf(check, root)]);
  return failures.length === 0 ? null : digest(JSON.stringify(failures));
}

function failureOf({ timedOut, tests, exitCode, tail }: CheckResult, root: string): readonly string[] {
  // Where it was when its time was up is chance.
  if (timedOut) return ["timed out"];
  const failing = tests?.failing ?? [];
  if (failing.length > 0 && tests?.early === false) return failing;
  return [...failing, `exit code ${exitCode}`, errorTail(tail, root)];
}
