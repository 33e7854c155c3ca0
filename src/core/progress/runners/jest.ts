import {
  type Counted,
  NO_TESTS,
  readCounts,
  type Runner,
  type RunnerReport,
  summed,
  withoutDuration,
} from "./runner.ts";

const WORDS: Readonly<Record<string, Counted>> = {
  passed: "passed",
  failed: "failed",
  skipped: "skipped",
  todo: "skipped",
  total: "ignored",
};

const NONE_FOUND = /^No tests found(?:, exiting with code [01]| related to files changed since last commit\.)$/u;
/** With `--bail` the suites that ran are fewer than those that there are. */
const STOPPED = / failed, .*\d+ of \d+ total$/u;
const BROKEN_FILE = "Test suite failed to run";

/** jest with its default reporters. */
export const jest: Runner = {
  name: "jest",
  marks: ["Test Suites: ", "No tests found"],

  read({ lines }) {
    const counts = summed(
      lines.flatMap((line, at) => {
        if (NONE_FOUND.test(line)) return [NO_TESTS];
        return line.startsWith("Test Suites: ") ? (summaryAt(lines, at) ?? []) : [];
      }),
    );
    if (counts === null) return null;
    const { tests, files } = failures(lines);
    const early = counts.early || files.size > 0;
    return { ...counts, failed: counts.failed + files.size, failing: [...tests, ...files], early };
  },
};

/** Four lines in a row: suites, tests, snapshots, time. */
function summaryAt(lines: readonly string[], at: number): RunnerReport | undefined {
  const [suites = "", tests = "", snapshots = "", time = ""] = lines.slice(at, at + 4);
  if (!/ \d+ total$/u.test(suites) || !snapshots.startsWith("Snapshots: ") || !time.startsWith("Time: "))
    return undefined;
  const list = /^Tests: +(.+)$/u.exec(tests)?.[1];
  const counts = list === undefined ? undefined : readCounts(list.split(", "), WORDS);
  if (counts === undefined) return undefined;
  const { passed, failed, skipped, ignored } = counts;
  if (passed + failed + skipped !== ignored) return undefined;
  return { passed, failed, skipped, failing: [], exact: true, early: STOPPED.test(suites) };
}

/** Headlines with a bullet below the file that they belong to. */
function failures(lines: readonly string[]): {
  readonly tests: readonly string[];
  readonly files: ReadonlySet<string>;
} {
  const tests: string[] = [];
  const files = new Set<string>();
  let file: string | undefined;
  for (const [at, line] of lines.entries()) {
    if (line.startsWith("FAIL ")) file = withoutDuration(line.slice("FAIL ".length).trim());
    else if (line.startsWith("PASS ") || line.startsWith("Test Suites: ")) file = undefined;
    else if (file !== undefined && line.startsWith("  ● ")) {
      const title = line.slice("  ● ".length);
      if (title === BROKEN_FILE) files.add(file);
      else if (!isConsole(title, lines[at + 2])) tests.push(`${file} > ${title.replaceAll(" › ", " > ")}`);
    }
  }
  return { tests, files };
}

/** What a test file printed stands below such a headline as well. */
function isConsole(title: string, below: string | undefined): boolean {
  return title === "Console" && below?.startsWith("    console.") === true;
}
