import { countedWords, NO_TESTS, readCounts, type Runner, type RunnerReport, summaries } from "./runner.ts";

const NONE = "No tests executed!";
const GREEN = /^OK \((\d{1,9}) tests?, \d{1,9} assertions?\)$/u;
const SUMMARY = /^Tests: (\d{1,9}), Assertions: \d{1,9}((?:, [A-Za-z ]{1,40}: \d{1,9})*)\.$/u;
const HEADING = /^There (?:was|were) \d{1,9} (.+):$/u;
/** Without the values of a data set, which may be anything. */
const NUMBERED = /^\d{1,9}\) (\S+(?: with data set (?:#\d+|"[^"]*"))?)/u;

export const phpunit: Runner = {
  name: "phpunit",
  marks: [NONE, "OK (", ", Assertions: "],

  read({ lines }) {
    const counts = summaries(lines, (line) => {
      if (line === NONE) return NO_TESTS;
      const passed = line.startsWith("OK (") ? GREEN.exec(line)?.[1] : undefined;
      if (passed !== undefined) return { ...NO_TESTS, passed: Number(passed) };
      return line.startsWith("Tests: ") ? phpunitSummary(line) : undefined;
    });
    return counts && { ...counts, failing: phpunitFailing(lines) };
  },
};

/** Warnings, risky tests and deprecations are of tests that ran. */
function phpunitSummary(line: string): RunnerReport | undefined {
  const [, tests, list = ""] = SUMMARY.exec(line) ?? [];
  if (tests === undefined) return undefined;
  const amounts = new Map(
    list.split(", ").map((part) => [part.replace(/:.*$/u, ""), Number(part.replace(/^.*:/u, ""))]),
  );
  const sum = (...words: readonly string[]): number =>
    words.reduce((total, word) => total + (amounts.get(word) ?? 0), 0);
  const failed = sum("Errors", "Failures");
  const skipped = sum("Skipped", "Incomplete");
  return { ...NO_TESTS, passed: Math.max(0, Number(tests) - failed - skipped), failed, skipped };
}

/** The numbered lists of errors and failures; those of risky and skipped tests look the same. */
function phpunitFailing(lines: readonly string[]): readonly string[] {
  const failing: string[] = [];
  let counts = false;
  for (const line of lines) {
    const heading = line.startsWith("There w") ? HEADING.exec(line)?.[1] : undefined;
    if (heading !== undefined) counts = /^(?:error|failure)s?$/u.test(heading);
    const name = counts ? NUMBERED.exec(line)?.[1] : undefined;
    if (name !== undefined) failing.push(name);
  }
  return failing;
}

const PEST_SUMMARY = /^ {2}Tests: +(.+) \(\d{1,9} assertions?\)$/u;
const PEST_WORDS = countedWords({
  passed: "passed, risky, warnings, warning, deprecated, notices, notice",
  failed: "failed",
  skipped: "skipped, todo, todos, incomplete",
});
const PEST_NONE = /^ +INFO {2}No tests found\.$/u;

/** Pest, and `php artisan test`. */
export const pest: Runner = {
  name: "pest",
  marks: ["  Tests: ", "  No tests found."],

  read({ lines }) {
    const counts = summaries(lines, (line, at) => {
      if (PEST_NONE.test(line)) return NO_TESTS;
      const list = lines[at + 1]?.startsWith("  Duration: ") === true ? PEST_SUMMARY.exec(line)?.[1] : undefined;
      const found = list === undefined ? undefined : readCounts(list.split(", "), PEST_WORDS);
      return found && { ...NO_TESTS, passed: found.passed, failed: found.failed, skipped: found.skipped };
    });
    const failing = lines.flatMap((line) => /^ +FAILED {2}(\S.*? > .*)$/u.exec(line)?.[1] ?? []);
    return counts && { ...counts, failing: failing.map((name) => name.replace(/ {2,}\S+$/u, "")) };
  },
};
