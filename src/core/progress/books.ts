import { enterFailures, type FailingHistory, type FailingNow, hasShrunk, NO_HISTORY } from "./failing-history.ts";

/** What the loop remembers so that it can tell progress from motion (section 4.4, C23). */
export interface ProgressBooks extends FailingHistory {
  /** every work tree that the loop has seen, as the first 16 hex digits of its name, the newest last; at most 500 */
  readonly trees: readonly string[];
  /** iterations in a row without progress (L-18) */
  readonly no_progress: number;
  /** iterations in a row that failed in the same way (L-19) */
  readonly same_error: number;
  /** how the last iteration failed; null: it did not */
  readonly signature: string | null;
  /** iterations in a row that changed nothing but tests (L-20) */
  readonly test_loops: number;
  /** the most items of the checklist that were ticked since the loop began */
  readonly most_ticked: number;
}

/** What is known of an iteration that is over. Null stands for what nobody knows. */
export interface IterationFacts extends FailingNow {
  /** the name of the work tree that it left */
  readonly tree: string | null;
  /** what the agent says it changed: a hint where there is no git */
  readonly filesModified: number | null;
  /** see `failureSignature`; null: nothing failed */
  readonly signature: string | null;
  /** whether everything that it changed are tests */
  readonly onlyTests: boolean;
  /** how many items of the checklist are ticked; 0 where there is none */
  readonly ticked: number;
}

const KEPT_TREES = 500;
const TREE_LENGTH = 16;

/** The books of a loop that begins with this work tree, and with so many items of its checklist ticked. */
export function openBooks(tree: string | null, ticked = 0): ProgressBooks {
  return {
    trees: tree === null ? [] : [short(tree)],
    no_progress: 0,
    same_error: 0,
    signature: null,
    test_loops: 0,
    ...NO_HISTORY,
    most_ticked: ticked,
  };
}

/** Enters an iteration. */
export function enterIteration(books: ProgressBooks, iteration: IterationFacts): ProgressBooks {
  const { tree, signature, ticked } = iteration;
  const shrunk = hasShrunk(books, iteration);
  const progressed = shrunk || ticked > books.most_ticked || isNew(books, iteration);
  return {
    trees:
      tree === null || books.trees.includes(short(tree))
        ? books.trees
        : [...books.trees, short(tree)].slice(-KEPT_TREES),
    no_progress: progressed ? 0 : books.no_progress + 1,
    same_error: sameErrors(books, signature),
    signature,
    test_loops: iteration.onlyTests && !shrunk ? books.test_loops + 1 : 0,
    ...enterFailures(books, iteration),
    most_ticked: Math.max(ticked, books.most_ticked),
  };
}

/** The breaker is closed by hand: what counts begins anew, and what was seen stays seen. */
export function forgetFailures(books: ProgressBooks): ProgressBooks {
  return { ...books, no_progress: 0, same_error: 0, signature: null, test_loops: 0 };
}

/**
 * Whether an iteration left something that the loop has never had. Going back and forth between trees is no progress,
 * whatever is committed on the way. Where nothing is known it counts as progress: a loop that cannot be measured is
 * bounded by its caps.
 */
function isNew(books: ProgressBooks, { tree, filesModified }: IterationFacts): boolean {
  return tree === null ? filesModified !== 0 : !books.trees.includes(short(tree));
}

function sameErrors(books: ProgressBooks, signature: string | null): number {
  if (signature === null) return 0;
  return signature === books.signature ? books.same_error + 1 : 1;
}

function short(tree: string): string {
  return tree.slice(0, TREE_LENGTH);
}
