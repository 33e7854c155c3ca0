import { hasChecks, successCheck } from "../task.ts";
import { stop, type StopRule } from "./rule.ts";

/** POST 5: the success command is green; tokens are ignored (C7, S-18). */
export const successCommand: StopRule = (task, state) => {
  const command = successCheck(task.identity.checks);
  return command !== null && state.verdict?.result === "passed"
    ? stop({ kind: "success_command", command })
    : undefined;
};

/** POST 7: the agent claims to be done, and the checks agree or there are none (W-60, C7). */
export const claimHolds: StopRule = (task, state) => {
  const { checks } = task.identity;
  if (successCheck(checks) !== null || state.last_turn?.claim.done !== true) return undefined;
  if (!hasChecks(checks)) return stop({ kind: "promise", verified: false });
  return state.verdict?.result === "passed" ? stop({ kind: "promise", verified: true }) : undefined;
};
