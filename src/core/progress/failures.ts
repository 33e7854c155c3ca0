import type { Verdict, CheckResult, TestReport, FailingSet } from "../verdict.ts";
import { errorTail } from "./error-tail.ts";
import type { Digest } from "../schema.ts";

/** What a verdict says about the failures, small enough for the state however much failed. */
export interface Examined {
  readonly verdict: Verdict;
  /** null: nobody knows which tests fail */
  readonly failing: FailingSet | null;
  /** tells this failure apart from others (section 4.4); null: everything is green */
  readonly signature: string | null;
}

/** Of the names of failing tests a verdict keeps so many; the others are in the failing set. */
const NAMES_IN_VERDICT = 20;

/**
 * Looks at a verdict as the gate gave it.
 *
 * @param root absolute path of the workspace
 */
export function examined(verdict: Verdict, digest: Digest, root: string): Examined {
  const { checks } = verdict;
  const reports = checks.map(({ tests }) => tests);
  return {
    verdict: {
      ...verdict,
      checks: checks.map((check) => ({
        ...check,
        tests: check.tests && { ...check.tests, failing: check.tests.failing.slice(0, NAMES_IN_VERDICT) },
      })),
    },
    failing: failingSet(checks, reports, digest),
    signature: failureSignature(checks, reports, digest, root),
  };
}

const KEPT_NAMES = 200;

/**
 * What fails in all checks together.
 *
 * @param reports what the runners in each check say; null for those that nobody understands
 * @returns null when nobody knows how many fail: no check has a report, or one that is red or was killed has none
 */
export function failingSet(
  checks: readonly CheckResult[],
  reports: readonly (TestReport | null)[],
  digest: Digest,
): FailingSet | null {
  const known = checks.map((check, index) => (check.exitCode === null ? null : (reports[index] ?? null)));
  const unknown = checks.some((check, index) => check.exitCode !== 0 && known[index] === null);
  const found = known.filter((report) => report !== null);
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
 * Tells failures apart (section 4.4): the same failure has the same signature in every run and on every machine.
 *
 * It is over the names of the tests that fail. Where no runner names any, or some could not be run, whose names say
 * nothing of the reason, it is over what the check said last.
 *
 * @param reports what the runners in each check say; null for those that nobody understands
 * @param root absolute path of the workspace; "" when it is not known
 * @returns null when every check is green
 */
export function failureSignature(
  checks: readonly CheckResult[],
  reports: readonly (TestReport | null)[],
  digest: Digest,
  root = "",
): string | null {
  const failures = checks.flatMap((check, index) =>
    check.exitCode === 0 ? [] : [[check.command, ...failureOf(check, reports[index] ?? null, root)]],
  );
  return failures.length === 0 ? null : digest(JSON.stringify(failures));
}

function failureOf(check: CheckResult, report: TestReport | null, root: string): readonly string[] {
  // Where it was when its time was up is chance.
  if (check.timedOut) return ["timed out"];
  const failing = report?.failing ?? [];
  if (failing.length > 0 && report?.early === false) return failing;
  return [...failing, `exit code ${check.exitCode}`, errorTail(check.tail, root)];
}
