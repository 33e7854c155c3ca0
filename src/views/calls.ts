import { hourEnds } from "../core/stop/limits.ts";
import type { Rate, LoopState } from "../core/state.ts";
import { grouped } from "./amounts.ts";

/** How the rate stands (R-22), as `--json` tells it. */
export interface Calls extends Rate {
  /** null: no limit, or the state's version did not keep it */
  readonly max: number | null;
  /** when the hour ends that is counted, which may be over; null: none has begun */
  readonly resets_at: string | null;
}

/** The calls of the agent against what is allowed. */
export function callsOf({ rate, bounds }: LoopState): Calls {
  const { hour_began: began, calls } = rate;
  return { hour_began: began, calls, max: bounds?.max_calls_per_hour ?? null, resets_at: hourEnds(rate) };
}

/** `12 of 100 in the hour until …` */
export function callsText(state: LoopState): string {
  const { calls, max, resets_at: ends } = callsOf(state);
  return `${grouped(calls)}${max === null ? "" : ` of ${grouped(max)}`}${ends === null ? "" : ` in the hour until ${ends}`}`;
}
