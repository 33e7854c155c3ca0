import { type Signals, type Circuit, type CircuitTrigger, CLOSED } from "../state.ts";
import type { ProgressCounters } from "./progress-counters.ts";

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
  const counts = circuitCounts(counters, signals);
  const thresholds: readonly (readonly [CircuitTrigger, number])[] = [
    ["missing_status", limits.missingStatus],
    ["no_progress", limits.noProgress],
    ["same_error", limits.sameError],
    ["test_loops", limits.testLoops],
  ];
  const judged = thresholds.map(([trigger, threshold]) => ({
    trigger,
    count: counts[trigger],
    state: stateAt(counts[trigger], threshold, limits.openMultiplier),
  }));
  return judged.find(({ state }) => state === "OPEN") ?? judged.find(({ state }) => state === "HALF_OPEN") ?? CLOSED;
}

/** What each trigger counts. A failure that comes back is the same error, whatever was between (C23). */
export function circuitCounts(
  { no_progress, same_error, recurring, test_loops }: ProgressCounters,
  { missing }: Signals,
): Readonly<Record<CircuitTrigger, number>> {
  return { missing_status: missing, no_progress, same_error: Math.max(same_error, recurring), test_loops };
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
