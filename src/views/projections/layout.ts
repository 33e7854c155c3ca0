import type { LoopEvent } from "../../core/events.ts";
import { rateAt } from "../../core/stop/wait.ts";
import type { LoopState } from "../../core/state.ts";

/** A loop right after an event. */
export interface Moment {
  readonly event: LoopEvent;
  readonly state: LoopState;
}

/** The state files of another tool, which are written and never read (C11). Pure: every text follows from the moment. */
export interface Layout {
  /** the folder of its files, relative to its root; "" for the root itself */
  readonly folder: string;
  /** the files that are replaced as a whole: their text at a moment */
  readonly files: Readonly<Record<string, (moment: Moment) => string>>;
  /** the files that only grow: the line that a moment adds, without its end; undefined: none */
  readonly logs: Readonly<Record<string, (moment: Moment) => string | undefined>>;
}

/** The text of a JSON file. */
export function json(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

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
