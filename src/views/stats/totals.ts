import { median, metricsOfTally, type Tally, tallyOfAll } from "../metrics.ts";
import type { LoopStats } from "./loop-stats.ts";

/** Why a loop is not counted. */
export type LeftOutReason = "running" | "unreadable" | "newer_version" | "older_copy";

/** Something that was looked at and is not counted. */
export interface LeftOut {
  readonly loopId: string;
  readonly where: string;
  readonly reason: LeftOutReason;
  /** for people, as part of a sentence */
  readonly why: string;
}

/** Loops that are counted, and those that are not. */
export interface Sample {
  readonly loops: readonly LoopStats[];
  readonly leftOut: readonly LeftOut[];
}

/** How some numbers lie; null of none. `n`: how many they are. */
export interface Spread {
  readonly n: number;
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

export function spreadOf(numbers: readonly (number | null)[]): Spread | null {
  const known = numbers.filter((number) => number !== null);
  const middle = median(known);
  if (middle === null) return null;
  const at = (pick: (a: number, b: number) => number): number => known.reduce(pick);
  return { n: known.length, median: middle, least: at((a, b) => Math.min(a, b)), most: at((a, b) => Math.max(a, b)) };
}

/** The whole of them; null as soon as one is not known, and of none. */
function sumOf(numbers: readonly (number | null)[]): number | null {
  if (numbers.length === 0) return null;
  return numbers.reduce((sum, number) => (sum === null || number === null ? null : sum + number), 0);
}

/** How many of them were proved. */
export function provedOf(loops: readonly LoopStats[]): number {
  return loops.filter(({ provedAt }) => provedAt !== null).length;
}

/** A loop that cost more than this many times the median is named. */
const COSTLY = 2;

/** What is told of all loops together; money in millionths of a USD, time in milliseconds. */
export function totalsOf(loops: readonly LoopStats[]) {
  const proofs = provedOf(loops);
  const each = (whole: number | null): number | null => (whole === null || proofs === 0 ? null : whole / proofs);
  const tokens = sumOf(loops.map((loop) => loop.tokens));
  const cost = sumOf(loops.map((loop) => loop.cost));
  const costs = spreadOf(loops.map(paidFor));
  const limit = costs === null ? Infinity : costs.median * COSTLY;
  const tallies = newestStories(loops);
  return {
    endings: countedBy(loops.map(({ status }) => status)),
    proofs,
    provedAt: spreadOf(loops.map(({ provedAt }) => provedAt)),
    ...{ tokens, cost, costs },
    /** all that was used, unproved loops included, by the proofs that came of it */
    perProof: { tokens: each(tokens), cost: each(cost) },
    runs: loops.reduce((sum, { runs }) => sum + runs, 0),
    falseStarts: sumOf(loops.map(({ falseStarts }) => falseStarts)),
    savedMs: sumOf(loops.map(({ savedMs }) => savedMs)),
    turnMs: loops.reduce((sum, { turnMs }) => sum + turnMs, 0),
    costly: loops.filter((loop) => (paidFor(loop) ?? 0) > limit),
    /** null: the events of no loop are there */
    metrics: tallies.length === 0 ? null : metricsOfTally(tallyOfAll(tallies)),
    eventsOf: tallies.length,
  };
}

export type Totals = ReturnType<typeof totalsOf>;

/** What a loop that took turns has cost: one that took none says nothing about others. */
function paidFor({ cost, turns }: LoopStats): number | null {
  return turns === 0 ? null : cost;
}

/** The stories of a loop's generations are the same ones: the newest tells of all of them. */
function newestStories(loops: readonly LoopStats[]): readonly Tally[] {
  const newest = new Map<string, number>();
  const familyOf = ({ loopId, where }: LoopStats): string => JSON.stringify([loopId, where]);
  for (const loop of loops) {
    if ((loop.tally?.stories ?? null) !== null)
      newest.set(familyOf(loop), Math.max(loop.generation, newest.get(familyOf(loop)) ?? 0));
  }
  return loops.flatMap((loop) => {
    if (loop.tally === null) return [];
    return [newest.get(familyOf(loop)) === loop.generation ? loop.tally : { ...loop.tally, stories: null }];
  });
}

/** How often each text comes, the most frequent first. */
export function countedBy<Text extends string>(texts: readonly Text[]): readonly (readonly [Text, number])[] {
  const counts = new Map<Text, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
}

/** A loop's name where several generations of it, or loops of other places, may stand beside it. */
export function nameOf({ loopId, generation }: Pick<LoopStats, "loopId" | "generation">): string {
  return generation === 1 ? loopId : `${loopId} #${generation}`;
}

/** The same for machines: `smithers stats --json`. Money in USD; what is not known is null. */
export function statsJson({ loops, leftOut }: Sample): object {
  const totals = totalsOf(loops);
  const { provedAt, costs } = totals;
  return {
    schema: 1,
    loops: loops.map(loopJson),
    totals: {
      loops: loops.length,
      endings: Object.fromEntries(totals.endings),
      proved: totals.proofs,
      iterations_to_proof: provedAt,
      tokens: totals.tokens,
      cost_usd: inUsd(totals.cost),
      tokens_per_proof: totals.perProof.tokens,
      cost_usd_per_proof: inUsd(totals.perProof.cost),
      cost_usd_per_loop: costs && {
        n: costs.n,
        median: inUsd(costs.median),
        least: inUsd(costs.least),
        most: inUsd(costs.most),
      },
      runs: totals.runs,
      false_starts: totals.falseStarts,
      turn_ms: totals.turnMs,
      saved_ms: totals.savedMs,
      over_twice_median_cost: totals.costly.map(({ loopId, generation }) => ({ loop_id: loopId, generation })),
      events_of: totals.eventsOf,
      metrics: totals.metrics,
    },
    left_out: leftOut.map(leftOutJson),
  };
}

export function leftOutJson({ loopId, where, reason, why }: LeftOut): object {
  return { loop_id: loopId, where, reason, why };
}

function loopJson(loop: LoopStats): object {
  return {
    loop_id: loop.loopId,
    generation: loop.generation,
    where: loop.where || ".",
    status: loop.status,
    reason: loop.reason,
    providers: loop.providers,
    models: loop.models,
    task_digest: loop.taskDigest,
    checks: loop.checks,
    began: loop.began && { commit: loop.began.head, tree: loop.began.tree },
    iterations: loop.iterations,
    proved_at: loop.provedAt,
    runs: loop.runs,
    false_starts: loop.falseStarts,
    turns: loop.turns,
    tokens: loop.tokens,
    cost_usd: inUsd(loop.cost),
    turn_ms: loop.turnMs,
    saved_ms: loop.savedMs,
    events_problem: loop.eventsProblem,
  };
}

export function inUsd(millionths: number | null): number | null {
  return millionths === null ? null : Math.round(millionths) / 1_000_000;
}
