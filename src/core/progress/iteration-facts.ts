import type { LoopState } from "../state.ts";
import type { IterationFacts } from "./books.ts";

/** What the books of progress want to know of the iteration that is about to be closed. */
export function iterationFacts(state: LoopState): IterationFacts {
  const { last_turn: turn, snapshot, failing } = state;
  const block = turn?.claim.block ?? null;
  return {
    tree: snapshot?.tree ?? null,
    filesModified: block?.files_modified ?? null,
    signature: state.failure_signature ?? agentSignature(state),
    // A run that stopped at a failure does not know how many there are.
    failures: failing === null || failing.early ? null : failing.failing_count,
    ticked: state.plan?.ticked ?? 0,
    onlyTests: turn?.change?.only_tests ?? block?.work_type === "tests",
  };
}

/** How the agent itself failed: by its turn, or by its own word (section 4.3: STATUS: ERROR feeds `same_error`). */
function agentSignature({ last_turn: turn }: LoopState): string | null {
  if (turn === null) return null;
  const { failure, claim } = turn;
  if (failure !== null) return `agent ${failure.kind}`;
  return claim.block?.status === "ERROR" ? `agent ERROR: ${claim.block.summary ?? ""}` : null;
}
