import type { StopReason } from "../outcome.ts";
import { countsToCompare, isTakenByPerson } from "../progress/strength.ts";
import { isUntouched, type LoopState } from "../state.ts";
import { canceled, stopped, superseded } from "../stop/control.ts";
import { type Facts, type Move, stop, type StopRule } from "../stop/rule.ts";
import { MINIMUM_ITERATION_MS, type Task, workUntil } from "../task.ts";
import { isAbout, isVetoed } from "./standing.ts";

/** Endings by which the work counts as done, and no person has looked. Of a PRD each story is looked at as it passes. */
const COMPLETIONS: ReadonlySet<StopReason["kind"]> = new Set<StopReason["kind"]>([
  ...(["promise", "done_token", "dual_gate", "exit_signal", "plan_complete"] as const),
  ...(["success_command", "already_green"] as const),
]);

/** Whether a move would end the loop as completed by the work of its turns. */
export function completes(move: Move | undefined): boolean {
  return move?.do === "stop" && COMPLETIONS.has(move.reason.kind);
}

/** The state as if nobody had been asked: what the loop would do then. */
export function unreviewed(state: LoopState): LoopState {
  return { ...state, review: { ...state.review, answer: null } };
}

/**
 * What comes before work counts as done (C50): the reviewer is asked, once for the same work; a veto whose work is claimed
 * again as it was is counted again.
 *
 * @returns undefined: nobody has to be asked
 */
export function secondKey(task: Task, state: LoopState, facts: Facts): Move | undefined {
  if (!isDue(task, state)) return undefined;
  for (const rule of UNREVIEWED) {
    const move = rule(task, state, facts);
    if (move !== undefined) return move;
  }
  return { do: "review" };
}

/** A review that could not end before the reserve is not begun: it comes first on resume. */
const noTimeLeft: StopRule = ({ limits }, _state, { now }) => {
  const until = workUntil(limits);
  return until !== null && until - now < MINIMUM_ITERATION_MS ? stop({ kind: "time_budget" }) : undefined;
};

/** What keeps the reviewer from being asked while work waits for it. */
const UNREVIEWED: readonly StopRule[] = [superseded, canceled, stopped, noTimeLeft];

function isDue(task: Task, state: LoopState): boolean {
  const { reviewer } = task.runtime;
  if (reviewer === "off" || isUntouched(state) || isTakenByPerson(state)) return false;
  if (isAbout(state)) return isClaimedAgain(task, state);
  return reviewer === "always" || isThin(state);
}

/** Whether a veto stands, and another turn has left the work as it was and would complete it. */
export function isClaimedAgain(task: Task, state: LoopState): boolean {
  const { review, last_turn: turn } = state;
  return isVetoed(task, state) && turn !== null && turn.iteration !== review.iteration;
}

/**
 * Whether the proof is thin: a check was green before the first turn, what judges the work was changed or could not be
 * read, or nobody knows how many tests ran.
 */
export function isThin({ strength, verdict, first_check: first }: LoopState): boolean {
  const { began, weaknesses, tampering, unread, bends } = strength;
  const isChanged = weaknesses.length > 0 || bends.length > 0 || tampering !== null || unread?.count !== 0;
  return began === "passed" || isChanged || countsToCompare((verdict ?? first)?.checks ?? []) === null;
}

/** POST 7c: the reviewer has vetoed as often as it may (C51). */
export const reviewerVetoes: StopRule = (task, state) => {
  const { vetoes, objections } = state.review;
  return isVetoed(task, state) && vetoes >= task.limits.reviewerVetoes
    ? stop({ kind: "reviewer_vetoes", vetoes, objections })
    : undefined;
};
