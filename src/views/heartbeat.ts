import { duration, grouped } from "./amounts.ts";
import type { Live } from "./live.ts";

/**
 * What a log says of a run that is busy but silent: `still: the agent runs: npm test (4 min); 1,234 tokens; 41 min left`.
 *
 * @param since when the present activity began, in milliseconds since the epoch
 */
export function heartbeat(live: Live, since: number, now: number): string {
  const left = live.deadline === null ? "" : `; ${Math.max(Math.floor((live.deadline - now) / 60_000), 0)} min left`;
  return `[${live.iteration}/${live.maxIterations}] still: ${live.activity} (${duration(now - since)}); ${grouped(live.tokens)} tokens${left}`;
}
