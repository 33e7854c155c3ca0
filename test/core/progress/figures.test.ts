import { describe, expect, test } from "vitest";
import { figuresOf, reachOf, readFigures } from "../../../src/core/progress/figures.ts";
import { aCheck, aRedCheck, digest, someFailing } from "../../support/builders.ts";

test.each<[string, string, number]>([
  ["istanbul, c8, vitest, jest", "All files          |   85.71 |    50 |     100 |   85.71 | 3-4", 80.36],
  ["node --test", "ℹ all files | 100.00 | 75.00 | 50.00 |", 75],
  ["node --test as TAP", "# all files | 90.00 | 80.00 | 70.00 |", 80],
  ["deno", "| All files | 90.0 | 85.0 |", 87.5],
  ["Stryker", "All files  |  71.43 |  80.00 |  5 |  1 |  2 | 100 |", 39.36],
  ["istanbul's summary", "Statements   : 80% ( 8/10 )\nBranches     : 40% ( 2/5 )", 60],
  ["coverage.py", "TOTAL                  120     20    83%", 83],
  ["llvm-cov", "TOTAL   120   20   83.33%   10   5   50.00%", 66.67],
  ["go test", "ok  \tapp\t0.3s\tcoverage: 81.5% of statements", 81.5],
  ["go tool cover", "total:\t\t(statements)\t\t81.5%", 81.5],
  ["tarpaulin", "83.33% coverage, 5/6 lines covered", 83.33],
  ["SimpleCov", "Line Coverage: 83.33% (5 / 6)", 83.33],
  ["SimpleCov of old", "5 / 6 LOC (83.33%) covered.", 83.33],
  ["PHPUnit", "  Lines:   62.50% (5/8)", 62.5],
  ["coverlet", "| Total   | 83.33% | 75% | 100% |", 86.11],
  ["lcov", "  lines......: 83.3% (5 of 6 lines)", 83.3],
  ["kover", "application line coverage: 83.3%", 83.3],
  ["pitest", ">> Generated 10 mutations Killed 8 (80%)", 80],
  ["a mutation score", "Mutation score: 81 %", 81],
  ["nothing covered", "coverage: 0.0% of statements", 0],
])("a percentage is read from what %s prints [C31]", (_title, output, coverage) => {
  expect(readFigures(`first\n${output}\nlast`).coverage).toBe(coverage);
});

test.each([
  ["progress", "[ 50%] Building CXX object"],
  ["a download", "Downloading 83% of 5 MB"],
  ["a version", "Total: 1.2.3"],
  ["words", "All files are fine, the total is 5"],
  ["coverage without a number", "coverage is on its way"],
  ["nothing", ""],
])("%s is no coverage [C31]", (_title, output) => {
  expect(readFigures(output)).toEqual({});
});

test.each<[string, string, number]>([
  ["npm", "> app@1.0.0 lint\n> eslint .\n> app@1.0.0 test\n> vitest", 2],
  ["yarn", "$ eslint .\n$ tsc -p .", 2],
  ["gradle", "> Task :compileJava\n> Task :test FAILED", 2],
  ["maven", "[INFO] --- maven-compiler-plugin:3.1:compile (default) @ app ---", 1],
  ["tox and nox", "py311: commands[0]> pytest\nnox > Running session lint", 2],
  ["groups of a job's log", "::group::Install\n##[group]Build", 2],
  ["steps", "Step 1/3 : FROM a\n#5 Stage 2 of 3", 2],
  ["headings", "==> lint\n=== build ===\n## types\n--- check all ---", 4],
  ["what is done", "lint ok\ntypes: done\nbuild passed.", 3],
  ["the same twice", "==> lint\n==> lint", 1],
])("stages are told by %s [C33]", (_title, output, stages) => {
  expect(readFigures(output).stages).toBe(stages);
});

test.each([
  ["pytest's", "=== FAILURES ===\n=== short test summary info ===\n=== 1 failed, 2 passed in 0.2s ==="],
  ["go's", "=== RUN   TestA\n--- FAIL: TestA (0.00s)\nok  \tapp\t0.1s"],
  ["cargo's", "test sums ... ok\n---- a::b stdout ----"],
  ["unittest's", "test_a (a.A) ... ok\n--------------------\nok"],
  ["TAP's", "ok 1 - sums\nok"],
  ["a diff's", "--- a/src/x.ts\n+++ b/src/x.ts\n--- Expected"],
  ["a quotation", "> it should work\n> 12 | code"],
])("%s lines are no stages [C33]", (_title, output) => {
  expect(readFigures(output).stages).toBeUndefined();
});

test("of very much only the end is read, and a bounded number of everything [C31]", () => {
  expect(readFigures(`coverage: 1%\n${"x\n".repeat(200_000)}`)).toEqual({});
  expect(readFigures(`${"x".repeat(3_000)} coverage: 50%`)).toEqual({});
  const many = Array.from({ length: 500 }, (_, at) => `==> part ${at}\ncoverage: ${at % 100}%`).join("\n");
  expect(readFigures(many)).toEqual({ stages: 200, coverage: 49.5 });
});

function cpuMilliseconds(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

test.each([
  ["bars", "| ".repeat(900)],
  ["rules", `${"=".repeat(900)} a ${"-".repeat(900)}`],
  ["digits", "coverage 1%1".repeat(150)],
  ["blanks", `All files${" ".repeat(1_900)}`],
  ["words", `a${" a".repeat(900)} ok ok`],
  ["dots", `lines${".".repeat(1_900)}`],
])("256 KiB of %s take no time worth mentioning [C31]", (_title, line) => {
  const output = `${line}\n`.repeat(Math.floor(261_000 / line.length));
  expect(cpuMilliseconds(() => readFigures(output))).toBeLessThan(1_000);
});

describe("what all checks come to", () => {
  const tests = someFailing(["a"]);

  test("figures are the same only where tests and coverage are [C31]", () => {
    const of = (check: Parameters<typeof aCheck>[0]) => figuresOf([aCheck(), aCheck(check)], digest);
    const names = [
      of({ tests }),
      of({ tests: { ...tests, passed: 9 } }),
      of({ tests, coverage: 5 }),
      of({ coverage: 5 }),
    ];
    expect(new Set(names).size).toBe(4);
    expect(of({ tests })).toBe(of({ tests, tail: "other", durationMs: 9 }));
    expect(names[0]).toMatch(/^[\da-f]{8}$/u);
    expect(of({})).toBeNull();
  });

  test("checks come further by a stage, by tests that run, and by one that is green [C33]", () => {
    expect(reachOf([aRedCheck()])).toBe(0);
    expect(reachOf([aRedCheck({ stages: 2 })])).toBe(2);
    expect(reachOf([aRedCheck({ stages: 2, tests })])).toBe(3);
    expect(reachOf([aCheck({ stages: 2, tests }), aRedCheck()])).toBe(4);
  });

  test("a check that was killed, or is of a story, tells nothing of that [C33]", () => {
    expect(reachOf([aCheck({ exitCode: null, stages: 3 }), aCheck({ role: "story", story: "US-1" })])).toBeNull();
  });
});
