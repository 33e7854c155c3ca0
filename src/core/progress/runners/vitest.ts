import { type Counted, NO_TESTS, readCounts, type Runner, type RunnerReport, summed } from "./runner.ts";

const WORDS: Readonly<Record<string, Counted>> = {
  passed: "passed",
  failed: "failed",
  skipped: "skipped",
  todo: "skipped",
  "expected fail": "skipped",
};

const NO_FILES = /^No test files found, exiting with code [01]$/u;
const FAILED = /^ FAIL {2}(.+)$/u;
/** A test file that could not be run: `test/a.test.ts [ test/a.test.ts ]`. */
const BROKEN_FILE = / \[ .+ \]$/u;

/**
 * vitest with every reporter that ends in its summary. The names of what failed go to stderr and the summary to stdout:
 * either may come first.
 */
export const vitest: Runner = {
  name: "vitest",
  marks: [" Test Files  ", "No test files found, exiting"],

  read({ lines }) {
    const counts = summed(
      lines.flatMap((line, at) => {
        if (NO_FILES.test(line)) return [NO_TESTS];
        return line.startsWith(" Test Files  ") ? (summaryAt(lines, at) ?? []) : [];
      }),
    );
    if (counts === null) return null;
    const failing = lines.flatMap((line) => FAILED.exec(line)?.[1] ?? []);
    const broken = new Set(failing.filter((name) => BROKEN_FILE.test(name)));
    return {
      ...counts,
      failed: counts.failed + broken.size,
      failing: failing.map(plainName),
      early: counts.early || broken.size > 0,
    };
  },
};

function summaryAt(lines: readonly string[], at: number): RunnerReport | undefined {
  const [, list, sum] = /^ {6}Tests {2}(.+?)(?: \((\d{1,9})\))?$/u.exec(lines[at + 1] ?? "") ?? [];
  // `Type Errors` and `Errors` may stand between.
  if (list === undefined || !lines.slice(at + 2, at + 5).some((line) => line.startsWith("   Start at  ")))
    return undefined;
  if (list === "no tests") return NO_TESTS;
  const counts = readCounts(list.split(" | "), WORDS);
  if (counts === undefined) return undefined;
  const { passed, failed, skipped } = counts;
  const left = Number(sum ?? -1) - passed - failed - skipped;
  // With `--bail` there are tests that never came to run.
  if (left < 0 || (left > 0 && failed === 0)) return undefined;
  return { passed, failed, skipped, failing: [], exact: true, early: left > 0 };
}

/** With colours, a project's name stands between blanks, otherwise between bars. */
function plainName(name: string): string {
  return name.replace(BROKEN_FILE, "").replace(/^\|([^|]+)\|/u, "$1");
}
