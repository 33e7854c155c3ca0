import { counted, duration, grouped, usd } from "../amounts.ts";
import { OUTCOMES } from "../../core/outcome.ts";
import { cut, line, type Line, oneLine } from "../plain-text.ts";
import { DASH, inColumns, known, leftOutWords, shortened, table } from "./lines.ts";
import type { Began, LoopStats } from "./loop-stats.ts";
import { countedBy, inUsd, type LeftOut, leftOutJson, provedOf, type Spread, spreadOf } from "./totals.ts";

/** One side of a comparison. */
export interface Side {
  /** as a person named it */
  readonly name: string;
  readonly loops: readonly LoopStats[];
  /** those that the name stands for as well, and that are not counted */
  readonly leftOut: readonly LeftOut[];
}

/** One figure of both sides; null: nothing is known of it. */
interface Measure {
  readonly what: string;
  readonly unit: "iterations" | "tokens" | "usd" | "ms" | "false starts";
  readonly sides: readonly [Spread | null, Spread | null];
}

/** Two sides with what they have in common. */
export interface Comparison {
  /** why they are not comparable, as a sentence; null: they are */
  readonly incomparable: string | null;
  /** of comparable ones, with the loops alone whose task both have had */
  readonly sides: readonly [Side, Side];
  /** how many loops of each had a task that the other side did not have */
  readonly without: readonly [number, number];
  /** what else may make the difference, a sentence each */
  readonly cautions: readonly string[];
  /** none of sides that are not comparable */
  readonly measures: readonly Measure[];
}

/** Fewer loops on a side are a hint and no more. */
const FEW = 5;

/**
 * Compares medians. Only loops with one task and the same checks are comparable, two single ones only when they began with
 * the same work as well, and nobody is compared with itself.
 */
export function compare(a: Side, b: Side): Comparison {
  const not = (why: string): Comparison => ({
    ...{ incomparable: why, sides: [a, b], without: [0, 0], cautions: [], measures: [] },
  });
  for (const { name, loops, leftOut } of [a, b]) {
    if (loops.length > 0) continue;
    const out = leftOut.length === 0 ? "" : ` Left out: ${leftOutWords(leftOut)}.`;
    return not(`${name} has no loop that is counted (n=0).${out}`);
  }
  if (a.loops.some((loop) => b.loops.includes(loop))) return not(`${a.name} and ${b.name} have loops in common.`);
  const tasksOf = ({ loops }: Side): ReadonlySet<string> => new Set(loops.map(({ taskDigest }) => taskDigest));
  const others = tasksOf(b);
  const common = new Set([...tasksOf(a)].filter((task) => others.has(task)));
  if (common.size === 0) return not(differentTasks(a, b));
  const narrowed = (side: Side): Side => ({
    ...side,
    loops: side.loops.filter(({ taskDigest }) => common.has(taskDigest)),
  });
  const sides = [narrowed(a), narrowed(b)] as const;
  const [first, second] = [onlyOf(sides[0]), onlyOf(sides[1])];
  const apart = first === undefined || second === undefined ? undefined : differentBeginnings(first, second);
  if (apart !== undefined) return not(apart);
  const without = [a.loops.length - sides[0].loops.length, b.loops.length - sides[1].loops.length] as const;
  return { incomparable: null, sides, without, cautions: cautionsOf(sides), measures: measuresOf(sides) };
}

/** The loop of a side that has no other one. */
function onlyOf({ loops }: Side): LoopStats | undefined {
  return loops.length === 1 ? loops[0] : undefined;
}

const WORDS_SHOWN = 80;

/** Why sides without a task in common are not comparable; of two single loops, in what their tasks differ. */
function differentTasks(a: Side, b: Side): string {
  const [first, second] = [onlyOf(a), onlyOf(b)];
  const nothing = "so their figures say nothing of each other.";
  if (first === undefined || second === undefined) return `They had different tasks or checks, ${nothing}`;
  if (first.promptDigest !== second.promptDigest) return `They had different tasks: their prompts differ, ${nothing}`;
  const [one, other] = [first, second].map(({ checks }) => cut(checks.join(", ") || "none", WORDS_SHOWN));
  return one === other
    ? `They had different tasks, ${nothing}`
    : `They had different checks, ${one} and ${other}, ${nothing}`;
}

/** Why two loops with one task are not comparable; undefined: they are, or it is not known with what they began. */
function differentBeginnings({ began: a }: LoopStats, { began: b }: LoopStats): string | undefined {
  if (a === null || b === null || workOf(a) === workOf(b)) return undefined;
  const [one, other] = [commitOf(a), commitOf(b)];
  return one === other
    ? `They began with different files on commit ${one}, so the work itself makes a difference.`
    : `They began at different commits, ${one} and ${other}, so the work itself makes a difference.`;
}

function commitOf({ head }: Began): string {
  return head === null ? "none" : head.slice(0, 12);
}

/** What tells apart the files that a loop began with. */
function workOf({ tree, nested = "" }: Began): string {
  return `${tree} ${nested}`;
}

