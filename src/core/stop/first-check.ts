import type { Problem } from "../errors.ts";
import { isAccepted } from "../progress/strength.ts";
import type { LoopState } from "../state.ts";
import { hasCommands, successCheck, type Task, workUntil } from "../task.ts";
import { isUntouched } from "../untouched.ts";
import { stop, type Facts, type Move, type StopRule } from "./rule.ts";

/**
 * PRE 6: the checks before the first turn. A success command is asked once a run, and work that is green already costs no
 * turn. Quality commands, which are never enough (C7), are asked once a loop, so that it is known what failed before the
 * agent came and how many tests there were. When the time is up checks could only be cut off, so they are not asked.
 */
export const firstCheck: StopRule = (task, state, facts) => {
  if (!hasCommands(task.identity.checks) || !task.runtime.checkFirst) return undefined;
  const verdict = state.first_check;
  if (verdict === null) return asksNow(task, state, facts) ? ask(task, state, facts) : undefined;
  if (verdict.result === "unrunnable")
    return stop({ kind: "gate_unrunnable", problem: beforeAll(state, verdict.problem) });
  return verdict.result === "passed" ? alreadyGreen(task, state) : undefined;
};

/** What the agent has yet to make need not be there before it comes. */
function beforeAll(state: LoopState, problem: Problem): Problem {
  if (!isUntouched(state)) return problem;
  return { ...problem, next: `${problem.next} Where the agent is to make what is missing, use --no-check-first.` };
}

/** A plan that is ticked off already is for `nothingLeft`. */
function asksNow({ identity: { checks } }: Task, state: LoopState, { item }: Facts): boolean {
  return successCheck(checks) !== null || (isUntouched(state) && item !== null);
}

function ask({ limits }: Task, { iteration }: LoopState, { now }: Facts): Move | undefined {
  const deadline = workUntil(limits);
  if (deadline !== null && now >= deadline) return undefined;
  return { do: "prove", evidence: { iteration, occasion: "first", deadline } };
}

/**
 * CI is not asked before a turn, so with CI the work is not proved yet; nor is it by a green check that proves little
 * (C21). Once a turn was spent all the same, the checks of the turn have the say.
 */
function alreadyGreen(task: Task, state: LoopState): Move | undefined {
  const { checks } = task.identity;
  const command = successCheck(checks);
  if (command === null || checks.ci !== null || state.phase !== "ready" || !isAccepted(task, state)) return undefined;
  return stop({ kind: greenBy(state), command });
}

/** Green after a turn that died with its run is that turn's work, not work that was green already. */
function greenBy(state: LoopState): "already_green" | "success_command" {
  return state.iterations.at(-1)?.agent === "abandoned" ? "success_command" : "already_green";
}
