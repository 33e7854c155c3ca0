import { hasChecks, successCheck, workUntil } from "../task.ts";
import { stop, type StopRule } from "./rule.ts";

/** A check that could not be started proves nothing, and nothing is lost: it is asked again on resume. */
export const gateUnrunnable: StopRule = (_task, state) =>
  state.verdict?.result === "unrunnable"
    ? stop({ kind: "gate_unrunnable", problem: state.verdict.problem })
    : undefined;

/** A success command is asked after every turn, the other checks when the agent claims to be done (C7). */
export const prove: StopRule = (task, state) => {
  const { checks } = task.identity;
  const deadline = workUntil(task.limits);
  if (successCheck(checks) !== null) {
    return { do: "prove", evidence: { iteration: state.iteration, occasion: "turn", deadline } };
  }
  if (!hasChecks(checks) || state.last_turn?.claim.done !== true) return undefined;
  return { do: "prove", evidence: { iteration: state.iteration, occasion: "claim", deadline } };
};
