import { setTimeout as sleep } from "node:timers/promises";

/** How often the clock is read while somebody sleeps: a machine that was suspended wakes up in time. */
const LONGEST_NAP_MS = 30_000;

/** The machine's own time; a `Clock` of the core. Times are in milliseconds since the epoch. */
export const systemClock = {
  now: (): number => Date.now(),

  /** Resolves at `at`, or as soon as `signal` aborts; never rejects. */
  async sleepUntil(at: number, signal: AbortSignal): Promise<void> {
    for (let left = at - Date.now(); left > 0 && !signal.aborted; left = at - Date.now()) {
      try {
        await sleep(Math.min(left, LONGEST_NAP_MS), undefined, { signal });
      } catch {
        return;
      }
    }
  },
};

/** Counts down. @returns what gives the milliseconds that are left, at least none */
export function timer(withinMs: number): () => number {
  const until = performance.now() + withinMs;
  return () => Math.max(0, until - performance.now());
}
