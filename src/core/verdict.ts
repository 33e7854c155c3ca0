import type { Problem } from "./errors.ts";
import type { TestReport } from "./progress/test-report.ts";

/** What one check found. */
export interface CheckResult {
  /** `success`: sufficient alone (S-18); `quality`: necessary, never sufficient (D-22) */
  readonly role: "success" | "quality";
  /** the command as a person would type it */
  readonly command: string;
  /** null when it was killed: by its own time-out or because the loop was cut */
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  readonly durationMs: number;
  /** the end of stdout and stderr in the order of arrival, at most 8 KiB, ANSI codes removed */
  readonly tail: string;
  /** what the test runners in its output say; null: nobody understands it, or it did not end by itself */
  readonly tests: TestReport | null;
}

/** Proof from outside the agent, or why there is none. */
export type Verdict =
  | { readonly result: "passed"; readonly checks: readonly CheckResult[] }
  | { readonly result: "failed"; readonly checks: readonly CheckResult[] }
  /** the loop was interrupted, or its time was up, before the checks had ended */
  | { readonly result: "cut_off"; readonly checks: readonly CheckResult[] }
  /** a check could not be started: an error, not a red verdict */
  | { readonly result: "unrunnable"; readonly checks: readonly CheckResult[]; readonly problem: Problem };

/** What is to be proved, and why now. */
export interface Evidence {
  readonly iteration: number;
  /** `first`: before any turn (PRE 6); `turn`: after each turn (POST 5); `claim`: the agent says it is done (POST 7) */
  readonly occasion: "first" | "turn" | "claim";
  /** checks still running then are cut off, in milliseconds since the epoch; null: no limit */
  readonly deadline: number | null;
}
