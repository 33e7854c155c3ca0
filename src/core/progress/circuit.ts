import { type Signals, type ProgressCounters, type Circuit, type CircuitTrigger, CLOSED } from "../state.ts";

/** The thresholds; 0 turns a trigger off (L-18 to L-21). */
export interface CircuitLimits {
  readonly missingStatus: number;
  readonly noProgress: number;
  readonly sameError: number;
  readonly testLoops: number;
  /** it opens at this multiple of the threshold; half open begins at the threshold, or one below it with 1 (C6) */
  readonly openMultiplier: number;
}

/** The state of the circuit after an iteration, by the first trigger that opens it, else by the first that warns (POST 11). */
export function circuitOf(counters: ProgressCounters, signals: Signals, limits: CircuitLimits): Circuit {
  const counts: readonly (readonly [CircuitTrigger, number, number])[] = [
    ["missing_status", signals.missing, limits.missingStatus],
    ["no_progress", counters.no_progress, limits.noProgress],
    ["same_error", counters.same_error, limits.sameError],
    ["test_loops", counters.test_loops, limits.testLoops],
  ];
  const judged = counts.map(([trigger, count, threshold]) => ({
    trigger,
    count,
    state: stateAt(count, threshold, limits.openMultiplier),
  }));
  return judged.find(({ state }) => state === "OPEN") ?? judged.find(({ state }) => state === "HALF_OPEN") ?? CLOSED;
}

/** At how many iterations a trigger warns, and at how many it opens the circuit (C6, R-16). */
export interface Marks {
  readonly warns: number;
  readonly opens: number;
}

export function marksOf(threshold: number, multiplier: number): Marks | null {
  if (threshold === 0) return null;
  const warns = multiplier > 1 ? threshold : threshold - 1;
  return { warns: Math.max(1, warns), opens: threshold * multiplier };
}

function stateAt(count: number, threshold: number, multiplier: number): Circuit["state"] {
  const marks = marksOf(threshold, multiplier);
  if (marks === null || count < marks.warns) return "CLOSED";
  return count >= marks.opens ? "OPEN" : "HALF_OPEN";
}
