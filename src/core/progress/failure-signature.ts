import type { CheckResult } from "../verdict.ts";
import { errorTail } from "./error-tail.ts";
import type { TestReport } from "./test-report.ts";

/**
 * Tells failures apart (section 4.4): the same failure has the same signature in every run and on every machine.
 *
 * It is over the names of the tests that fail. Where no runner names any, or some could not be run, whose names say
 * nothing of the reason, it is over what the check said last.
 *
 * @param reports what the runners in each check say; null for those that nobody understands
 * @param digest hex SHA-256 of a text
 * @param root absolute path of the workspace; "" when it is not known
 * @returns null when every check is green
 */
export function failureSignature(
  checks: readonly CheckResult[],
  reports: readonly (TestReport | null)[],
  digest: (text: string) => string,
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
