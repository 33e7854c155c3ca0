import { countedWords, NO_TESTS, readCounts, type Runner, type RunnerReport, summaries, summed } from "./runner.ts";

const RUNNING = /^running (\d{1,9}) tests?$/u;
const RESULT =
  /^test result: (?:ok|FAILED)\. (\d{1,9}) passed; (\d{1,9}) failed; (\d{1,9}) ignored; (\d{1,9}) measured; (\d{1,9}) filtered out(?:;|$)/u;

/** Only with `--no-fail-fast`; otherwise the first binary that fails is the last to run. */
const ALL_TARGETS = /^error: \d+ targets? failed:$/u;

interface Binary {
  readonly announced: number;
  failing: string[];
}

/**
 * cargo test. Which binary a test is in goes to stderr, whose place among the lines of stdout is chance, and is therefore
 * left out: what fails in several of them is numbered.
 */
export const cargoTest: Runner = {
  name: "cargo test",
  marks: ["running "],

  read({ lines, cut }) {
    const binaries: RunnerReport[] = [];
    let binary: Binary | undefined;
    for (const line of lines) {
      const announced = RUNNING.exec(line)?.[1];
      if (announced !== undefined) binary = { announced: Number(announced), failing: [] };
      else if (binary === undefined) continue;
      else if (line === "failures:") binary.failing = [];
      else if (line.startsWith("    ")) binary.failing.push(line.trim().replace(/ \(line \d+\)$/u, ""));
      else {
        const result = RESULT.exec(line);
        if (result === null) continue;
        binaries.push(...resultOf(result.slice(1).map(Number), binary));
        binary = undefined;
      }
    }
    const report = binary === undefined ? summed(binaries) : null;
    if (report === null) return null;
    const all = report.failed === 0 || lines.some((line) => ALL_TARGETS.test(line));
    return { ...report, failing: numbered(report.failing), early: cut || !all };
  },
};

/** Nothing when the numbers contradict what was announced. */
function resultOf(numbers: readonly number[], binary: Binary): readonly RunnerReport[] {
  const [passed = 0, failed = 0, ignored = 0, measured = 0, filtered = 0] = numbers;
  if (passed + failed + ignored + measured !== binary.announced) return [];
  const failing = failed === 0 ? [] : binary.failing;
  return [{ ...NO_TESTS, passed: passed + measured, failed, skipped: ignored + filtered, failing }];
}

function numbered(names: readonly string[]): readonly string[] {
  const seen = new Map<string, number>();
  return names.map((name) => {
    const occurrence = (seen.get(name) ?? 0) + 1;
    seen.set(name, occurrence);
    return occurrence === 1 ? name : `${name} #${occurrence}`;
  });
}

const NEXTEST_SUMMARY = /^ *Summary \[ *\d+\.\d+s\] (?:(\d{1,9})\/)?(\d{1,9}) tests? run: (.+)$/u;
const NEXTEST_WORDS = countedWords({ passed: "passed", failed: "failed, timed out, exec failed", skipped: "skipped" });
/** `FAIL [   0.003s] (2/5) app tests::sums`, once as it happens and once below the summary. */
const NEXTEST_FAILED = /^ +(?:FAIL|TIMEOUT|ABORT|SIG[A-Z]+) \[ *\d+\.\d+s\] (?:\( *\d+\/\d+\) )?(\S.*)$/u;

export const nextest: Runner = {
  name: "cargo nextest",
  marks: ["Summary ["],

  read({ lines }) {
    const counts = summaries(lines, (line) => {
      const [, ran, planned, list = ""] = line.includes("Summary [") ? (NEXTEST_SUMMARY.exec(line) ?? []) : [];
      const found =
        planned === undefined ? undefined : readCounts(list.replaceAll(/ \([^()]*\)/gu, "").split(", "), NEXTEST_WORDS);
      const early = ran !== undefined && ran !== planned;
      return found && { ...NO_TESTS, passed: found.passed, failed: found.failed, skipped: found.skipped, early };
    });
    return counts && { ...counts, failing: lines.flatMap((line) => NEXTEST_FAILED.exec(line)?.[1] ?? []) };
  },
};