/** What a reader has to know besides the figures. */
function cautionsOf(sides: readonly Side[]): readonly string[] {
  const loops = sides.flatMap((side) => side.loops);
  const began = new Set(loops.flatMap((loop) => (loop.began === null ? [] : [workOf(loop.began)])));
  const unknown = loops.filter((loop) => loop.began === null).length;
  const open = loops.filter(({ reason }) => reason === null || OUTCOMES[reason].resumableBy !== "nobody");
  const stand = countedBy(open.map(({ status }) => status)).map(([status, n]) => `${n} ${status}`);
  return [
    ...(began.size > 1
      ? [`They began with ${began.size} different states of the work, which is in the difference.`]
      : []),
    ...(unknown > 0
      ? [`With what work ${counted(unknown, "loop")} began is not known, and may make a difference.`]
      : []),
    ...(open.length > 0 ? [`What can still go on may take more in the end: ${stand.join(", ")}.`] : []),
    ...(sides.some((side) => side.loops.length < FEW)
      ? [`A side with fewer than ${FEW} loops is a hint, not a result.`]
      : []),
  ];
}

function measuresOf(sides: readonly [Side, Side]): readonly Measure[] {
  const row = (what: string, unit: Measure["unit"], valueOf: (loop: LoopStats) => number | null): Measure => {
    const spread = ({ loops }: Side): Spread | null => spreadOf(loops.map(valueOf));
    return { what, unit, sides: [spread(sides[0]), spread(sides[1])] };
  };
  return [
    row("Iterations to a proof", "iterations", ({ provedAt }) => provedAt),
    row("Tokens a loop", "tokens", ({ tokens }) => tokens),
    row("Cost a loop", "usd", ({ cost }) => cost),
    row("Time in turns a loop", "ms", ({ turnMs }) => turnMs),
    row("False starts a loop", "false starts", ({ falseStarts }) => falseStarts),
    row("Time saved a loop", "ms", ({ savedMs }) => savedMs),
  ];
}

/** B's median less A's; null where one is not known. */
function differenceOf({ sides: [a, b] }: Measure): number | null {
  return a === null || b === null ? null : b.median - a.median;
}

const TOLD: Readonly<Record<Measure["unit"], (value: number) => string>> = {
  iterations: shortened,
  tokens: (value) => grouped(Math.round(value)),
  usd: (value) => usd(value),
  ms: duration,
  "false starts": shortened,
};

/** A comparison for people. @param columns of the terminal; Infinity: there is none */
export function comparisonLines(comparison: Comparison, columns: number): readonly Line[] {
  const { incomparable, sides, without, cautions, measures } = comparison;
  if (incomparable !== null) return inColumns([line(`Not comparable: ${oneLine(incomparable)}`, "warn")], columns);
  const proved = ({ loops }: Side): string => `${provedOf(loops)} of ${loops.length}`;
  const rows = measures.map((measure) => [
    measure.what,
    ...measure.sides.map((spread) =>
      spread === null ? `${DASH} (n=0)` : `${TOLD[measure.unit](spread.median)} (n=${spread.n})`,
    ),
    signed(differenceOf(measure), TOLD[measure.unit]),
  ]);
  const names = sides.map(({ name, loops }) => `${oneLine(name)} (n=${loops.length})`);
  const head = ["Median", ...names, "Difference"];
  return [
    ...table([head, ["Proved", proved(sides[0]), proved(sides[1]), ""], ...rows], columns),
    ...inColumns(
      [
        ...withoutLine(oneLine(sides[0].name), without[0]),
        ...withoutLine(oneLine(sides[1].name), without[1]),
        ...cautions.map((caution) => line(caution, "dim")),
      ],
      columns,
    ),
  ];
}

function withoutLine(name: string, number: number): readonly Line[] {
  if (number === 0) return [];
  return [line(`Left out of ${name}: ${counted(number, "loop")} with a task that the other side has not had.`, "dim")];
}

function signed(difference: number | null, tell: (value: number) => string): string {
  return known(difference, (value) => (value === 0 ? "same" : `${value > 0 ? "+" : "-"}${tell(Math.abs(value))}`));
}

/** The same for machines. Money in USD; what is not known is null. */
export function comparisonJson(comparison: Comparison): object {
  const { incomparable, sides, without, cautions, measures } = comparison;
  const told = sides.map(({ name, loops, leftOut }) => ({
    name,
    n: loops.length,
    proved: provedOf(loops),
    loops: loops.map(({ loopId, generation, began }) => ({
      ...{ loop_id: loopId, generation },
      began: began && { commit: began.head, tree: began.tree },
    })),
    left_out: leftOut.map(leftOutJson),
  }));
  return {
    schema: 1,
    comparable: incomparable === null,
    why: incomparable,
    sides: told,
    left_out_for_their_task: without,
    cautions,
    measures: measures.map((measure) => {
      const inUnit = (value: number | null): number | null => (measure.unit === "usd" ? inUsd(value) : value);
      const side = (spread: Spread | null) => ({ n: spread?.n ?? 0, median: inUnit(spread?.median ?? null) });
      const { what, unit, sides: both } = measure;
      return { what, unit, sides: both.map(side), difference: inUnit(differenceOf(measure)) };
    }),
  };
}
