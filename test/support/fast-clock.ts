import { setImmediate as nextTurn } from "node:timers/promises";
import type { Clock } from "../../src/core/ports.ts";

/** A longer sleep waits for time that others let pass; milliseconds. */
const NAP_MS = 60_000;

export interface FastClock extends Clock {
  /** Does something when that moment has come. */
  at(moment: number, happens: () => void): void;
}

/** A clock on which short sleeps take no time: they move it. */
export function fastClock(): FastClock {
  let now = Date.now();
  const waiting: { readonly at: number; readonly wake: () => void }[] = [];
  const moveTo = (moment: number): void => {
    now = Math.max(now, moment);
    for (const due of waiting.filter(({ at }) => at <= now)) {
      waiting.splice(waiting.indexOf(due), 1);
      due.wake();
    }
  };
  const until = async (at: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      waiting.push({ at, wake: resolve });
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
  return {
    now: () => now,
    at: (moment, happens) => void waiting.push({ at: moment, wake: happens }),
    async sleepUntil(at, signal) {
      if (signal.aborted) return;
      if (at - now >= NAP_MS) return until(at, signal);
      moveTo(at);
      await nextTurn();
    },
  };
}
