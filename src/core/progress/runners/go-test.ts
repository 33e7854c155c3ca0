import { goPackage, type GoStatus } from "./go-package.ts";
import { type Runner, type RunnerReport, summed } from "./runner.ts";

const TEST = /^ *--- (PASS|FAIL|SKIP): (\S+) \(\d+\.\d\ds\)$/u;
const STATUS: Readonly<Record<string, GoStatus>> = { PASS: "pass", FAIL: "fail", SKIP: "skip" };
/** `ok`, `FAIL` or `?`, the package, the time that it took or why it took none. */
const PACKAGE = /^(ok {2}|FAIL|\? {3})\t(\S+)[\t ](?:\(cached\)|\d+\.\d{3}s|\[[a-z ]+\])/u;

/** go test, plain and with -v. */
export const goTest: Runner = {
  name: "go test",
  marks: ["ok  \t", "FAIL\t", "?   \t"],

  read({ lines, cut }) {
    const packages: RunnerReport[] = [];
    let tests = new Map<string, GoStatus>();
    for (const line of lines) {
      const [, word = "", test = ""] = line.includes("--- ") ? (TEST.exec(line) ?? []) : [];
      const status = STATUS[word];
      if (status !== undefined) tests.set(test, status);
      const [, result, name = ""] = line.includes("\t") ? (PACKAGE.exec(line) ?? []) : [];
      if (result === undefined) continue;
      packages.push(result === "FAIL" ? goPackage(name, "fail", tests) : greenPackage(name, line, tests));
      if (tests.size > 0) tests = new Map();
    }
    const report = tests.size > 0 ? null : summed(packages);
    return report === null ? null : { ...report, early: report.early || cut };
  },
};

/** A green package that names no test, without -v, has run at least one. */
function greenPackage(name: string, line: string, tests: ReadonlyMap<string, GoStatus>): RunnerReport {
  const report = goPackage(name, "pass", tests);
  const silent = tests.size === 0 && !line.endsWith("[no test files]") && !line.endsWith("[no tests to run]");
  return silent ? { ...report, passed: 1, exact: false } : report;
}
