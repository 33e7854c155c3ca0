import type { Verdict } from "../verdict.ts";
import { failingSet, type FailingSet } from "./failing-set.ts";
import { failureSignature } from "./failure-signature.ts";

/** What a verdict says about the failures, small enough for the state however much failed. */
export interface Examined {
  readonly verdict: Verdict;
  /** null: nobody knows which tests fail */
  readonly failing: FailingSet | null;
  /** tells this failure apart from others (section 4.4); null: everything is green */
  readonly signature: string | null;
}

/** Of the names of failing tests a verdict keeps so many; the others are in the failing set. */
const KEPT_NAMES = 20;

/**
 * Looks at a verdict as the gate gave it.
 *
 * @param digest hex SHA-256 of a text
 * @param root absolute path of the workspace
 */
export function examined(verdict: Verdict, digest: (text: string) => string, root: string): Examined {
  const { checks } = verdict;
  const reports = checks.map(({ tests }) => tests);
  return {
    verdict: {
      ...verdict,
      checks: checks.map((check) => ({
        ...check,
        tests: check.tests && { ...check.tests, failing: check.tests.failing.slice(0, KEPT_NAMES) },
      })),
    },
    failing: failingSet(checks, reports, digest),
    signature: failureSignature(checks, reports, digest, root),
  };
}
