import { stop, type StopRule } from "./rule.ts";

/** PRE 7, POST 11: the circuit is open (R-11, R-29, L-24); it stays so over runs and machines. */
export const circuitOpen: StopRule = (_task, { circuit: { state, trigger, count } }) =>
  state === "OPEN" && trigger !== null ? stop({ kind: trigger, count }) : undefined;
