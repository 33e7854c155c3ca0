import { isAccepted, isTakenByPerson, WEAK_PROOFS_THAT_STOP } from "../progress/strength.ts";
import { type LoopState, isUntouched } from "../state.ts";
import { hasCommands, successCheck, type Task, workUntil, hasChecks } from "../task.ts";
import { stop, type Move, type StopRule } from "./rule.ts";
import { vetoOf } from "../claim/claim.ts";
import { isVetoed } from "../review/standing.ts";
import { effectiveClaim, objectionToClaim } from "../claim/effective-claim.ts";
import type { Evidence } from "../verdict.ts";
import { changedSomething, isDue } from "./check-when.ts";
import { greenUntouched, wantsTurn } from "./repair.ts";

/**
 * PRE 6: the checks before the first turn. A success command is asked once a run, and work that is green already costs no
 * turn. Quality commands, which are never enough (C7), are asked once a loop, so that it is known what failed before the
 * agent came and how many tests there were. When the time is up checks could only be cut off, so they are not asked.
 */
export const firstCheck: StopRule = (task, state, facts) => {
  const isRepair = wantsTurn(state);
  if (!hasCommands(task.identity.checks) || (!task.runtime.checkFirst && !isRepair)) return undefined;
  const verdict = state.first_check;
  if (verdict === null) {
    // A plan that is ticked off already is for `nothingLeft`.
    const isNew = isUntouched(state) || isRepair;
    const asks = successCheck(task.identity.checks) !== null || (isNew && facts.item !== null);
    return asks ? ask(task, state, facts.now, "first") : undefined;
  }
  if (verdict.result === "unrunnable") {
    // What the agent has yet to make need not exist before it comes.
    const more = isUntouched(state) ? " Where the agent is to make what is missing, use --no-check-first." : "";
    const { problem } = verdict;
    return stop({ kind: "gate_unrunnable", problem: { ...problem, next: `${problem.next}${more}` } });
  }
  if (verdict.result !== "passed") return undefined;
  return isRepair ? greenUntouched(task, state) : alreadyGreen(task, state);
};

function ask({ limits }: Task, { iteration }: LoopState, now: number, occasion: "first" | "claim"): Move | undefined {
  const deadline = workUntil(limits);
  return deadline === null || now < deadline ? { do: "prove", evidence: { iteration, occasion, deadline } } : undefined;
}

/**
 * CI is not asked before a turn, so with CI the work is not proved yet; nor is it by a green check that proves little, and
 * never by one that ran no test, since nobody has worked or claimed anything (C21). Once a turn was spent, the checks of
 * the turn decide.
 */
function alreadyGreen(task: Task, state: LoopState): Move | undefined {
  const { checks } = task.identity;
  const command = successCheck(checks);
  if (command === null || checks.ci !== null || state.phase !== "ready" || !mayComplete(task, state)) return undefined;
  if (isUntouched(state) && state.strength.weaknesses.some(({ kind }) => kind === "no_tests_ran")) return undefined;
  // Green after a turn that died with its run is that turn's work, not work that was green already.
  const isOfTurn = state.iterations.at(-1)?.agent === "abandoned";
  return stop({ kind: isOfTurn ? "success_command" : "already_green", command });
}

/**
 * PRE 6: a plan whose items are all ticked before a turn is spent. The checks run once a run; the loop works on
 * what they refuse, and on what the last turn itself called unfinished.
 */
export const nothingLeft: StopRule = (task, state, facts) => {
  const { checks } = task.identity;
  const { plan, phase, last_turn: turn } = state;
  if (state.boundary.refused !== null) return undefined;
  if (isVetoed(task, state) || wantsTurn(state)) return undefined;
  if (plan === null || facts.item !== null || phase !== "ready" || successCheck(checks) !== null) return undefined;
  if (turn !== null && (turn.failure !== null || vetoOf(turn.claim) !== null)) return undefined;
  if (objectionToClaim(task, state)?.kind === "contradiction") return undefined;
  if (!hasChecks(checks)) return stop({ kind: "plan_complete", verified: false });
  const verdict = state.first_check;
  if (verdict?.result === "passed" && isAccepted(task, state)) return stop({ kind: "plan_complete", verified: true });
  if (verdict?.result === "unrunnable") return stop({ kind: "gate_unrunnable", problem: verdict.problem });
  return verdict === null ? ask(task, state, facts.now, "claim") : undefined;
};

