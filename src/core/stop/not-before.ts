import { MINIMUM_ITERATION_MS, workUntil } from "../task.ts";
import { stop, type StopRule } from "./rule.ts";

/**
 * PRE 11: the interval between iterations, or a limit of the provider that has not ended yet. A limit is waited for
 * inside the run when it is short and leaves time for an iteration; otherwise the loop is parked (C12, R-30).
 */
export const notBefore: StopRule = (task, state, facts) => {
  if (state.not_before === null) return undefined;
  const { why, message } = state.not_before;
  const until = Date.parse(state.not_before.until);
  if (until <= facts.now) return undefined;
  if (why === "interval") return { do: "wait", until, why };
  const end = workUntil(task.limits);
  const fits = until - facts.now <= task.limits.maxWaitMs && (end === null || end - until >= MINIMUM_ITERATION_MS);
  return fits ? { do: "wait", until, why } : stop({ kind: why, until: state.not_before.until, message });
};
