import { z } from "zod";
import type { Stored } from "../schema.ts";

/** A text file that differs from when the loop began. What it says is untrusted. */
export interface TextChange {
  /** where it is now, else where it was; relative to the workspace, with slashes */
  readonly path: string;
  /** where it was, when it was moved; absent: in the same place, or nowhere */
  readonly from?: string;
  /** as it was; null: it is new */
  readonly before: string | null;
  /** as it is; null: it is gone */
  readonly after: string | null;
}

/**
 * A way to make a check green without the work.
 *
 * - `tests_removed`, `tests_excluded`: tests are gone from a file, or kept out by configuration, tags or paths
 * - `expectation_replaced`, `matcher_loosened`, `fewer_assertions`, `tolerance_widened`, `timeout_raised`: a test asks for less,
 *   or for something else
 * - `snapshot_replaced`: what a test compares with was replaced
 * - `unit_stubbed`: a test replaces what it is there to test
 * - `errors_swallowed`: what went wrong is no longer told where it went wrong
 * - `threshold_lowered`: coverage, warnings, mutation score
 * - `rule_off`, `rule_off_inline`: a rule of a linter or of types, in configuration or beside the code
 * - `cannot_fail`: what runs the check hides its exit code
 */
const bendKind = z.enum([
  "tests_removed",
  "tests_excluded",
  "expectation_replaced",
  "matcher_loosened",
  "fewer_assertions",
  "tolerance_widened",
  "timeout_raised",
  "snapshot_replaced",
  "unit_stubbed",
  "errors_swallowed",
  "threshold_lowered",
  "rule_off",
  "rule_off_inline",
  "cannot_fail",
]);
export type BendKind = Stored<typeof bendKind>;

/** One place at which what judges the work was bent. */
export const bend = z.looseObject({
  kind: bendKind,
  path: z.string(),
  /** in the file as it is now, else as it was, from 1; null: the whole file */
  line: z.int().positive().nullable(),
  /** the line before and after, at most 160 UTF-16 units each, on one line; null: there is none */
  was: z.string().nullable(),
  now: z.string().nullable(),
});
export type Bend = Stored<typeof bend>;

/** What a bend amounts to, as part of a sentence. */
export const BENT: Readonly<Record<BendKind, string>> = {
  tests_removed: "tests are gone",
  tests_excluded: "tests are kept from running",
  expectation_replaced: "a test expects something else",
  matcher_loosened: "a test compares less strictly",
  fewer_assertions: "a test asks for less",
  tolerance_widened: "a tolerance is wider",
  timeout_raised: "a time-out is longer",
  snapshot_replaced: "what tests compare with was replaced",
  unit_stubbed: "a test replaces what it is there to test",
  errors_swallowed: "an error is no longer told",
  threshold_lowered: "a threshold is lower",
  rule_off: "a rule is off",
  rule_off_inline: "a rule is off beside the code",
  cannot_fail: "a failure of the check is hidden",
};

/** A bend for people and prompts: `test/a.test.ts:12: a test asks for less (was: …; now: …)`. What it quotes is untrusted. */
export function bendWords({ kind, path, line, was, now }: Bend): string {
  const quoted = [
    ...(was === null || was === "" ? [] : [`was: ${was}`]),
    ...(now === null || now === "" ? [] : [`now: ${now}`]),
  ];
  return `${path}${line === null ? "" : `:${line}`}: ${BENT[kind]}${quoted.length === 0 ? "" : ` (${quoted.join("; ")})`}`;
}
