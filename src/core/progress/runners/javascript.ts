import {
  type Runner,
  type RunnerReport,
  withoutDuration,
  countedWords,
  NO_TESTS,
  readCounts,
  summaries,
  summed,
} from "./runner.ts";

/** Eight lines, each behind `ℹ ` (spec reporter) or `# ` (TAP). */
const NODE_SUMMARY =
  /^[ℹ#] tests (?<tests>\d{1,9})\n[ℹ#] suites \d+\n[ℹ#] pass (?<pass>\d{1,9})\n[ℹ#] fail (?<fail>\d{1,9})\n[ℹ#] cancelled (?<cancelled>\d{1,9})\n[ℹ#] skipped (?<skipped>\d{1,9})\n[ℹ#] todo (?<todo>\d{1,9})\n[ℹ#] duration_ms [\d.]+$/u;
const NODE_SUMMARY_LINES = 8;

const BELOW = " > ";

export const nodeTest: Runner = {
  name: "node:test",
  marks: ["ℹ tests ", "# tests "],

  read({ lines }) {
    const counts = summaries(lines, (line, at) => (/^[ℹ#] tests /u.test(line) ? nodeSummary(lines, at) : undefined));
    if (counts === null) return null;
    const failing = [...failingInSpec(lines), ...failingInTap(lines)];
    return { ...counts, failing, early: failing.some((name) => !name.includes(BELOW)) };
  },
};

function nodeSummary(lines: readonly string[], at: number): RunnerReport | undefined {
  const numbers = NODE_SUMMARY.exec(lines.slice(at, at + NODE_SUMMARY_LINES).join("\n"))?.groups;
  if (numbers === undefined) return undefined;
  const passed = Number(numbers["pass"]);
  const failed = Number(numbers["fail"]) + Number(numbers["cancelled"]);
  const skipped = Number(numbers["skipped"]) + Number(numbers["todo"]);
  if (passed + failed + skipped !== Number(numbers["tests"])) return undefined;
  return { ...NO_TESTS, passed, failed, skipped };
}

/** The list behind the summary, which names each test that failed with its place. */
function failingInSpec(lines: readonly string[]): readonly string[] {
  const begin = lines.indexOf("✖ failing tests:");
  if (begin === -1) return [];
  return lines.slice(begin).flatMap((line, index, list) => {
    const name = list[index + 1];
    if (!line.startsWith("test at ") || name?.startsWith("✖ ") !== true) return [];
    return [nodeName(line.slice("test at ".length), withoutDuration(name.slice("✖ ".length)))];
  });
}

interface Point {
  /** what the keys of its block are indented by */
  readonly margin: string;
  readonly name: string;
  place: string;
  /** a suite, or a test which failed only because one inside it did */
  outer: boolean;
}

function failingInTap(lines: readonly string[]): readonly string[] {
  const failing: string[] = [];
  let point: Point | undefined;
  for (const line of lines) {
    const [, indent, name] = /^( *)not ok \d+ - (.*)$/u.exec(line) ?? [];
    if (indent !== undefined && name !== undefined) {
      point = / # (?:TODO|SKIP)/u.test(name) ? undefined : { margin: `${indent}  `, name, place: "", outer: false };
    } else if (point !== undefined && line.startsWith(point.margin)) {
      const key = line.slice(point.margin.length);
      if (key.startsWith("location: '")) point.place = key.slice("location: '".length, -1);
      else if (key === "failureType: 'subtestsFailed'") point.outer = true;
      else if (key === "...") {
        if (!point.outer) failing.push(nodeName(point.place, point.name.replaceAll(/\\([#\\])/gu, "$1")));
        point = undefined;
      }
    }
  }
  return failing;
}

/** A test file that fails as a whole is a test by the file's name. */
function nodeName(place: string, name: string): string {
  const file = place.replace(/:\d+:\d+$/u, "");
  return file.endsWith(name) || name.endsWith(file) ? file : `${file}${BELOW}${name}`;
}

const VITEST_WORDS = countedWords({ passed: "passed", failed: "failed", skipped: "skipped, todo, expected fail" });

const VITEST_NO_FILES = /^No test files found, exiting with code [01]$/u;
const VITEST_FAILED = /^ FAIL {2}(.+)$/u;
const VITEST_BROKEN_FILE = / \[ .+ \]$/u; // a test file that could not be run: `test/a.test.ts [ test/a.test.ts ]`

/**
 * vitest with every reporter that ends in its summary. The names of what failed go to stderr and the summary to stdout:
 * either may come first.
 */
export const vitest: Runner = {
  name: "vitest",
  marks: [" Test Files  ", "No test files found, exiting"],

  read({ lines }) {
    const counts = summaries(lines, (line, at) => {
      if (VITEST_NO_FILES.test(line)) return NO_TESTS;
      return line.startsWith(" Test Files  ") ? vitestSummary(lines, at) : undefined;
    });
    if (counts === null) return null;
    const failing = lines.flatMap((line) => VITEST_FAILED.exec(line)?.[1] ?? []);
    const broken = new Set(failing.filter((name) => VITEST_BROKEN_FILE.test(name)));
    const early = counts.early || broken.size > 0;
    return { ...counts, failed: counts.failed + broken.size, failing: failing.map(vitestName), early };
  },
};

function vitestSummary(lines: readonly string[], at: number): RunnerReport | undefined {
  const [, list, sum] = /^ {6}Tests {2}(.+?)(?: \((\d{1,9})\))?$/u.exec(lines[at + 1] ?? "") ?? [];
  // `Type Errors` and `Errors` may come between.
  const ends = lines.slice(at + 2, at + 5).some((line) => line.startsWith("   Start at  "));
  if (list === undefined || !ends) return undefined;
  if (list === "no tests") return NO_TESTS;
  const counts = readCounts(list.split(" | "), VITEST_WORDS);
  if (counts === undefined) return undefined;
  const { passed, failed, skipped } = counts;
  const left = Number(sum ?? -1) - passed - failed - skipped;
  // With `--bail` some tests never run.
  if (left < 0 || (left > 0 && failed === 0)) return undefined;
  return { ...NO_TESTS, passed, failed, skipped, early: left > 0 };
}

/** With colours, a project's name is between blanks, otherwise between bars. */
function vitestName(name: string): string {
  return name.replace(VITEST_BROKEN_FILE, "").replace(/^\|([^|]+)\|/u, "$1");
}

const JEST_WORDS = countedWords({ passed: "passed", failed: "failed", skipped: "skipped, todo", ignored: "total" });

const JEST_NO_FILES = /^No tests found(?:, exiting with code [01]| related to files changed since last commit\.)$/u;
/** With `--bail` the suites that ran are fewer than those that there are. */
const JEST_STOPPED = / failed, .*\d+ of \d+ total$/u;
const JEST_BROKEN_FILE = "Test suite failed to run";

export const jest: Runner = {
  name: "jest",
  marks: ["Test Suites: ", "No tests found"],

  read({ lines }) {
    const counts = summaries(lines, (line, at) => {
      if (JEST_NO_FILES.test(line)) return NO_TESTS;
      return line.startsWith("Test Suites: ") ? jestSummary(lines, at) : undefined;
    });
    if (counts === null) return null;
    const { tests, files } = jestFailures(lines);
    const early = counts.early || files.size > 0;
    return { ...counts, failed: counts.failed + files.size, failing: [...tests, ...files], early };
  },
};

function jestSummary(lines: readonly string[], at: number): RunnerReport | undefined {
  const [suites = "", tests = "", snapshots = "", time = ""] = lines.slice(at, at + 4);
  const whole = / \d+ total$/u.test(suites) && snapshots.startsWith("Snapshots: ") && time.startsWith("Time: ");
  const list = /^Tests: +(.+)$/u.exec(tests)?.[1];
  const counts = whole && list !== undefined ? readCounts(list.split(", "), JEST_WORDS) : undefined;
  if (counts === undefined) return undefined;
  const { passed, failed, skipped, ignored } = counts;
  if (passed + failed + skipped !== ignored) return undefined;
  return { ...NO_TESTS, passed, failed, skipped, early: JEST_STOPPED.test(suites) };
}

/** Headlines with a bullet below the file that they belong to. */
function jestFailures(lines: readonly string[]) {
  const tests: string[] = [];
  const files = new Set<string>();
  let file: string | undefined;
  for (const [at, line] of lines.entries()) {
    if (line.startsWith("FAIL ")) file = withoutDuration(line.slice("FAIL ".length).trim());
    else if (line.startsWith("PASS ") || line.startsWith("Test Suites: ")) file = undefined;
    else if (file !== undefined && line.startsWith("  ● ")) {
      const title = line.slice("  ● ".length);
      if (title === JEST_BROKEN_FILE) files.add(file);
      // What a test file printed is below such a headline as well.
      else if (title !== "Console" || lines[at + 2]?.startsWith("    console.") !== true)
        tests.push(`${file} > ${title.replaceAll(" › ", " > ")}`);
    }
  }
  return { tests, files };
}

const MOCHA_PASSING = /^ {2}(\d{1,9}) passing \(\d+(?:\.\d+)?(?:ms|s|m|h|d)\)$/u;
const MOCHA_FURTHER = /^ {2}(\d{1,9}) (pending|failing)$/u;
const MOCHA_NO_FILES = "Error: No test files found";
const MOCHA_NUMBERED = /^ {2}(\d{1,9})\) (.+)$/u;

/** mocha with every reporter that ends in its summary; so do programs made from it. */
export const mocha: Runner = {
  name: "mocha",
  marks: [" passing (", MOCHA_NO_FILES],

  read({ lines }) {
    return summaries(lines, (line, at) => {
      if (line.startsWith(MOCHA_NO_FILES)) return NO_TESTS;
      const passed = MOCHA_PASSING.exec(line)?.[1];
      return passed === undefined ? undefined : mochaSummary(lines, at, Number(passed));
    });
  },
};

function mochaSummary(lines: readonly string[], at: number, passed: number): RunnerReport {
  const counts = { pending: 0, failing: 0 };
  let end = at + 1;
  for (const line of lines.slice(end, end + 2)) {
    const [, amount, word] = MOCHA_FURTHER.exec(line) ?? [];
    if (word !== "pending" && word !== "failing") break;
    counts[word] = Number(amount);
    end++;
  }
  const { pending: skipped, failing: failed } = counts;
  return { ...NO_TESTS, passed, failed, skipped, failing: mochaFailing(lines, end, failed) };
}

/** The numbered list after the summary; the titles of outer suites are above a test's, each further in. */
function mochaFailing(lines: readonly string[], begin: number, count: number): readonly string[] {
  const failing: string[] = [];
  for (let at = begin; failing.length < count; at++) {
    const line = lines[at];
    if (line === undefined || MOCHA_PASSING.test(line)) break;
    const [, number, title] = MOCHA_NUMBERED.exec(line) ?? [];
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

const AVA_END = "  ─"; // below the list of tests, and once more below what failed
const AVA_LISTED = /^ {2}(✔|✘|-) (?:(\[(?:fail|expected fail|skip|todo)\]):? )?(.+)$/u;
const AVA_NONE = /^ {2}✘ (?:No tests found in |Couldn['’]t find any files to test)/u;
const AVA_ROW =
  /^ {2}\d{1,9} (?:tests? (?:passed|failed|skipped|todo)|known failures?|uncaught exceptions?|unhandled rejections?)$/u;
const AVA_BROKEN = /^ {2}✘ (\S+) exited (?:with a non-zero exit code|due to)/u;
const AVA_REASON =
  / (?:Error thrown in test|Rejected promise returned by test|Test finished without running any assertions)$/u;

/** AVA. Its summary does not count the tests that passed where others failed, so that the list is read. */
export const ava: Runner = {
  name: "ava",
  marks: ["\n  ─"],

  read({ lines }) {
    const runs: RunnerReport[] = [];
    let run = newAvaRun();
    for (const line of lines) {
      if (line.startsWith("  ")) takeAvaLine(run, line);
      if (line === AVA_END) run.ended = true;
      if (!run.ended || !(AVA_ROW.test(line) || run.empty)) continue;
      runs.push(avaReport(run));
      run = newAvaRun();
    }
    return summed(runs);
  },
};

const newAvaRun = () => ({
  ended: false,
  empty: false,
  passed: 0,
  skipped: 0,
  failing: new Array<string>(),
  broken: new Array<string>(),
});
type AvaRun = ReturnType<typeof newAvaRun>;

function takeAvaLine(run: AvaRun, line: string): void {
  if (run.ended) return;
  const broken = AVA_BROKEN.exec(line)?.[1];
  const [, sign, kind, name = ""] = AVA_LISTED.exec(line) ?? [];
  if (AVA_NONE.test(line)) run.empty = true;
  else if (broken !== undefined) run.broken.push(broken);
  else if (kind === "[fail]") run.failing.push(name.replace(AVA_REASON, "").replaceAll(" › ", " > "));
  else if (kind !== undefined) run.skipped++;
  else if (sign === "✔") run.passed++;
}

function avaReport({ passed, skipped, failing, broken }: AvaRun): RunnerReport {
  const all = [...failing, ...broken];
  return { ...NO_TESTS, passed, failed: all.length, skipped, failing: all, early: broken.length > 0 };
}

const PLAYWRIGHT_BEGIN = /^Running (\d{1,9}) tests? using \d{1,9} workers?/u;
const PLAYWRIGHT_ROW = /^ {2}(\d{1,9}) (failed|flaky|skipped|passed|interrupted|did not run)(?: \(\d[^()]*\))?$/u;
const PLAYWRIGHT_NAME = /^ {4}(\S.* › .*?)[ ─]*$/u;
const PLAYWRIGHT_PLACE = /(\.[cm]?[jt]sx?):\d+:\d+ › /u;
const PLAYWRIGHT_NONE = "Error: No tests found";

/** Playwright with every reporter that ends in its summary. */
export const playwright: Runner = {
  name: "playwright",
  marks: ["Running ", PLAYWRIGHT_NONE],

  read({ lines }) {
    const runs: RunnerReport[] = [];
    let run: PlaywrightRun | undefined;
    for (const line of lines) {
      if (line === PLAYWRIGHT_NONE) runs.push(NO_TESTS);
      const planned = line.startsWith("Running ") ? PLAYWRIGHT_BEGIN.exec(line)?.[1] : undefined;
      if (planned === undefined) run?.take(line);
      else {
        runs.push(...(run?.reports() ?? []));
        run = new PlaywrightRun(Number(planned));
      }
    }
    return summed([...runs, ...(run?.reports() ?? [])]);
  },
};

class PlaywrightRun {
  readonly #planned: number;
  readonly #rows = new Map<string, number>();
  readonly #failing: string[] = [];
  #kind = "";

  constructor(planned: number) {
    this.#planned = planned;
  }

  take(line: string): void {
    const [, amount, kind] = PLAYWRIGHT_ROW.exec(line) ?? [];
    if (kind !== undefined) {
      this.#kind = kind;
      this.#rows.set(kind, Number(amount));
    } else if (this.#kind === "failed") {
      const name = PLAYWRIGHT_NAME.exec(line)?.[1];
      if (name !== undefined) this.#failing.push(name.replace(PLAYWRIGHT_PLACE, "$1 > ").replaceAll(" › ", " > "));
    }
  }

  /** Nothing when the summary is not there, or does not count every test. */
  reports(): readonly RunnerReport[] {
    const count = (kind: string): number => this.#rows.get(kind) ?? 0;
    const left = count("interrupted") + count("did not run");
    const [passed, failed, skipped] = [count("passed") + count("flaky"), count("failed"), count("skipped")];
    if (passed + failed + skipped + left !== this.#planned) return [];
    return [{ ...NO_TESTS, passed, failed, skipped, failing: this.#failing, early: left > 0 }];
  }
}
