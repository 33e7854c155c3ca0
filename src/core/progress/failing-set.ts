import type { CheckResult } from "../verdict.ts";
import type { TestReport } from "./test-report.ts";

/** The tests that fail, as the state keeps them: bounded, and still comparable (C23). */
export interface FailingSet {
  /** the first names, sorted; at most 200 */
  readonly failing: readonly string[];
  /** how many fail; more than names when a runner does not name them all */
  readonly failing_count: number;
  /** hex SHA-256 over all names */
  readonly failing_digest: string;
  /** whether more may fail: see `TestReport.early` */
  readonly early: boolean;
}

const KEPT_NAMES = 200;

/**
 * What fails in all checks together.
 *
 * @param reports what the runners in each check say; null for those that nobody understands
 * @param digest hex SHA-256 of a text
 * @returns null when nobody knows how many fail: no check has a report, or one that is red or was killed has none
 */
export function failingSet(
  checks: readonly CheckResult[],
  reports: readonly (TestReport | null)[],
  digest: (text: string) => string,
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
