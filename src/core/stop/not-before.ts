import type { WaitReason } from "../state.ts";
import { MINIMUM_ITERATION_MS, workUntil, type Limits } from "../task.ts";
import { stop, type Move, type StopRule } from "./rule.ts";

/** PRE 11: the interval between iterations, or a limit of the provider that has not ended yet. */
export const notBefore: StopRule = (task, state, { now }) => {
  if (state.not_before === null) return undefined;
  const { why, message } = state.not_before;
  const until = Date.parse(state.not_before.until);
  if (until <= now) return undefined;
  if (why === "interval") return { do: "wait", until, why };
  const parked = stop({ kind: why, until: state.not_before.until, message });
  return waitOrPark(task.limits, { now, until, why, parked });
};

/** A limit that has not ended yet; times in milliseconds since the epoch. */
interface Limited {
  readonly now: number;
  readonly until: number;
  readonly why: WaitReason;
  readonly parked: Move;
}

/**
 * A limit is waited for inside the run when it is short and leaves time for an iteration; otherwise the loop is parked
 * (C12, R-30).
 */
export function waitOrPark(limits: Limits, { now, until, why, parked }: Limited): Move {
  const end = workUntil(limits);
  const fits = until - now <= limits.maxWaitMs && (end === null || end - until >= MINIMUM_ITERATION_MS);
  return fits ? { do: "wait", until, why } : parked;
}
