import type { ProgressCounters } from "./progress-counters.ts";

/** Failures that come and go: what tells getting further from going to and fro. */
type Failures = Pick<ProgressCounters, "failures_seen" | "recurring">;

const KEPT_FAILURES = 50;

/**
 * Counts how often another failure than the last one is one that the loop has had since it last got further: failures
 * that take turns, and numbers of them that rise and fall (C23).
 *
 * @param failure see `IterationFacts`
 * @param others whether other tests fail than the last time, see `IterationFacts.failing`
 */
export function countRecurring(
  { failures_seen: seen, recurring }: Failures,
  failure: string | null,
  { further, green, others = false }: { readonly further: boolean; readonly green: boolean; readonly others?: boolean },
): Failures {
  const known = failure === null ? [] : [failure];
  if (further || green) return { failures_seen: known, recurring: 0 };
  // As many fail as before: others, none of which is green for the first time, only take turns.
  if (failure === null || failure === seen.at(-1))
    return { failures_seen: seen, recurring: recurring + Number(others) };
  return {
    failures_seen: [...seen.filter((one) => one !== failure), failure].slice(-KEPT_FAILURES),
    recurring: recurring + (seen.includes(failure) ? 1 : 0),
  };
}

/** What the agent was not allowed to do. */
type Denials = Pick<ProgressCounters, "denied" | "denied_again">;

/**
 * Counts the turns in a row in which the same thing was denied again (C33).
 *
 * @param now what was denied in the turn, by digests
 * @param advanced whether the checks or the checklist got further since the turn before, so that it can do without
 */
export function countDenied(
  { denied, denied_again: again }: Denials,
  now: readonly string[],
  advanced: boolean,
): Denials {
  const isSame = now.some((one) => denied.includes(one));
  return { denied: [...now], denied_again: isSame && !advanced ? again + 1 : 0 };
}

const KEPT_FIGURES = 100;

/** Whether the figures of the checks are none that the loop has had. The first that it knows are where it begins. */
export function areNew(known: readonly string[], figures: string | null): boolean {
  return figures !== null && known.length > 0 && !known.includes(figures);
}

/** Keeps the figures, the newest last. */
export function withFigures(known: readonly string[], figures: string | null): readonly string[] {
  return figures === null ? known : [...known.filter((one) => one !== figures), figures].slice(-KEPT_FIGURES);
}
