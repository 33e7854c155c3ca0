import { isAllTicked } from "../checklist.ts";
import type { Tally, Task } from "../task.ts";
import type { LoopState, Signals } from "../state.ts";
import { type Claim, vetoOf } from "./claim.ts";
import { canVouch, type ClaimKind, type Objection, objectionTo } from "./objections.ts";

/**
 * What the last turn claims, all in all (section 4.3): a promise, a plan whose items are all ticked (R-27), or what its
 * status blocks amount to. A claim asks for proof; where no proof is possible, the claim decides. Null: it claims
 * nothing, its own status block contradicts it, or something speaks against it.
 */
export function effectiveClaim(task: Task, state: LoopState): ClaimKind | null {
  return claimsOf(task, state).find((kind) => objectionTo(task, state, kind) === null) ?? null;
}

/** What speaks against the last turn's saying that it is done; null: it does not say so, or nothing does. */
export function objectionToClaim(task: Task, state: LoopState): Objection | null {
  if (effectiveClaim(task, state) !== null) return null;
  const { last_turn: turn, plan } = state;
  if (turn === null || turn.failure !== null || !saysDone(turn.claim, plan)) return null;
  // A status block that is no claim yet, for want of a second one, hears the same.
  return objectionTo(task, state, claimsOf(task, state)[0] ?? "dual_gate");
}

/** All that the last turn claims, what counts most first. */
function claimsOf(task: Task, state: LoopState): readonly ClaimKind[] {
  const { last_turn: turn, plan } = state;
  if (turn === null || turn.failure !== null || vetoOf(turn.claim) !== null) return [];
  const ofBlock = claimOfBlock(task, state, turn.claim);
  return [
    ...(turn.claim.done ? (["promise"] as const) : []),
    ...(turn.claim.token_done ? (["done_token"] as const) : []),
    ...(isAllTicked(plan) ? (["plan_complete"] as const) : []),
    ...(ofBlock === null ? [] : [ofBlock]),
  ];
}

/** Whether a turn says that the work is done, by its message or by ticking off the plan, whether or not it counts. */
export function saysDone(claim: Claim, plan: Tally | null): boolean {
  const { block, done, token_done: token } = claim;
  if (vetoOf(claim) !== null) return false;
  return done || token || isAllTicked(plan) || block?.exit_signal === true || block?.status === "COMPLETE";
}

/** The sentence by which a claim admits that something is left (C36); null: it does not, or there is no claim. */
export function admittedIn(claim: Claim, plan: Tally | null): string | null {
  return saysDone(claim, plan) ? claim.unfinished : null;
}

/**
 * The dual gate (C5): an exit signal and as many indicators in a row as are asked for, of which a proof is one. Ralph's
 * form takes the signal alone (R-28). A complete block without an exit line is enough to ask for proof (section 5.1). Checks
 * that were green before the first turn are no indicator (C35).
 */
function claimOfBlock(task: Task, state: LoopState, { block }: Claim): ClaimKind | null {
  if (block === null) return null;
  const { runtime, limits } = task;
  const proves = canVouch(task, state);
  if (block.exit_signal === null) return proves && block.status === "COMPLETE" ? "dual_gate" : null;
  if (runtime.exitGate === "signal") return "exit_signal";
  const needed = limits.doneSignals - (proves ? 1 : 0);
  return state.signals.done >= Math.max(1, needed) ? "dual_gate" : null;
}

/** Words that say in a summary that the work is done (C5); "not done yet" says the opposite. */
const DONE_WORDS =
  /(?<!(?:\b(?:not|never|almost|nearly|partly|half)|n['’]t)(?:[\s-]+(?:yet|quite|fully|all|been|entirely))*[\s-]+)\b(?:complete|completed|done|ready)\b/iu;

/** C5: an indicator is an exit signal, and either STATUS: COMPLETE or a word for it in the summary. */
export function countSignals(before: Signals, claim: Claim, asks: boolean): Signals {
  const { block } = claim;
  const isDone = block?.status === "COMPLETE" || DONE_WORDS.test(block?.summary ?? "");
  const isIndicator = block?.exit_signal === true && vetoOf(claim) === null && isDone;
  return {
    done: isIndicator ? before.done + 1 : 0,
    missing: asks && block === null ? before.missing + 1 : 0,
  };
}
