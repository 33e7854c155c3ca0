import { counted, duration, grouped, usd } from "../amounts.ts";
import { line, type Line, oneLine } from "../plain-text.ts";
import { DASH, known, shortened, table } from "./lines.ts";
import type { LoopStats } from "./loop-stats.ts";
import { inUsd, provedOf, type Spread, spreadOf } from "./totals.ts";

/** One side of a comparison. */
export interface Side {
  /** as a person named it */
  readonly name: string;
  readonly loops: readonly LoopStats[];
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
  /** none of sides that are not comparable */
  readonly measures: readonly Measure[];
}

/** Fewer loops on a side are a hint and no more. */
const FEW = 5;

/** Compares medians. Only loops with one task and the same checks are comparable, and nobody is compared with itself. */
export function compare(a: Side, b: Side): Comparison {
  const not = (why: string): Comparison => ({ incomparable: why, sides: [a, b], without: [0, 0], measures: [] });
  for (const { name, loops } of [a, b])
    if (loops.length === 0) return not(`${name} has no loop that is counted (n=0).`);
  if (a.loops.some((loop) => b.loops.includes(loop))) return not(`${a.name} and ${b.name} have loops in common.`);
  const tasksOf = ({ loops }: Side): ReadonlySet<string> => new Set(loops.map(({ taskDigest }) => taskDigest));
  const others = tasksOf(b);
  const common = new Set([...tasksOf(a)].filter((task) => others.has(task)));
  if (common.size === 0) return not("They had different tasks or checks, so their figures say nothing of each other.");
  const narrowed = ({ name, loops }: Side): Side => ({
    name,
    loops: loops.filter(({ taskDigest }) => common.has(taskDigest)),
  });
  const sides = [narrowed(a), narrowed(b)] as const;
  const without = [a.loops.length - sides[0].loops.length, b.loops.length - sides[1].loops.length] as const;
  return { incomparable: null, sides, without, measures: measuresOf(sides) };
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

/** A comparison for people. */
export function comparisonLines(comparison: Comparison): readonly Line[] {
  const { incomparable, sides, without, measures } = comparison;
  if (incomparable !== null) return [line(`Not comparable: ${oneLine(incomparable)}`, "warn")];
  const proved = ({ loops }: Side): string => `${provedOf(loops)} of ${loops.length}`;
  const rows = measures.map((measure) => [
    measure.what,
    ...measure.sides.map((spread) =>
      spread === null ? `${DASH} (n=0)` : `${TOLD[measure.unit](spread.median)} (n=${spread.n})`,
    ),
    signed(differenceOf(measure), TOLD[measure.unit]),
  ]);
  const names = sides.map(({ name, loops }) => `${oneLine(name)} (n=${loops.length})`);
  return [
    ...table([["Median", ...names, "Difference"], ["Proved", proved(sides[0]), proved(sides[1]), ""], ...rows]),
    ...withoutLine(oneLine(sides[0].name), without[0]),
    ...withoutLine(oneLine(sides[1].name), without[1]),
    ...(sides.some(({ loops }) => loops.length < FEW)
      ? [line(`A side with fewer than ${FEW} loops is a hint, not a result.`, "dim")]
      : []),
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
  const { incomparable, sides, without, measures } = comparison;
  const told = sides.map(({ name, loops }) => ({
    name,
    n: loops.length,
    proved: provedOf(loops),
    loops: loops.map(({ loopId, generation }) => ({ loop_id: loopId, generation })),
  }));
  return {
    schema: 1,
    comparable: incomparable === null,
    why: incomparable,
    sides: told,
    left_out_for_their_task: without,
    measures: measures.map((measure) => {
      const inUnit = (value: number | null): number | null => (measure.unit === "usd" ? inUsd(value) : value);
      const side = (spread: Spread | null) => ({ n: spread?.n ?? 0, median: inUnit(spread?.median ?? null) });
      const { what, unit, sides: both } = measure;
      return { what, unit, sides: both.map(side), difference: inUnit(differenceOf(measure)) };
    }),
  };
}
