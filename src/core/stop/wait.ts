import type { ProviderFailure } from "../agent.ts";
import type { NotBefore, Rate, WaitReason } from "../state.ts";
import { type Limits, MINIMUM_ITERATION_MS, workUntil } from "../task.ts";
import { type Move, stop, type StopRule } from "./rule.ts";

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
export function waitOrPark(limits: Limits, now: number, until: number, why: WaitReason, parked: Move): Move {
  const end = workUntil(limits);
  const fits = until - now <= limits.maxWaitMs && (end === null || end - until >= MINIMUM_ITERATION_MS);
  return fits ? { do: "wait", until, why } : parked;
}

const HOUR_MS = 3_600_000;

/**
 * The calls of the current hour, and when they are forgotten; null: no hour has begun. In milliseconds since the epoch;
 * the clock of another machine may be a little ahead of `now`.
 */
export function rateAt({ hour_began: began, calls }: Rate, now: number) {
  if (began === null || Math.abs(now - Date.parse(began)) >= HOUR_MS) return { calls: 0, resetsAt: null };
  return { calls, resetsAt: Date.parse(began) + HOUR_MS };
}

/** When the hour that was counted last ends; null: none yet. */
export function hourEnds({ hour_began: began }: Rate): string | null {
  return began === null ? null : new Date(Date.parse(began) + HOUR_MS).toISOString();
}

/** A turn is a call as soon as it begins: one that the provider refuses gives its iteration back, yet it was asked. */
export function countCall(rate: Rate, at: string): Rate {
  const { calls, resetsAt } = rateAt(rate, Date.parse(at));
  return resetsAt === null ? { hour_began: at, calls: 1 } : { ...rate, calls: calls + 1 };
}

/** How long to wait for a limit whose end the provider does not tell, or puts in the past, in milliseconds. */
const UNKNOWN_RESET_MS = { rate_limited: 60_000, usage_limit: 3_600_000 } as const;

/** POST 3: no turn before the end of the limit that the agent's service named; null: none named. */
export function limitOf(failure: ProviderFailure, at: string): NotBefore | null {
  const { kind } = failure;
  if (kind !== "rate_limited" && kind !== "usage_limit") return null;
  const now = Date.parse(at);
  const told = failure.resetsAt ?? now;
  const until = told > now ? told : now + UNKNOWN_RESET_MS[kind];
  return {
    until: new Date(until).toISOString(),
    why: kind === "rate_limited" ? "rate_limit" : kind,
    message: failure.message,
  };
}
