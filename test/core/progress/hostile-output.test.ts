import { expect, test } from "vitest";
import { readTestReport } from "../../../src/core/progress/test-report.ts";

/** So that every runner reads the text. */
const MARKS = [
  "ℹ tests  Test Files  Test Suites:  passing ( in ok  \t running <testsuite",
  '"Action":"',
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
  ["durations", `FAIL ${" (1".repeat(600)}\n`],
])("256 KiB of %s take no time worth mentioning [C21]", (_title, piece) => {
  const output = `${MARKS}\n${piece.repeat(Math.floor(261_000 / piece.length))}\n${END}`;
  const took = cpuMilliseconds(() => readTestReport(output, { root: "/home/ann/app" }));
  // Far above what it takes (10 to 50 ms), far below what reading back and forth would.
  expect(took).toBeLessThan(1_000);
});
