import { NO_TESTS, type Runner, type RunnerReport, summaries, summed } from "./runner.ts";

/** `Passed!  - Failed:     0, Passed:     3, Skipped:     0, Total:     3, Duration: 4 ms - App.Tests.dll (net8.0)` */
const LINE =
  /^(?:Passed|Failed|Skipped)! +- Failed: +(\d{1,9}), Passed: +(\d{1,9}), Skipped: +(\d{1,9}), Total: +\d{1,9}, Duration: /u;
/** What the terminal logger of .NET 9 sums up of everything. */
const ALL = /^ *Test summary: total: \d{1,9}, failed: (\d{1,9}), succeeded: (\d{1,9}), skipped: (\d{1,9}), duration: /u;
const BLOCK = /^(?:Total tests: \d{1,9}|Test run summary: .*)$/u;
const ROW = /^ {2,}(Passed|Failed|Skipped|failed|succeeded|skipped|total|error|errors): (\d{1,9})$/u;
const NONE = /^ *(?:No test is available in |No test matches the given testcase filter )/u;
const ABORTED = /^ *The active test run was aborted/u;

const DURATION = String.raw`(?:< ?)?\d[\d.,]* ?(?:ms|s|m|h)(?: \d[\d.,]* ?(?:ms|s|m|h)){0,3}`;
/** VSTest, Microsoft.Testing.Platform, and the terminal logger. */
const FAILED = [
  new RegExp(String.raw`^ {2}Failed (.+) \[${DURATION}\]$`, "u"),
  new RegExp(String.raw`^failed (.+) \(${DURATION}\)$`, "u"),
  new RegExp(String.raw`: error TESTERROR: (.{1,400}?) \(${DURATION}\): Error Message`, "u"),
];

/** `dotnet test`, by VSTest or by Microsoft.Testing.Platform. */
export const dotnet: Runner = {
  name: "dotnet test",
  marks: ["! - Failed: ", "!  - Failed: ", "Test summary: ", "Total tests: ", "Test run summary: ", "No test "],

  read({ lines }) {
    const all = summaries(lines, (line) => numbersIn(ALL.exec(line)));
    const parts = lines.flatMap((line, at) => {
      if (NONE.test(line)) return [NO_TESTS];
      return numbersIn(LINE.exec(line)) ?? (BLOCK.test(line) ? blockAt(lines, at) : undefined) ?? [];
    });
    const report = all ?? summed(parts);
    if (report === null) return null;
    const failing = lines.flatMap((line) => failedIn(line) ?? []);
    return { ...report, failing, early: lines.some((line) => ABORTED.test(line)) };
  },
};

function numbersIn(match: RegExpExecArray | null): RunnerReport | undefined {
  if (match === null) return undefined;
  const [failed = 0, passed = 0, skipped = 0] = match.slice(1).map(Number);
  return { ...NO_TESTS, passed, failed, skipped };
}

const ROWS = 6;

/** `Total tests: 4`, and a row for each kind that there is. */
function blockAt(lines: readonly string[], at: number): RunnerReport | undefined {
  const sums = { passed: 0, failed: 0, skipped: 0 };
  for (const line of lines.slice(at + 1, at + 1 + ROWS)) {
    const [, word = "", amount] = ROW.exec(line) ?? [];
    if (word === "Passed" || word === "succeeded") sums.passed += Number(amount);
    else if (word.toLowerCase() === "failed") sums.failed += Number(amount);
    else if (word.toLowerCase() === "skipped") sums.skipped += Number(amount);
    else if (word === "" && line !== "") break;
  }
  return { ...NO_TESTS, ...sums };
}

function failedIn(line: string): string | undefined {
  return FAILED.map((pattern) => pattern.exec(line)?.[1]).find((name) => name !== undefined);
}
