import type { AgentEvent } from "../core/agent.ts";
import type { LoopEvent } from "../core/events.ts";
import type { CheckEvent } from "../core/ports.ts";
import type { LoopState } from "../core/state.ts";
import { duration, grouped } from "./amounts.ts";
import { activityOf, checkLine, refusedClaim, waitText } from "./event-lines.ts";
import { fit, line, type Line } from "./plain-text.ts";

/** What the live view shows now. Moments are in milliseconds since the epoch. */
export interface Live {
  readonly startedAt: number;
  /** when the time budget ends; null: no limit */
  readonly deadline: number | null;
  readonly iteration: number;
  readonly maxIterations: number;
  readonly tokens: number;
  readonly activity: string;
  /** the checks of this iteration so far */
  readonly checks: readonly Line[];
}

/** The live view of a run that begins at `startedAt`. */
export function beginLive(startedAt: number, deadline: number | null): Live {
  return { startedAt, deadline, iteration: 0, maxIterations: 0, tokens: 0, activity: "starting", checks: [] };
}

/** Takes one durable event. */
export function reportLive(live: Live, event: LoopEvent, state: LoopState): Live {
  const { iteration, max_iterations: maxIterations, spent } = state;
  const checks = event.type === "turn_started" ? [] : live.checks;
  return { ...live, iteration, maxIterations, tokens: spent.tokens, checks, activity: activityAt(live, event, state) };
}

function activityAt({ activity }: Live, event: LoopEvent, state: LoopState): string {
  if (event.type === "turn_started") return "the agent is starting";
  if (event.type === "turn_ended") return "the turn has ended";
  if (event.type === "wait_started") return waitText(event, state.not_before);
  return event.type === "proved" ? (refusedClaim(event.verdict, state) ?? activity) : activity;
}

/** Takes one fleeting event. */
export function observeLive(live: Live, event: AgentEvent | CheckEvent): Live {
  if (event.type === "check.ended") return { ...live, checks: [...live.checks, checkLine(event.check)] };
  return { ...live, activity: activityOf(event) ?? live.activity };
}

/** The lines of the live view, none wider than `columns`. */
export function liveFrame(live: Live, now: number, columns: number): readonly Line[] {
  const left = live.deadline === null ? "" : `, ${duration(Math.max(live.deadline - now, 0))} left`;
  const head = `Iteration ${live.iteration} of ${live.maxIterations} | ${duration(now - live.startedAt)}${left} | ${grouped(live.tokens)} tokens`;
  const below = [line(live.activity, "dim"), ...live.checks].map(({ text, tone }) => line(`  ${text}`, tone));
  return [line(head, "strong"), ...below].map(({ text, tone }) => line(fit(text, columns), tone));
}

/**
 * What a log says of a run that is busy but silent: `still: the agent runs: npm test (4 min); 1,234 tokens; 41 min left`.
 *
 * @param since when the present activity began, in milliseconds since the epoch
 */
export function heartbeat(live: Live, since: number, now: number): string {
  const left = live.deadline === null ? "" : `; ${Math.max(Math.floor((live.deadline - now) / 60_000), 0)} min left`;
  return `[${live.iteration}/${live.maxIterations}] still: ${live.activity} (${duration(now - since)}); ${grouped(live.tokens)} tokens${left}`;
}
