import { standingClaim } from "../claim/standing.ts";
import { isAccepted } from "../progress/strength.ts";
import type { LoopState } from "../state.ts";
import { hasChecks, successCheck, type Task } from "../task.ts";
import { stop, type StopRule } from "./rule.ts";

/** Whether the checks are green and that proves something (C21). */
export function isProved(task: Task, state: LoopState): boolean {
  return state.verdict?.result === "passed" && isAccepted(task, state);
}

/** POST 5: the success command is green; tokens are ignored (C7, S-18). */
export const successCommand: StopRule = (task, state) => {
  const command = successCheck(task.identity.checks);
  return command !== null && isProved(task, state) ? stop({ kind: "success_command", command }) : undefined;
};

/** POST 7: the agent claims to be done, and the checks agree or there are none (W-60, C5, C7). */
export const claimHolds: StopRule = (task, state) => {
  const { checks } = task.identity;
  if (successCheck(checks) !== null) return undefined;
  const kind = standingClaim(task, state);
  if (kind === null) return undefined;
  if (!hasChecks(checks)) return stop({ kind, verified: false });
  return isProved(task, state) ? stop({ kind, verified: true }) : undefined;
};
