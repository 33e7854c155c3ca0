import { workedMs } from "../state.ts";
import { MINIMUM_ITERATION_MS, workUntil } from "../task.ts";
import { stop, type StopRule } from "./rule.ts";

/** PRE 8, POST 12 (W-39). */
export const maxIterations: StopRule = (task, state) => {
  const max = task.limits.maxIterations;
  return state.iteration >= max ? stop({ kind: "max_iterations", max }) : undefined;
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
