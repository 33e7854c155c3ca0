import { standingClaim } from "../claim/standing.ts";
import type { LoopState } from "../state.ts";
import { hasChecks, successCheck, workUntil, type Task } from "../task.ts";
import type { Evidence } from "../verdict.ts";
import { stop, type StopRule } from "./rule.ts";

/** A check that could not be started proves nothing, and nothing is lost: it is asked again on resume. */
export const gateUnrunnable: StopRule = (_task, state) =>
  state.verdict?.result === "unrunnable"
    ? stop({ kind: "gate_unrunnable", problem: state.verdict.problem })
    : undefined;

/**
 * What is to be proved of a turn: a success command after every turn, the other checks when the agent claims to be done
 * (C7); undefined when there is nothing to prove.
 */
export function evidenceOf(task: Task, state: LoopState): Evidence | undefined {
  const { checks } = task.identity;
  const { iteration } = state;
  const deadline = workUntil(task.limits);
  if (successCheck(checks) !== null) return { iteration, occasion: "turn", deadline };
  const claimed = standingClaim(task, state) !== null;
  return hasChecks(checks) && claimed ? { iteration, occasion: "claim", deadline } : undefined;
}
