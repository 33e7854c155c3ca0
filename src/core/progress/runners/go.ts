import { parsedJson } from "../../text.ts";
import { type Runner, type RunnerReport, summed, NO_TESTS } from "./runner.ts";

const TEST = /^ *--- (PASS|FAIL|SKIP): (\S+) \(\d+\.\d\ds\)$/u;
const STATUS: Readonly<Record<string, GoStatus>> = { PASS: "pass", FAIL: "fail", SKIP: "skip" };
/** Of one package in its own folder, which then says nothing of it behind its name. */
const NOTHING_TO_RUN = "testing: warning: no tests to run";
const NO_PACKAGES = "no packages to test";
/** `ok`, `FAIL` or `?`, the package, the time that it took or why it took none. */
const PACKAGE = /^(ok {2}|FAIL|\? {3})\t(\S+)[\t ](?:\(cached\)|\d+\.\d{3}s|\[[a-z ]+\])/u;

export const goTest: Runner = {
  name: "go test",
  marks: ["ok  \t", "FAIL\t", "?   \t", NO_PACKAGES],

  read({ lines, cut }) {
    const packages: RunnerReport[] = [];
    let tests = new Map<string, GoStatus>();
    let warned = false;
    for (const line of lines) {
      warned ||= line === NOTHING_TO_RUN;
      if (line === NO_PACKAGES) packages.push(NO_TESTS);
      const [, word = "", test = ""] = line.includes("--- ") ? (TEST.exec(line) ?? []) : [];
      const status = STATUS[word];
      if (status !== undefined) tests.set(test, status);
      const [, result, name = ""] = line.includes("\t") ? (PACKAGE.exec(line) ?? []) : [];
      if (result === undefined) continue;
      packages.push(result === "FAIL" ? goPackage(name, "fail", tests) : greenPackage(name, line, { tests, warned }));
      warned = false;
      if (tests.size > 0) tests = new Map();
    }
    const report = tests.size > 0 ? null : summed(packages);
    return report && { ...report, early: report.early || cut };
  },
};

interface Above {
  readonly tests: ReadonlyMap<string, GoStatus>;
  readonly warned: boolean;
}

/** A green package that names no test, without -v, has run at least one. */
function greenPackage(name: string, line: string, { tests, warned }: Above): RunnerReport {
  const report = goPackage(name, "pass", tests);
  const silent =
    tests.size === 0 && !warned && !line.endsWith("[no test files]") && !line.endsWith("[no tests to run]");
  return silent ? { ...report, passed: 1, exact: false } : report;
}

export const goJson: Runner = {
  name: "go test",
  marks: ['"Action":"'],

  read({ lines, cut }) {
    const packages: RunnerReport[] = [];
    const open = new Map<string, Map<string, GoStatus>>();
    for (const line of lines) {
      const event = line.startsWith('{"') && line.includes('"Action":"') ? eventOf(line) : undefined;
      if (event === undefined) continue;
      const { action, name, test } = event;
      const tests = open.get(name) ?? new Map<string, GoStatus>();
      open.set(name, tests);
      if (!isStatus(action)) continue;
      if (test !== undefined) {
        tests.set(test, action);
        continue;
      }
      packages.push({ ...goPackage(name, action, tests), exact: true });
      open.delete(name);
    }
    const report = open.size > 0 ? null : summed(packages);
    return report && { ...report, early: report.early || cut };
  },
};

function isStatus(action: string): action is GoStatus {
  return action === "pass" || action === "fail" || action === "skip";
}

function eventOf(line: string) {
  const { Action: action, Package: name, Test: test } = Object.fromEntries(Object.entries(parsedJson(line) ?? {}));
  if (typeof action !== "string" || typeof name !== "string") return undefined;
  return { action, name, test: typeof test === "string" ? test : undefined };
}

type GoStatus = "pass" | "fail" | "skip";

/**
 * What ran in one package. A test with subtests only counts through them. A package that fails without a failing test
 * (it does not compile, its tests end the process) counts as the failure.
 */
function goPackage(name: string, result: GoStatus, tests: ReadonlyMap<string, GoStatus>): RunnerReport {
  if (tests.size === 0 && result !== "fail") return NO_TESTS;
  const outer = new Set(Array.from(tests.keys(), (test) => test.slice(0, Math.max(0, test.lastIndexOf("/")))));
  const inner = [...tests].filter(([test]) => !outer.has(test));
  const withStatus = (wanted: GoStatus) => inner.filter(([, status]) => status === wanted);
  const failed = withStatus("fail").map(([test]) => `${name} ${test}`);
  const failing = result === "fail" && failed.length === 0 ? [name] : failed;
  return {
    passed: withStatus("pass").length,
    failed: failing.length,
    skipped: withStatus("skip").length,
    failing,
    // Without -v a package that failed names nothing but its failures.
    early: failing !== failed,
    exact: result !== "fail" || inner.length > failed.length,
  };
}
