import { vetoOf } from "../claim/veto.ts";
import { isAccepted } from "../progress/strength.ts";
import type { LoopState } from "../state.ts";
import { hasChecks, successCheck, workUntil } from "../task.ts";
import { stop, type StopRule } from "./rule.ts";

/**
 * PRE 6: a plan whose items are all ticked before a turn is spent. The checks are asked once a run; what they
 * refuse is worked on, and so is what the last turn did not want to be believed in.
 */
export const nothingLeft: StopRule = (task, state, facts) => {
  const { checks } = task.identity;
  if (state.plan === null || facts.item !== null) return undefined;
  if (state.phase !== "ready" || isDoubted(state) || successCheck(checks) !== null) return undefined;
  if (!hasChecks(checks)) return stop({ kind: "plan_complete", verified: false });
  const verdict = state.first_check;
  if (verdict?.result === "passed" && isAccepted(task, state)) return stop({ kind: "plan_complete", verified: true });
  if (verdict?.result === "unrunnable") return stop({ kind: "gate_unrunnable", problem: verdict.problem });
  const deadline = workUntil(task.limits);
  const noTime = deadline !== null && facts.now >= deadline;
  if (verdict !== null || noTime) return undefined;
  return { do: "prove", evidence: { iteration: state.iteration, occasion: "claim", deadline } };
};

function isDoubted({ last_turn: turn }: LoopState): boolean {
  return turn !== null && (turn.failure !== null || vetoOf(turn.claim) !== null);
}
