import { NO_TESTS, type Runner, type RunnerReport, summed } from "./runner.ts";

/** `--- maven-surefire-plugin:3.2.5:test (default-test) @ app ---`; of Maven 4 without `maven-` and `-plugin`. */
const GOAL = /^--- ([\w.:-]{1,120}) \([^()]*\) @ /u;
const TEST_GOAL = /^(?:maven-)?(?:surefire|failsafe)(?:-plugin)?:[\w.-]+:(?:test|integration-test)$/u;
const TOTALS =
  /^Tests run: (\d{1,9}), Failures: (\d{1,9}), Errors: (\d{1,9}), Skipped: (\d{1,9})(?:, Flakes: \d{1,9})?$/u;
const CLASS = /^Tests run: .* in ([\w.$]+)$/u;
/** `app.CartTest.sums -- Time elapsed: 0.007 s <<< FAILURE!`; of older versions `sums(app.CartTest)  Time elapsed: …`. */
const FAILED = /^(.{1,400}?) {1,2}(?:-- )?Time elapsed: [\d.]+ s(?:ec)? {1,2}<<< (?:FAILURE|ERROR)!$/u;
const OLD_NAME = /^([^()]+)\(([\w.$]+)\)$/u;

/** Maven's Surefire and Failsafe. Nothing is printed where a selection matches no test: then the goal ends without totals. */
export const maven: Runner = {
  name: "maven",
  marks: ["Tests run: ", "surefire"],

  read({ lines }) {
    const modules: RunnerReport[] = [];
    const classes = new Set<string>();
    const failing: string[] = [];
    let silent = false;
    for (const line of lines.map(withoutLevel)) {
      const goal = line.startsWith("--- ") ? GOAL.exec(line)?.[1] : undefined;
      if (silent && (goal !== undefined || line === "BUILD SUCCESS")) modules.push(NO_TESTS);
      if (goal !== undefined || line.startsWith("BUILD ")) silent = goal !== undefined && TEST_GOAL.test(goal);
      const totals = totalsIn(line);
      if (totals !== undefined) {
        modules.push(totals);
        silent = false;
      }
      const group = CLASS.exec(line)?.[1];
      if (group !== undefined) classes.add(group);
      const name = line.endsWith("!") ? FAILED.exec(line)?.[1] : undefined;
      if (name !== undefined && !name.startsWith("Tests run: ")) failing.push(name.replace(OLD_NAME, "$2.$1"));
    }
    const report = summed(modules);
    // What a class has before its tests can fail, and then none of them run.
    return report && { ...report, failing, early: failing.some((name) => classes.has(name)) };
  },
};

function withoutLevel(line: string): string {
  return line.replace(/^\[(?:INFO|WARNING|ERROR|WARN)\] /u, "");
}

function totalsIn(line: string): RunnerReport | undefined {
  const numbers = line.startsWith("Tests run: ") ? TOTALS.exec(line)?.slice(1).map(Number) : undefined;
  if (numbers === undefined) return undefined;
  const [run = 0, failures = 0, errors = 0, skipped = 0] = numbers;
  const failed = failures + errors;
  return { ...NO_TESTS, passed: Math.max(0, run - failed - skipped), failed, skipped };
}

/** `> Task :app:test FAILED`; a task is told again when its output goes on. */
const TASK = /^> Task ((?::[\w.-]{1,100})+)(?: (FAILED|UP-TO-DATE|FROM-CACHE|NO-SOURCE|SKIPPED))?$/u;
/** `test`, `integrationTest`, `testDebugUnitTest`. */
const TEST_TASK = /:(?:test|[\w.-]*Test)$/u;
/** Compiles or prepares tests. */
const HELPER_TASK =
  /:(?:assemble|bundle|compile|dex|extract|generate|install|link|lint|map|merge|package|pre|process)[\w.-]*$/u;
const EVENT = /^(\S.{0,400}? > .{1,400}) (PASSED|FAILED|SKIPPED)$/u;
const COMPLETED = /^(\d{1,9}) tests? completed(?:, (\d{1,9}) failed)?(?:, (\d{1,9}) skipped)?$/u;
const NOTHING = /(?:^|> )No tests found for given includes: |did not discover any tests to execute/u;

/** Gradle tells numbers only of tasks that fail, and tests only where `testLogging` says so. */
export const gradle: Runner = {
  name: "gradle",
  marks: ["> Task :"],

  read({ lines }) {
    const tasks = new Map<string, Task>();
    let task: Task | undefined;
    let ended = false;
    for (const line of lines) {
      const [, path = "", outcome = ""] = line.startsWith("> Task ") ? (TASK.exec(line) ?? []) : [];
      if (path !== "") {
        task = TEST_TASK.test(path) && !HELPER_TASK.test(path) ? (tasks.get(path) ?? new Task(path)) : undefined;
        if (task !== undefined) tasks.set(path, task);
        task?.end(outcome);
      } else if (line.startsWith("BUILD ")) ended = true;
      else task?.take(line);
    }
    if (!ended) return null;
    const none = lines.some((line) => NOTHING.test(line));
    return summed(Array.from(tasks.values(), (each) => each.report(none)));
  },
};

class Task {
  #outcome = "";
  #counts: RunnerReport | undefined;
  readonly #failing: string[] = [];
  readonly #events = { PASSED: 0, FAILED: 0, SKIPPED: 0 };

  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  end(outcome: string): void {
    this.#outcome ||= outcome;
  }

  take(line: string): void {
    const [, name = "", event] = line.includes(" > ") ? (EVENT.exec(line) ?? []) : [];
    if (event === "PASSED" || event === "FAILED" || event === "SKIPPED") this.#events[event]++;
    if (event === "FAILED") this.#failing.push(name);
    const numbers = line.includes(" completed")
      ? COMPLETED.exec(line)
          ?.slice(1)
          .map((each) => Number(each ?? 0))
      : undefined;
    if (numbers === undefined) return;
    const [completed = 0, failed = 0, skipped = 0] = numbers;
    this.#counts = { ...NO_TESTS, passed: Math.max(0, completed - failed - skipped), failed, skipped };
  }

  /** @param none whether Gradle says that a task that failed had no test to run */
  report(none: boolean): RunnerReport {
    const failing = this.#failing;
    if (this.#counts !== undefined) return { ...this.#counts, failing };
    const { PASSED: passed, FAILED: failed, SKIPPED: skipped } = this.#events;
    if (passed + failed > 0) return { ...NO_TESTS, passed, failed, skipped, failing, exact: passed > 0 };
    if (this.#outcome === "NO-SOURCE" || this.#outcome === "SKIPPED") return NO_TESTS;
    if (this.#outcome !== "FAILED") return { ...NO_TESTS, passed: 1, skipped, exact: false };
    return none ? NO_TESTS : { ...NO_TESTS, failed: 1, failing: [this.path], early: true };
  }
}
