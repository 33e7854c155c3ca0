import { expect, test } from "vitest";
import { readTestReport } from "../../../src/core/progress/test-report.ts";

/** So that every runner reads the text. */
const MARKS = [
  "ℹ tests  Test Files  Test Suites:  passing ( in ok  \t running <testsuite",
  '"Action":"',
  ...["Ran 1 test in 0.001s\n\nOK", "Running 5 tests using 1 worker", "1..9", "> Task :test", "\n  ─", " example"],
  ...[" assertions, OK (, Assertions:   Tests:  % tests passed surefire Tests run:  ! - Failed: ", "Summary [Result: "],
  "== short test summary info ==",
].join("\n");
const END = [" FAIL  x", " Test Files  1 failed (1)", "      Tests  1 failed (1)", "   Start at  1"].join("\n");

function cpuMilliseconds(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

test.each<[string, string]>([
  ["empty lines", "\n"],
  ["tags that do not end", "<"],
  ["comments that do not end", "<!--"],
  ["attributes that do not end", "<testcase a='"],
  ["summaries of mocha", "  1 passing (1ms)\n  9 failing\n"],
  ["last lines of pytest", "1 passed in 0.25s\n"],
  ["counts", `${"1 passed, ".repeat(150)}in 0.25s\n`],
  ["brackets", `FAILED a${"[ - ]".repeat(300)}\n`],
  ["blanks", `${"  ".repeat(900)}x\n`],
  ["subtests of Go", `--- FAIL: ${"a/".repeat(900)} (0.00s)\n`],
  ["headlines of unittest", `FAIL: a ${"(b) ".repeat(450)}\n`],
  ["last lines of unittest", "Ran 1 test in 0.001s\n\nOK\n"],
  ["letters of unittest", `${"sx".repeat(900)}\n`],
  ["failed examples", `rspec '${"a[1:2]:3".repeat(200)}\n`],
  ["summaries of PHPUnit", `Tests: 1, Assertions: 1${", Risky: 1".repeat(190)}\n`],
  ["names of Pest", `   FAILED  ${"a > b  ".repeat(250)}\n`],
  ["failures of .NET", `  Failed ${"a [1 ms ".repeat(220)}\n`],
  ["errors of .NET", `${": error TESTERROR: a (1 ms".repeat(70)}\n`],
  ["events of Gradle", `${"a > b PASSED FAILED ".repeat(95)}\n`],
  ["tasks of Gradle", `> Task ${":aTest".repeat(300)}\n`],
  ["goals of Maven", `[INFO] --- ${"surefire:1:test ".repeat(110)}\n`],
  ["failures of Maven", `${"a  Time elapsed: 1 s".repeat(95)}!\n`],
  ["lists of CTest", `100% tests passed out of 3\n\t 1 - ${"a (b".repeat(400)}\n`],
  ["rows of Playwright", `    ${"a › b ─ ".repeat(220)}c\n`],
  ["points of TAP", `${"    ".repeat(450)}not ok 1 - a\n`],
  ["names of TAP", `not ok 1 - ${"a # time=".repeat(200)}\n`],
  ["scripts of prove", `a ${"(Wstat: 1 Tests: 1 Failed: ".repeat(70)})\n`],
  ["runs of Bun", "(fail) a\nRan 1 test across 1 file. [1.00ms]\n"],
  ["failures of Deno", ` FAILURES\n${"a => b".repeat(300)}\nok | 1 passed | 0 failed (1ms)\n`],
  ["runs of AVA", "  ✔ a\n  ─\n  1 test passed\n"],
  ["failures of nextest", `    FAIL [   0.003s] ${"(1/2) ".repeat(300)}\n`],
  ["durations", `FAIL ${" (1".repeat(600)}\n`],
])("256 KiB of %s take no time worth mentioning [C21]", (_title, piece) => {
  const output = `${MARKS}\n${piece.repeat(Math.floor(261_000 / piece.length))}\n${END}`;
  const took = cpuMilliseconds(() => readTestReport(output, { root: "/home/ann/app" }));
  // Far above what it takes (10 to 50 ms), far below what reading back and forth would.
  expect(took).toBeLessThan(1_000);
});
