import type { Bend } from "../bend.ts";
import { compareRows } from "./compare-rows.ts";
import { compareTests, type TestLoss, type TestPair } from "./compare-tests.ts";
import type { Ecosystem } from "./ecosystem.ts";
import { bendAt, type Lines } from "./found.ts";
import type { Reading, TestCase } from "./reading.ts";
import { newStubs } from "./stubs.ts";

/** A file of tests before and now, in its language. */
export interface ReadPair extends TestPair {
  readonly ecosystem: Ecosystem;
}

const EMPTIED = 10;
const MOST_REMOVED = 50;

/**
 * What the tests of files do not ask for any more. Files that lost nine tenths of their lines are told as emptied, by
 * others.
 *
 * @param added files that are new, where tests may have gone to
 */
export function lossesOf(pairs: readonly ReadPair[], added: readonly Reading[]): readonly Bend[] {
  const losses = compareTests(pairs, added);
  const arrived = added.reduce((sum, { cases, rows }) => sum + cases.length + rows.length, 0);
  return pairs.flatMap((pair, index) => {
    const loss = losses[index];
    return loss === undefined || isEmptied(pair)
      ? []
      : [...bendsOf(pair, loss), ...rowBends(pair, arrived), ...stubBends(pair)];
  });
}

function isEmptied({ before, after }: ReadPair): boolean {
  return after.code.tokens.length * EMPTIED < before.code.tokens.length;
}

function linesOf({ before, after }: ReadPair): Lines {
  return { before: before.lines, after: after.lines };
}

function bendsOf(pair: ReadPair, { loosened, removed, fewer }: TestLoss): readonly Bend[] {
  const [{ path }, lines] = [pair, linesOf(pair)];
  return [
    ...removed.slice(0, MOST_REMOVED).map((one) => {
      const now = leftover(one, pair);
      return bendAt("tests_removed", { path, was: one.line, now }, lines);
    }),
    ...loosened.map(({ kind, was, now }) => {
      const isValue = kind === "expectation_replaced" || kind === "snapshot_replaced";
      const [old, current] = isValue ? [was.expectedLine, now.expectedLine] : [was.line, now.line];
      return bendAt(kind, { path, was: old || was.line, now: current || now.line }, lines);
    }),
    ...fewer.map(({ was }) => ({
      ...bendAt("fewer_assertions", { path, was: was.line, now: null }, lines),
    })),
  ];
}

/** The line that still names a test that does not run: a comment, a branch that is never taken. */
function leftover({ name, line }: TestCase, { before, after }: ReadPair): number | null {
  const names = [String(before.lines[line - 1]).trim(), name.replaceAll(/^"|"$/gu, "").slice(0, 80)];
  const at = after.lines.findIndex((other) => names.some((one) => other.includes(one)));
  return at === -1 ? null : at + 1;
}

/** Rows of tables; one that became a test of its own is none. */
function rowBends(pair: ReadPair, arrived: number): readonly Bend[] {
  const { path, before, after } = pair;
  const rows = compareRows(before.rows, after.rows);
  const room =
    rows.arrived + arrived + Math.max(0, after.cases.length - before.cases.length + (after.rows.length === 0 ? 1 : 0));
  return [
    ...rows.replaced.map(({ was, now }) =>
      bendAt("expectation_replaced", { path, was: was.line, now: now.line }, linesOf(pair)),
    ),
    ...rows.gone
      .slice(room, room + MOST_REMOVED)
      .map(({ line }) => bendAt("tests_removed", { path, was: line, now: null }, linesOf(pair))),
  ];
}

function stubBends(pair: ReadPair): readonly Bend[] {
  const { path, before, after, ecosystem } = pair;
  return newStubs(path, before, after, ecosystem).map((line) =>
    bendAt("unit_stubbed", { path, was: null, now: line }, linesOf(pair)),
  );
}
