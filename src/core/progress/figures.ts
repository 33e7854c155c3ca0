import type { Digest } from "../schema.ts";
import type { CheckResult } from "../verdict.ts";
import { LINE_LIMIT } from "./runners/runner.ts";

/** What a check's output says of how far it came, besides its tests. */
export type Figures = Pick<CheckResult, "coverage" | "stages">;

const OUTPUT_LIMIT = 262_144; // only the end of a longer output is read. UTF-16 units.
const LINES_LIMIT = 10_000;
const PERCENTAGES = 200;
const STAGES = 200;

/**
 * Reads the percentages that coverage tools print for the whole, and the stages that a command says it has reached.
 * Takes time linear in the length of the text.
 *
 * @param output of the check, stdout and stderr together, ANSI codes removed
 */
export function readFigures(output: string): Figures {
  const lines = output.slice(-OUTPUT_LIMIT).split("\n").slice(-LINES_LIMIT);
  const percentages: number[] = [];
  const stages = new Set<string>();
  for (const whole of lines) {
    const line = whole.slice(0, LINE_LIMIT).trim();
    if (percentages.length < PERCENTAGES) percentages.push(...percentagesIn(line));
    const stage = stages.size < STAGES ? stageIn(line) : undefined;
    if (stage !== undefined) stages.add(stage);
  }
  return {
    ...(percentages.length === 0 ? {} : { coverage: mean(percentages) }),
    ...(stages.size === 0 ? {} : { stages: stages.size }),
  };
}

/** Added up in hundredths of a percent, so that equal figures stay equal. */
function mean(values: readonly number[]): number {
  return Math.round(values.reduce((sum, value) => sum + Math.round(value * 100), 0) / values.length) / 100;
}

/** A row of totals whose columns have no sign: istanbul, c8, vitest, jest, node:test, deno; Stryker's scores as well. */
const ROW = /^(?:[ℹ#|] {0,4}){0,2}all files {0,200}\|/iu;
/** Statements, branches, functions and lines; what follows are lists of lines, and counts. */
const COLUMNS = 4;
/**
 * A line with the totals of another tool: istanbul's summary, coverage.py, gcovr, llvm-cov, go, tarpaulin, SimpleCov,
 * PHPUnit, coverlet, lcov, kover; mutation scores as well.
 */
const TOTALS =
  /^TOTAL\s|^\| {0,200}Total {0,200}\||^total:\s|\bcoverage\b|\bmutation score\b|^(?:Statements|Branches|Functions|Lines|Methods|Classes|Paths)(?: {0,200}|\.{1,200}): {0,200}\d|\bLOC \(|\bKilled \d/iu;
const PERCENTAGE = /(?<![\d.])(\d{1,3}(?:\.\d{1,9})?) ?%/gu;

function percentagesIn(line: string): readonly number[] {
  if (ROW.test(line)) {
    const columns = line.split("|").map((column) => column.replace("%", "").trim());
    const values = columns.filter((column) => /^\d{1,3}(?:\.\d{1,9})?$/u.test(column));
    return values.slice(0, COLUMNS).map(Number);
  }
  if (!line.includes("%") || !TOTALS.test(line)) return [];
  return Array.from(line.matchAll(PERCENTAGE), ([, value]) => Number(value)).slice(0, COLUMNS);
}

/** How build tools and scripts say which part of a command has begun, or is done. */
const HEADINGS: readonly RegExp[] = [
  /^(> [\w@./-]{1,200}@\d\S{0,50} \S{1,100})/u, // npm, pnpm, bun: `> app@1.0.0 build`
  /^\$ (\S.{0,200})/u, // yarn
  /^(> Task :\S{1,200})/u, // gradle
  /^\[INFO\] -{3,} (\S{1,200}:\S{1,100}) /u, // maven
  /^\S{1,100}: (commands\[\d{1,3}\])> /u, // tox
  /^nox > (Running session \S{1,100})/u,
  /^(?:##\[group\]|::group::)(.{1,200})/u,
  /^(?:\S{1,3} )?((?:step|stage|phase) \d{1,3})\b/iu,
  /^(?:={1,100}>|-{1,100}>|>{2,100}|={3,100}|-{3,100}|#{2,100}|\*{3,100}) ?([a-z][\w .:@-]{0,80}?)(?: ?[=#*-]{3,100})?$/iu,
  /^(?!ok\b|test )([a-z][\w .@-]{0,60}?):? (?:ok|done|passed|succeeded)[.!]?$/iu,
];
/** What runners of tests and differences look like, which are no stages. */
const NO_STAGE =
  /\.{3} ok$|\b(?:fail\w{0,4}|errors?|pass|run|cont|pause|summary|warnings?|session starts|expected|actual|received|stdout|stderr|coverage|captured|tests?)\b/iu;

function stageIn(line: string): string | undefined {
  if (NO_STAGE.test(line) && !line.startsWith("> ")) return undefined;
  for (const heading of HEADINGS) {
    const [, stage] = heading.exec(line) ?? [];
    if (stage !== undefined) return stage.toLowerCase();
  }
  return undefined;
}

const NAME_LENGTH = 8;

/** What the checks counted, as the first 8 hex digits of a digest: passed and failed tests, coverage; null: not known. */
export function figuresOf(checks: readonly CheckResult[], digest: Digest): string | null {
  const known = checks.filter(({ tests, coverage }) => tests !== null || coverage !== undefined);
  if (known.length === 0) return null;
  const figures = known.map(({ command, tests, coverage }) => [command, tests?.passed, tests?.failed, coverage]);
  return digest(JSON.stringify(figures)).slice(0, NAME_LENGTH);
}

/**
 * How far the checks came, to be compared with how far the same checks came before: the stages that they told, those
 * whose tests ran, and those that are green; null: none ran to its end.
 */
export function reachOf(checks: readonly CheckResult[]): number | null {
  const ended = checks.filter(({ role, exitCode }) => role !== "story" && exitCode !== null);
  if (ended.length === 0) return null;
  return ended.reduce(
    (sum, { stages = 0, tests, exitCode }) => sum + stages + (tests === null ? 0 : 1) + (exitCode === 0 ? 1 : 0),
    0,
  );
}
