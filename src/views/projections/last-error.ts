import { outcomeOf } from "../../core/outcome.ts";
import type { LoopState } from "../../core/state.ts";
import { proofOf } from "../proof.ts";
import { oneLine } from "../plain-text.ts";
import { reasonDetail } from "../reason.ts";

/**
 * What went wrong last, on one line: the ending, else the turn, else the checks, else what the agent says itself; null:
 * nothing.
 */
export function lastError(state: LoopState): string | null {
  const { stop_reason: reason, last_turn: turn } = state;
  if (reason !== null && outcomeOf(reason).status === "error") return reasonDetail(reason, (advice) => advice);
  if (turn === null) return null;
  if (turn.failure !== null) return `${turn.failure.kind}: ${oneLine(turn.failure.message)}`;
  const { failing, sentence } = proofOf(state);
  if (failing !== null) return sentence;
  const { block } = turn.claim;
  return block?.status === "ERROR" ? (block.summary ?? "The agent's status block says ERROR.") : null;
}
