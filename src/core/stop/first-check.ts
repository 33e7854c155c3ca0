import { successCheck } from "../task.ts";
import { workUntil } from "../task.ts";
import { stop, type StopRule } from "./rule.ts";

/** PRE 6: asked once a run, before the first turn; work that is green already costs no turn. */
export const firstCheck: StopRule = (task, state) => {
  const command = successCheck(task.identity.checks);
  if (command === null || !task.runtime.checkFirst) return undefined;
  const verdict = state.first_check;
  if (verdict === null) {
    const deadline = workUntil(task.limits);
    return { do: "prove", evidence: { iteration: state.iteration, occasion: "first", deadline } };
  }
  if (verdict.result === "passed") return stop({ kind: "already_green", command });
  return verdict.result === "unrunnable" ? stop({ kind: "gate_unrunnable", problem: verdict.problem }) : undefined;
};
