import { NO_TESTS, type RunnerReport } from "./runner.ts";

/** What Go says of a test and of a package. */
export type GoStatus = "pass" | "fail" | "skip";

/**
 * What ran in one package. A test with subtests only stands for these. A package that fails without a test that does
 * (it does not compile, its tests end the process) is what failed itself.
 */
export function goPackage(name: string, result: GoStatus, tests: ReadonlyMap<string, GoStatus>): RunnerReport {
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
