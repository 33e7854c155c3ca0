import { rateAt } from "../../core/stop/limits.ts";
import type { LoopState } from "../../core/state.ts";
import type { Moment } from "./layout.ts";

/** The calls of the agent in the hour that was counted when the state was written. */
export function callsIn({ rate, updated_at: at }: LoopState): ReturnType<typeof rateAt> {
  return rateAt(rate, Date.parse(at));
}

/** `.call_count`: the calls of this hour (R-21, L-22). */
export function callCount({ state }: Moment): string {
  return `${callsIn(state).calls}\n`;
}

/** `.last_reset`: when the count began (R-21, L-22). */
export function lastReset({ state }: Moment): string {
  return `${state.rate.hour_began ?? state.created_at}\n`;
}
