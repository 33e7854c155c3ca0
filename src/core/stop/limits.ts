import { workedMs, type WaitReason, type Rate } from "../state.ts";
import { MINIMUM_ITERATION_MS, workUntil, type Limits } from "../task.ts";
import { stop, type StopRule, type Move } from "./rule.ts";

/** PRE 8, POST 12 (W-39). */
export const maxIterations: StopRule = (task, state) => {
  const max = task.limits.maxIterations;
  return state.iteration >= max ? stop({ kind: "max_iterations", max }) : undefined;
};

/** PRE 9, POST 13: the optional token cap (C14). */
export const tokenCap: StopRule = (task, state) => {
  const max = task.limits.maxTokens;
  const spent = state.spent.tokens;
  return max !== null && spent >= max ? stop({ kind: "tokens", spent, max }) : undefined;
};

/** PRE 9, POST 13: the optional cap of working time over all runs, which no resume resets. */
export const totalTime: StopRule = (task, state) => {
  const max = task.limits.maxTotalMs;
  const spent = workedMs(state.spent);
  return max !== null && spent >= max ? stop({ kind: "total_time", spent, max }) : undefined;
};

/** PRE 10, POST 13: no iteration begins that cannot end before the reserve. */
export const timeReserve: StopRule = (task, state, facts) => {
  const until = workUntil(task.limits);
  if (until === null) return undefined;
  const interval = state.not_before?.why === "interval" ? Date.parse(state.not_before.until) : facts.now;
  const start = Math.max(facts.now, interval);
  return until - start < MINIMUM_ITERATION_MS ? stop({ kind: "time_budget" }) : undefined;
};

/** The time is up while checks still have to run: they run first when the loop is resumed. */
export const timeUp: StopRule = (task, _state, facts) => {
  const until = workUntil(task.limits);
  return until !== null && facts.now >= until ? stop({ kind: "time_budget" }) : undefined;
};

/** PRE 11: the loop has called the agent as often as it may within an hour (R-30, R-32, L-07, L-14). */
export const callsPerHour: StopRule = (task, { rate }, { now }) => {
  const { maxCallsPerHour: max } = task.limits;
  const { calls, resetsAt } = rateAt(rate, now);
  if (max === null || resetsAt === null || calls < max) return undefined;
  const parked = stop({ kind: "calls_per_hour", until: new Date(resetsAt).toISOString(), max });
  return waitOrPark(task.limits, now, resetsAt, "calls_per_hour", parked);
};

/** PRE 11: the interval between iterations, or a limit of the provider that has not ended yet. */
export const notBefore: StopRule = (task, state, { now }) => {
  if (state.not_before === null) return undefined;
  const { why, message } = state.not_before;
  const until = Date.parse(state.not_before.until);
  if (until <= now) return undefined;
  if (why === "interval") return { do: "wait", until, why };
  const parked = stop({ kind: why, until: state.not_before.until, message });
  return waitOrPark(task.limits, now, until, why, parked);
};

/**
 * A limit is waited for inside the run when it is short and leaves time for an iteration; otherwise the loop is parked
 * (C12, R-30).
 */
function waitOrPark(limits: Limits, now: number, until: number, why: WaitReason, parked: Move): Move {
  const end = workUntil(limits);
  const fits = until - now <= limits.maxWaitMs && (end === null || end - until >= MINIMUM_ITERATION_MS);
  return fits ? { do: "wait", until, why } : parked;
}

const HOUR_MS = 3_600_000;

/**
 * The calls of the hour that is under way, and when they are forgotten; null: no hour has begun. In milliseconds since the
 * epoch; the clock of another machine may be a little ahead of `now`.
 */
export function rateAt({ hour_began: began, calls }: Rate, now: number) {
  if (began === null || Math.abs(now - Date.parse(began)) >= HOUR_MS) return { calls: 0, resetsAt: null };
  return { calls, resetsAt: Date.parse(began) + HOUR_MS };
}

/** When the hour that was counted last ends; null: none has begun. */
export function hourEnds({ hour_began: began }: Rate): string | null {
  return began === null ? null : new Date(Date.parse(began) + HOUR_MS).toISOString();
}

/** A turn is a call as soon as it begins: one that the provider refuses gives its iteration back, yet it was asked. */
export function countCall(rate: Rate, at: string): Rate {
  const { calls, resetsAt } = rateAt(rate, Date.parse(at));
  return resetsAt === null ? { hour_began: at, calls: 1 } : { ...rate, calls: calls + 1 };
}
