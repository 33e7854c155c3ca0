import { isAllTicked } from "../checklist.ts";
import { type Tally, hasChecks, type Task } from "../task.ts";
import type { LoopState, Signals } from "../state.ts";
import { type Claim, vetoOf } from "./claim.ts";

/** What the agent's claim rests on, as the ending will be called. */
type ClaimKind = "promise" | "done_token" | "dual_gate" | "exit_signal" | "plan_complete";

/**
 * What the last turn claims, all in all (section 4.3): a promise, a plan whose items are all ticked (R-27), or what its
 * status blocks amount to. A claim asks for proof; where no proof is possible, the claim decides. Null: it claims
 * nothing, or its own status block contradicts it.
 */
export function effectiveClaim(task: Task, { last_turn: turn, plan, signals }: LoopState): ClaimKind | null {
  if (turn === null || turn.failure !== null || vetoOf(turn.claim) !== null) return null;
  // Without checks the agent's own words can refute it (C22).
  if (turn.claim.unfinished !== null && !hasChecks(task.identity.checks)) return null;
  if (turn.claim.done) return "promise";
  if (turn.claim.token_done) return "done_token";
  if (isAllTicked(plan)) return "plan_complete";
  return claimOfBlock(task, turn.claim, signals.done);
}

/** Whether a turn says that the work is done, by its message or by ticking off the plan, whether or not it counts. */
export function saysDone(claim: Claim, plan: Tally | null): boolean {
  const { block, done, token_done: token } = claim;
  if (vetoOf(claim) !== null) return false;
  return done || token || isAllTicked(plan) || block?.exit_signal === true || block?.status === "COMPLETE";
}

/**
 * The dual gate (C5): an exit signal and as many indicators in a row as are asked for, of which a proof is one. Ralph's
 * form takes the signal alone (R-28). A complete block without an exit line is enough to ask for proof (section 5.1).
 */
function claimOfBlock({ identity, runtime, limits }: Task, { block }: Claim, indicators: number): ClaimKind | null {
  if (block === null) return null;
  const proves = hasChecks(identity.checks);
  if (block.exit_signal === null) return proves && block.status === "COMPLETE" ? "dual_gate" : null;
  if (runtime.exitGate === "signal") return "exit_signal";
  const needed = limits.doneSignals - (proves ? 1 : 0);
  return indicators >= Math.max(1, needed) ? "dual_gate" : null;
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
