import { countedWords, type Counts, NO_TESTS, readCounts, type Runner, type RunnerReport, summed } from "./runner.ts";

const WORDS = countedWords({
  passed: "passed, xpassed",
  failed: "failed, error, errors",
  skipped: "skipped, xfailed, deselected",
  ignored: "warning, warnings, rerun, subtests passed",
});

const LAST = /^(?:=+ )?(no tests ran|\d[\da-z, ]*) in \d+\.\d\ds(?: \(\d+:\d\d:\d\d\))?( =+)?$/u;
const SHORT_SUMMARY = /^=+ short test summary info =+$/u;
const STOPPED = /^!{3,} .+ !{3,}$/u; // `!!! Interrupted: 1 error during collection !!!`
/** With `--lf` and `--sw` the tests that are run depend on the run before. */
const SELECTED = /^(?:run-last-failure: rerun|stepwise: skipping) /u;
const DOTS = /^[.FEsxXR]+(?: +\[ *\d+%\])?$/u; // one letter a test; what a quiet run has above its last line
const FAILED = /^(?:FAILED|ERROR|SUBFAILED)(?= |\[|\()/u;

/** pytest, also with -q and with xdist. With -qq it prints no summary, hence no report. */
export const pytest: Runner = {
  name: "pytest",
  marks: [" in "],

  read({ lines }) {
    const sessions: RunnerReport[] = [];
    let begin = 0;
    let recognised = false;
    for (const [at, line] of lines.entries()) {
      recognised ||= DOTS.test(line) || SHORT_SUMMARY.test(line);
      const counts = line.includes(" in ") ? countsOf(line, recognised) : undefined;
      if (counts === undefined) continue;
      const { passed, failed, skipped } = counts;
      const above = lines.slice(begin, at);
      const failing = failingIn(above);
      const early = above.some((line) => STOPPED.test(line)) || failing.some((name) => !name.includes("::"));
      sessions.push({ passed, failed, skipped, failing, exact: !above.some((line) => SELECTED.test(line)), early });
      begin = at + 1;
      recognised = false;
    }
    return summed(sessions);
  },
};

/** Without its rule of `=` a last line looks like prose. @param recognised whether pytest wrote the lines above */
function countsOf(line: string, recognised: boolean): Counts | undefined {
  const [, list, rule] = LAST.exec(line) ?? [];
  if (list === undefined || (rule !== undefined) !== line.startsWith("=")) return undefined;
  if (list === "no tests ran") return { ...NO_TESTS, ignored: 0 };
  const certain = recognised || rule !== undefined || /^\d+ deselected$/u.test(list);
  return certain ? readCounts(list.split(", "), WORDS) : undefined;
}

function failingIn(lines: readonly string[]): readonly string[] {
  const begin = lines.findLastIndex((line) => SHORT_SUMMARY.test(line));
  if (begin === -1) return [];
  const failed = lines.slice(begin).filter((line) => FAILED.test(line));
  return failed.map((line) => withoutMessage(line.replace(FAILED, "").trim()));
}

/** `test_a.py::test_b[c - d] - AssertionError: …`: the parameters may hold what divides a name from its message. */
function withoutMessage(line: string): string {
  const bracket = line.indexOf("[");
  const dash = line.indexOf(" - ");
  if (bracket === -1 || dash < bracket) return dash === -1 ? line : line.slice(0, dash);
  const end = line.indexOf("] - ", bracket);
  if (end !== -1) return line.slice(0, end + 1);
  return line.endsWith("]") ? line : line.slice(0, dash);
}
