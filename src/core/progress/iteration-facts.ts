import type { LoopState } from "../state.ts";
import type { IterationFacts } from "./books.ts";
import type { FailingNow } from "./failing-history.ts";
import type { FailingSet } from "./failing-set.ts";

const NAME_LENGTH = 8;

/**
 * What the books of progress want to know of the iteration that is about to be closed.
 *
 * @param digest hex SHA-256 of a text
 */
export function iterationFacts(state: LoopState, digest: (text: string) => string): IterationFacts {
  const { last_turn: turn, snapshot } = state;
  const block = turn?.claim.block ?? null;
  return {
    tree: snapshot?.tree ?? null,
    filesModified: block?.files_modified ?? null,
    signature: state.failure_signature ?? agentSignature(state),
    ...failingNow(state.failing, digest),
    ticked: state.plan?.ticked ?? 0,
    onlyTests: turn?.change?.only_tests ?? block?.work_type === "tests",
  };
}

/**
 * What the books of progress want to know of the tests that fail. A run that stopped at a failure does not know how many
 * there are, and a long list is not kept whole.
 *
 * @param set null: nobody knows
 * @param digest hex SHA-256 of a text
 */
export function failingNow(set: FailingSet | null, digest: (text: string) => string): FailingNow {
  if (set === null || set.early) return { failures: null, failing: null };
  const { failing: names, failing_count: failures } = set;
  const whole = names.length === failures;
  return { failures, failing: whole ? names.map((name) => digest(name).slice(0, NAME_LENGTH)) : null };
}

/** How the agent itself failed: by its turn, or by its own word (section 4.3: STATUS: ERROR feeds `same_error`). */
function agentSignature({ last_turn: turn }: LoopState): string | null {
  if (turn === null) return null;
  const { failure, claim } = turn;
  if (failure !== null) return `agent ${failure.kind}`;
  return claim.block?.status === "ERROR" ? `agent ERROR: ${claim.block.summary ?? ""}` : null;
}
