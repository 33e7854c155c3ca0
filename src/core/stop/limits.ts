import type { ProviderFailure } from "../agent.ts";
import type { Ports } from "../ports.ts";
import { tokensOf } from "../review/standing.ts";
import { workedMs } from "../cost/spent.ts";
import type { LoopState } from "../state.ts";
import { type Limits, MINIMUM_ITERATION_MS, type Task, workUntil } from "../task.ts";
import { stop, type StopRule } from "./rule.ts";
import { waitOrPark } from "./wait.ts";

/** PRE 8, POST 12 (W-39). */
export const maxIterations: StopRule = (task, state) => {
  const max = task.limits.maxIterations;
  return state.iteration >= max ? stop({ kind: "max_iterations", max }) : undefined;
};

/** PRE 9, POST 13: the optional token cap (C14). */
export const tokenCap: StopRule = (task, state) => {
  const max = task.limits.maxTokens;
  const spent = tokensOf(state);
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

/** The time is up while checks still have to run: they run first on resume. */
export const timeUp: StopRule = (task, _state, facts) => {
  const until = workUntil(task.limits);
  return until !== null && facts.now >= until ? stop({ kind: "time_budget" }) : undefined;
};

/** PRE 11: the loops of the repository have used what they may within a day, which ends at midnight (UTC). */
export const tokensPerDay: StopRule = (task, state, { now, tokensOfOthers: others = 0 }) => {
  const { maxTokensPerDay: max } = task.limits;
  if (max === null || tokensOn(state, now) + others < max) return undefined;
  const midnight = (Math.floor(now / DAY_MS) + 1) * DAY_MS;
  const parked = stop({ kind: "tokens_per_day", until: new Date(midnight).toISOString(), max });
  return waitOrPark(task.limits, now, midnight, "tokens_per_day", parked);
};

const DAY_MS = 86_400_000;

/** The tokens of the iterations that ended on the day of `now` (UTC), and of their reviews. */
export function tokensOn({ iterations }: Pick<LoopState, "iterations">, now: number): number {
  const day = Math.floor(now / DAY_MS);
  const today = iterations.filter(({ ended_at: ended }) => Math.floor(Date.parse(ended) / DAY_MS) === day);
  return today.reduce((sum, { tokens, review_tokens: reviewed = 0 }) => sum + tokens + reviewed, 0);
}

/** What other loops have used on the day of `now`; undefined: nobody asks, or nobody knows. */
export async function tokensOfOthers(
  { maxTokensPerDay: max }: Limits,
  ports: Pick<Ports, "tokensOfOthers">,
  now: number,
): Promise<number | undefined> {
  return max === null ? undefined : ports.tokensOfOthers?.(now);
}

/** How many tokens a turn may use that begins now, by the stricter cap; null: as many as it likes. */
export async function tokensLeft({ limits }: Task, state: LoopState, ports: Ports): Promise<number | null> {
  const now = ports.clock.now();
  const others = (await tokensOfOthers(limits, ports, now)) ?? 0;
  const left = [
    limits.maxTokens === null ? Infinity : limits.maxTokens - tokensOf(state),
    limits.maxTokensPerDay === null ? Infinity : limits.maxTokensPerDay - tokensOn(state, now) - others,
  ];
  const least = Math.min(...left);
  return least === Infinity ? null : Math.max(0, least);
}

/** A turn that was ended because it has used `used` tokens. */
export function overLimit(used: number): ProviderFailure {
  return {
    kind: "token_limit",
    message: `The turn was ended after ${used} tokens, which is all that the token limits left.`,
    retryable: false,
    next: "Its work is kept. Raise --max-tokens or --max-tokens-per-day, or ask for smaller steps.",
  };
}
