import type { LoopState, ProgressCounters } from "../state.ts";
import type { FailingSet } from "../verdict.ts";
import type { Digest } from "../schema.ts";

/** What is known of a finished iteration. Null stands for what is not known. */
export interface IterationFacts extends FailingNow {
  /** the name of the work tree that it left */
  readonly tree: string | null;
  readonly filesModified: number | null;
  /** see `failureSignature`; null: nothing failed */
  readonly signature: string | null;
  readonly onlyTests: boolean;
  /** how many items of the checklist are ticked; 0 without a checklist */
  readonly ticked: number;
}

const KEPT_TREES = 500;
const TREE_LENGTH = 16;
const NOTHING_COUNTED = { no_progress: 0, same_error: 0, signature: null, test_loops: 0 } as const;

/** The counters of a loop that begins with this work tree and this number of ticked items. */
export function startCounters(tree: string | null, ticked = 0): ProgressCounters {
  return { trees: tree === null ? [] : [short(tree)], ...NOTHING_COUNTED, ...NO_HISTORY, most_ticked: ticked };
}

/**
 * Counts an iteration: progress is what the loop has never had. Going back and forth between trees does not count,
 * whatever is committed on the way. What cannot be measured counts as progress: such a loop is bounded by its limits.
 */
export function countIteration(counters: ProgressCounters, iteration: IterationFacts): ProgressCounters {
  const { tree, signature, ticked } = iteration;
  const seen = tree === null || counters.trees.includes(short(tree));
  const shrunk = hasShrunk(counters, iteration);
  const isNew = tree === null ? iteration.filesModified !== 0 : !seen;
  const progressed = shrunk || ticked > counters.most_ticked || isNew;
  const again = signature === counters.signature ? counters.same_error + 1 : 1;
  return {
    trees: seen ? counters.trees : [...counters.trees, short(tree)].slice(-KEPT_TREES),
    no_progress: progressed ? 0 : counters.no_progress + 1,
    same_error: signature === null ? 0 : again,
    signature,
    test_loops: iteration.onlyTests && !shrunk ? counters.test_loops + 1 : 0,
    ...countFailures(counters, iteration),
    most_ticked: Math.max(ticked, counters.most_ticked),
  };
}

/** The circuit is closed by hand: the counts restart, and what was seen stays seen. */
export function resetCounters(counters: ProgressCounters): ProgressCounters {
  return { ...counters, ...NOTHING_COUNTED };
}

function short(tree: string): string {
  return tree.slice(0, TREE_LENGTH);
}

/** What the loop remembers of failed tests, so that moving the failures around does not count as progress (C23). */
export type FailingHistory = Pick<ProgressCounters, "fewest_failures" | "last_failing" | "settled_tests">;

interface FailingNow {
  /** how many fail; null: not known */
  readonly failures: number | null;
  /** which fail, in the form of `FailingHistory`; null: not all are known */
  readonly failing: readonly string[] | null;
}

export const NO_HISTORY: FailingHistory = { fewest_failures: null, last_failing: [], settled_tests: [] };

const KEPT_TESTS = 400;

/**
 * Whether the failures have shrunk: there are fewer than ever, or a test is green for the first time that did not fail
 * yet when they were fewest. One that broke before counts in the number, and one that was green once does not count again.
 */
export function hasShrunk(history: FailingHistory, now: FailingNow): boolean {
  const { fewest_failures: fewest } = history;
  const isFewer = now.failures !== null && fewest !== null && now.failures < fewest;
  return isFewer || newlyGreen(history, now).length > 0;
}

export function countFailures(history: FailingHistory, now: FailingNow): FailingHistory {
  const { failures, failing } = now;
  const fewest = failures === null ? history.fewest_failures : Math.min(failures, history.fewest_failures ?? failures);
  const last = failing ?? history.last_failing;
  const accounted = fewest === history.fewest_failures ? newlyGreen(history, now) : [...history.last_failing, ...last];
  return {
    fewest_failures: fewest,
    last_failing: last,
    settled_tests: [...new Set([...history.settled_tests, ...accounted])].slice(0, KEPT_TESTS),
  };
}

/** Null once there are too many to tell apart. */
function newlyGreen({ last_failing: last, settled_tests: settled }: FailingHistory, { failing }: FailingNow): string[] {
  if (failing === null || settled.length >= KEPT_TESTS) return [];
  return last.filter((name) => !failing.includes(name) && !settled.includes(name));
}

const NAME_LENGTH = 8;

export function iterationFacts(state: LoopState, digest: Digest): IterationFacts {
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
 * What the counters of progress want to know of the tests that fail. A run that stopped at a failure does not know how many
 * there are, and a long list is not kept whole.
 */
export function failingNow(set: FailingSet | null, digest: Digest): FailingNow {
  if (set === null || set.early) return { failures: null, failing: null };
  const { failing: names, failing_count: failures } = set;
  const whole = names.length === failures;
  return { failures, failing: whole ? names.map((name) => digest(name).slice(0, NAME_LENGTH)) : null };
}

/** How the agent itself failed: by its turn, or by its report (section 4.3: STATUS: ERROR feeds `same_error`). */
function agentSignature({ last_turn: turn }: LoopState): string | null {
  if (turn === null) return null;
  const { failure, claim } = turn;
  if (failure !== null) return `agent ${failure.kind}`;
  return claim.block?.status === "ERROR" ? `agent ERROR: ${claim.block.summary ?? ""}` : null;
}
