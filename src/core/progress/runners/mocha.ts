import { NO_TESTS, type Runner, type RunnerReport, summed } from "./runner.ts";

const PASSING = /^ {2}(\d{1,9}) passing \(\d+(?:\.\d+)?(?:ms|s|m|h|d)\)$/u;
const FURTHER = /^ {2}(\d{1,9}) (pending|failing)$/u;
const NO_FILES = "Error: No test files found";
const NUMBERED = /^ {2}(\d{1,9})\) (.+)$/u;

/** mocha with every reporter that ends in its summary; so do programs made from it. */
export const mocha: Runner = {
  name: "mocha",
  marks: [" passing (", NO_FILES],

  read({ lines }) {
    return summed(
      lines.flatMap((line, at) => {
        if (line.startsWith(NO_FILES)) return [NO_TESTS];
        const passed = PASSING.exec(line)?.[1];
        return passed === undefined ? [] : [summaryAt(lines, at, Number(passed))];
      }),
    );
  },
};

function summaryAt(lines: readonly string[], at: number, passed: number): RunnerReport {
  const counts = { pending: 0, failing: 0 };
  let end = at + 1;
  for (const line of lines.slice(end, end + 2)) {
    const [, amount, word] = FURTHER.exec(line) ?? [];
    if (word !== "pending" && word !== "failing") break;
    counts[word] = Number(amount);
    end++;
  }
  return {
    passed,
    failed: counts.failing,
    skipped: counts.pending,
    failing: failingFrom(lines, end, counts.failing),
    exact: true,
    early: false,
  };
}

/** The numbered list behind the summary; the titles of outer suites stand above a test's, each further in. */
function failingFrom(lines: readonly string[], begin: number, count: number): readonly string[] {
  const failing: string[] = [];
  for (let at = begin; failing.length < count; at++) {
    const line = lines[at];
    if (line === undefined || PASSING.test(line)) break;
    const [, number, title] = NUMBERED.exec(line) ?? [];
    if (title === undefined || Number(number) !== failing.length + 1) continue;
    failing.push([title, ...titlesBelow(lines, at)].join(" > ").replace(/:$/u, ""));
  }
  return failing;
}

function titlesBelow(lines: readonly string[], at: number): readonly string[] {
  const titles: string[] = [];
  for (let depth = 1; ; depth++) {
    const line = lines[at + depth];
    const margin = 5 + 2 * depth;
    if (line === undefined || line.search(/\S/u) !== margin) return titles;
    titles.push(line.slice(margin));
  }
}
