import { portablePaths } from "./error-tail.ts";
import { LINE_LIMIT, type Output, type Runner, type RunnerReport, summed } from "./runners/runner.ts";
import { bun, deno } from "./runners/bun-deno.ts";
import { cargoTest, nextest } from "./runners/cargo-test.ts";
import { ctest } from "./runners/ctest.ts";
import { dotnet } from "./runners/dotnet.ts";
import { goJson, goTest } from "./runners/go.ts";
import { ava, jest, mocha, nodeTest, playwright, vitest } from "./runners/javascript.ts";
import { gradle, maven } from "./runners/jvm.ts";
import { junitXml } from "./runners/junit-xml.ts";
import { pest, phpunit } from "./runners/php.ts";
import { pytest } from "./runners/pytest.ts";
import { minitest, rspec } from "./runners/ruby.ts";
import { prove, tap } from "./runners/tap.ts";
import { unittest } from "./runners/unittest.ts";
import type { TestReport } from "../verdict.ts";

export interface OutputFacts {
  /** absolute path of the folder that names are made relative to; "" when it is not known */
  readonly root?: string;
  /** whether the beginning is missing */
  readonly cut?: boolean;
}

const OUTPUT_LIMIT = 262_144; // only the end of a longer output is read. UTF-16 units.
const LINES_LIMIT = 10_000;
const NAMES_LIMIT = 5_000;
const NAME_LIMIT = 300;

/**
 * Reads what the common test runners print (see `RUNNERS`), and JUnit XML.
 * Several runs in one output are added up. Takes time linear in the length of the text.
 *
 * Only for checks that ended by themselves: a killed run has not reported everything that failed.
 *
 * @param output of the check, stdout and stderr together, ANSI codes removed
 * @returns null when no runner is recognised or none finished
 */
export function readTestReport(output: string, facts: OutputFacts = {}): TestReport | null {
  const { root = "", cut = false } = facts;
  const text = output.slice(-OUTPUT_LIMIT);
  const lines = text.split("\n");
  const last = lines.slice(-LINES_LIMIT).map((line) => line.slice(0, LINE_LIMIT).trimEnd());
  const found = reports({ text, lines: last, cut: cut || text.length < output.length || last.length < lines.length });
  const report = summed(found.map(({ report }) => report));
  if (report === null) return null;
  const { passed, failed, skipped } = report;
  const stable = (name: string): string =>
    portablePaths(name, root).replaceAll(/\s+/gu, " ").trim().slice(0, NAME_LIMIT);
  const failing = [...new Set(report.failing)].slice(0, NAMES_LIMIT).map(stable);
  return {
    runner: [...new Set(found.map(({ name }) => name))].join(" + "),
    ran: passed + failed,
    passed,
    failed,
    skipped,
    failing: [...new Set(failing)].toSorted(),
    exact: report.exact && !report.early,
    early: report.early,
  };
}

interface Found {
  readonly name: string;
  readonly report: RunnerReport;
}

/** XML with the numbers that a runner has already printed is the same run again. */
function reports(output: Output): readonly Found[] {
  const found = read(RUNNERS, output);
  const copies = read(COPIES, output);
  const isKnown = ({ report: { passed, failed, skipped } }: Found): boolean =>
    found.some(({ report }) => report.passed === passed && report.failed === failed && report.skipped === skipped);
  return [...found, ...copies.filter((copy) => !isKnown(copy))];
}

function read(runners: readonly Runner[], output: Output): readonly Found[] {
  return runners.flatMap((runner) => {
    if (!runner.marks.some((mark) => output.text.includes(mark))) return [];
    const report = runner.read(output);
    return report === null ? [] : [{ name: runner.name, report }];
  });
}

const RUNNERS: readonly Runner[] = [
  ...[nodeTest, vitest, jest, mocha, ava, playwright, bun, deno],
  ...[pytest, unittest, goTest, goJson, cargoTest, nextest, ctest],
  ...[maven, gradle, dotnet, rspec, minitest, phpunit, pest, prove, tap],
];
const COPIES: readonly Runner[] = [junitXml];
