import { isUntouchedRepair, type Repair } from "../repair/repair.ts";
import type { LoopState } from "../state.ts";
import type { Task } from "../task.ts";
import type { Verdict } from "../verdict.ts";
import { type Move, stop, type StopRule } from "./rule.ts";

/**
 * PRE 6 of a failed run (C102): checks that are green here before anybody has worked on it do not show what CI has shown.
 * Where CI itself proves the work the agent gets the log; else nothing could prove it, and no turn is spent.
 *
 * @returns undefined: a turn, or the rules that follow, decide
 */
export function greenUntouched({ identity }: Task, state: LoopState): Move | undefined {
  const { repair } = state;
  return repair === null || identity.checks.ci !== null ? undefined : notReproduced(repair, "green_here");
}

/** POST 4c: what proves the work is green, and nothing has changed since the run failed: that proves no repair (C102). */
export const unrepaired: StopRule = (_task, state) => {
  const { repair, verdict, snapshot } = state;
  if (repair === null || verdict?.result !== "passed" || verdict.occasion !== undefined) return undefined;
  if (repair.tree === null || snapshot?.tree !== repair.tree) return undefined;
  return notReproduced(repair, "unchanged");
};

/** Whether green checks are no success: a failed run is to be repaired, and no turn was spent on it. */
export function wantsTurn(state: LoopState): boolean {
  return isUntouchedRepair(state);
}

function notReproduced({ run, jobs, cause }: Repair, why: "green_here" | "unchanged"): Move {
  return stop({ kind: "not_reproduced", why, run: run.url, job: jobs[0]?.name ?? "", cause: cause.kind });
}

/**
 * PRE 6: the checks were red and green on one tree before the first turn, or nothing was red every time, and nobody has asked
 * for the cause (C103). What was red every time is a real red (C166).
 */
export const flaky: StopRule = (task, { first_check: first }) => unlessWanted(task, first);

/** POST 4d: the same of what was to prove a turn's work: such a green is no proof (C103). */
export const flakyProof: StopRule = (task, { verdict }) => unlessWanted(task, verdict);

function unlessWanted({ runtime }: Task, verdict: Verdict | null): Move | undefined {
  if (verdict?.flake === undefined || verdict.flake.stable !== undefined || runtime.fixFlakes === true)
    return undefined;
  return stop({ kind: "flaky", ...verdict.flake });
}
