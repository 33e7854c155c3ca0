import { rateAt } from "../rate.ts";
import { waitOrPark } from "./not-before.ts";
import { stop, type StopRule } from "./rule.ts";

/** PRE 11: the loop has called the agent as often as it may within an hour (R-30, R-32, L-07, L-14). */
export const callsPerHour: StopRule = (task, { rate }, { now }) => {
  const { maxCallsPerHour: max } = task.limits;
  const { calls, resetsAt } = rateAt(rate, now);
  if (max === null || resetsAt === null || calls < max) return undefined;
  const parked = stop({ kind: "calls_per_hour", until: new Date(resetsAt).toISOString(), max });
  return waitOrPark(task.limits, { now, until: resetsAt, why: "calls_per_hour", parked });
};