/** Whether green checks would complete the loop (C21, C50); with work that goes nowhere they do not (T17). */
function mayComplete(task: Task, state: LoopState): boolean {
  return isAccepted(task, state) && state.boundary.refused === null && !isVetoed(task, state);
}

/** Whether checks that were asked for proof are green (C30) and that proves something (C21), of work that may go somewhere (T17) and that no reviewer has vetoed (C50). */
export function isProved(task: Task, state: LoopState): boolean {
  const { verdict } = state;
  return verdict?.result === "passed" && verdict.occasion === undefined && mayComplete(task, state);
}

/** POST 5: the success command is green; tokens are ignored (C7, S-18). */
export const successCommand: StopRule = (task, state) => {
  const command = successCheck(task.identity.checks);
  return command !== null && isProved(task, state) ? stop({ kind: "success_command", command }) : undefined;
};

/** POST 7: the agent claims to be done, and the checks agree or none are set (W-60, C5, C7). */
export const claimHolds: StopRule = (task, state) => {
  const { checks } = task.identity;
  if (successCheck(checks) !== null || state.boundary.refused !== null || isVetoed(task, state)) return undefined;
  const kind = effectiveClaim(task, state);
  if (kind === null) return undefined;
  if (!hasChecks(checks)) return stop({ kind, verified: false });
  return isProved(task, state) ? stop({ kind, verified: true }) : undefined;
};

/** PRE 5a: a person has taken the weak proof, or the work that was vetoed, that the loop stopped for, and nothing has changed since (C43). */
export const proofAccepted: StopRule = (_task, state) => {
  const { weaknesses, accepted } = state.strength;
  const isVeto = state.review.answer === "veto";
  const isGreen = isVeto || (state.verdict?.result === "passed" && weaknesses.length > 0);
  if (accepted === null || !isGreen || state.boundary.refused !== null || !isTakenByPerson(state)) return undefined;
  const { by, at } = accepted;
  return stop({ kind: "proof_accepted", by, at, weaknesses });
};

/** POST 7a: green for the second time, and the proof is weak (C21). */
export const weakProof: StopRule = (task, state) => {
  const { weaknesses, refused } = state.strength;
  return isAccepted(task, state) || refused < WEAK_PROOFS_THAT_STOP
    ? undefined
    : stop({ kind: "weak_proof", weaknesses });
};

/** POST 7b: it claims for the second time what it admits to be a stub or not to work (P14, C36). */
export const admitsUnfinished: StopRule = (task, state) => {
  if (successCheck(task.identity.checks) !== null) return undefined;
  const objection = objectionToClaim(task, state);
  const isLast = objection?.kind === "leftover" && objection.isFinal;
  return isLast ? stop({ kind: "unfinished", said: objection.said }) : undefined;
};

/** A check that could not be started proves nothing, and nothing is lost: it runs again on resume. */
export const gateUnrunnable: StopRule = (_task, state) =>
  state.verdict?.result === "unrunnable"
    ? stop({ kind: "gate_unrunnable", problem: state.verdict.problem })
    : undefined;

/**
 * What to prove of a turn: a success command after every turn, the other checks when the agent claims to be done (C7);
 * of these the quality commands also between claims (C30); undefined: nothing. Work that goes nowhere is not proved (T17).
 */
export function evidenceOf(task: Task, state: LoopState): Evidence | undefined {
  const { checks } = task.identity;
  const { iteration } = state;
  if (state.boundary.refused !== null) return undefined;
  const deadline = workUntil(task.limits);
  if (successCheck(checks) !== null) return { iteration, occasion: "turn", deadline };
  const claimed = effectiveClaim(task, state) !== null;
  if (claimed) return hasChecks(checks) ? { iteration, occasion: "claim", deadline } : undefined;
  return isAskedBetween(task, state) ? { iteration, occasion: "change", deadline } : undefined;
}

/** Whether a turn that claimed nothing is followed by the quality commands (C30). */
function isAskedBetween({ identity, runtime }: Task, { last_turn: turn, since_asked: since }: LoopState): boolean {
  const hasQuality = identity.checks.quality.length > 0;
  return hasQuality && turn !== null && changedSomething(turn) && isDue(runtime.checkWhen, since);
}
