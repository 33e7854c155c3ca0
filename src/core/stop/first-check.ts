import { isAccepted } from "../progress/strength.ts";
import type { LoopState } from "../state.ts";
import { successCheck, workUntil } from "../task.ts";
import { stop, type StopRule } from "./rule.ts";

/**
 * PRE 6: asked once a run, before the first turn; work that is green already costs no turn. When the time is up the
 * check could only be cut off, so it is not asked. CI is not asked before a turn, so with CI the work is not proved yet;
 * nor is it by a green check that proves little (C21).
 */
export const firstCheck: StopRule = (task, state, facts) => {
  const command = successCheck(task.identity.checks);
  if (command === null || !task.runtime.checkFirst) return undefined;
  const verdict = state.first_check;
  if (verdict === null) {
    const deadline = workUntil(task.limits);
    if (deadline !== null && facts.now >= deadline) return undefined;
    return { do: "prove", evidence: { iteration: state.iteration, occasion: "first", deadline } };
  }
  const proves = verdict.result === "passed" && task.identity.checks.ci === null && isAccepted(task, state);
  if (proves) return stop({ kind: greenBy(state), command });
  return verdict.result === "unrunnable" ? stop({ kind: "gate_unrunnable", problem: verdict.problem }) : undefined;
};

/** Green after a turn that died with its run is that turn's work, not work that was green already. */
function greenBy(state: LoopState): "already_green" | "success_command" {
  return state.iterations.at(-1)?.agent === "abandoned" ? "success_command" : "already_green";
}
