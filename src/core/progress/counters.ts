import type { LoopState, Snapshot } from "../state.ts";
import type { FailingSet } from "../verdict.ts";
import type { Digest } from "../schema.ts";
import { figuresOf, reachOf } from "./figures.ts";
import { areNew, countDenied, countRecurring, withFigures } from "./motion.ts";
import type { ProgressCounters } from "./progress-counters.ts";

/** What is known of a finished iteration. Null stands for what is not known. */
export interface IterationFacts extends FailingNow {
  /** the name of the work tree that it left, nested repositories included */
  readonly tree: string | null;
  readonly filesModified: number | null;
  /** see `failureSignature`; null: nothing failed */
  readonly signature: string | null;
  /** the same of checks that were asked between claims (C30) */
  readonly unclaimed: string | null;
  /** names how the iteration failed, by how many tests, else by a signature, in few characters; null: it did not */
  readonly failure: string | null;
  /** whether all checks that were asked are green */
  readonly green: boolean;
  /** see `figuresOf` */
  readonly figures: string | null;
  /** see `reachOf` */
  readonly reached: number | null;
  readonly onlyTests: boolean;
  /** whether there are more files of tests than before */
  readonly addsTests: boolean;
  /** how many items of the checklist are ticked; 0 without a checklist */
  readonly ticked: number;
  /** what was denied, as digests */
  readonly denied: readonly string[];
}

const KEPT_TREES = 500;
const TREE_LENGTH = 16;
const NOTHING_COUNTED = {
  ...{ no_progress: 0, same_error: 0, signature: null, test_loops: 0 },
  ...{ failures_seen: [], recurring: 0, denied: [], denied_again: 0 },
} as const;
const NOTHING_KNOWN = { figures: [], furthest: null } as const;

/** The counters of a loop that begins with this work tree and this number of ticked items. */
export function startCounters(tree: string | null, ticked = 0): ProgressCounters {
  const trees = tree === null ? [] : [short(tree)];
  return { trees, ...NOTHING_COUNTED, ...NO_HISTORY, ...NOTHING_KNOWN, most_ticked: ticked };
}

/**
 * Counts an iteration: progress is what the loop has never had. Going back and forth between trees does not count,
 * whatever is committed on the way, and checks that come further count although the tree is known. What cannot be
 * measured counts as progress: such a loop is bounded by its limits.
 */
export function countIteration(counters: ProgressCounters, iteration: IterationFacts): ProgressCounters {
  const { tree, ticked, figures, reached, unclaimed } = iteration;
  const seen = tree === null || counters.trees.includes(short(tree));
  const isNew = tree === null ? iteration.filesModified !== 0 : !seen;
  const moved = areNew(counters.figures, figures);
  const later = reached !== null && counters.furthest !== null && reached > counters.furthest;
  const further = later || ticked > counters.most_ticked || hasShrunk(counters, iteration);
  // What nobody claimed to pass is a failure only where nothing else moved (C30).
  const signature = iteration.signature ?? (isNew || moved || further ? null : unclaimed);
  const again = signature === counters.signature ? counters.same_error + 1 : 1;
  const others = hasOtherFailures(counters, iteration);
  const isWork = further || moved || iteration.addsTests;
  return {
    trees: seen ? counters.trees : [...counters.trees, short(tree)].slice(-KEPT_TREES),
    no_progress: further || isNew ? 0 : counters.no_progress + 1,
    same_error: signature === null ? 0 : again,
    signature,
    test_loops: iteration.onlyTests && !isWork ? counters.test_loops + 1 : 0,
    ...countFailures(counters, iteration),
    most_ticked: Math.max(ticked, counters.most_ticked),
    figures: [...withFigures(counters.figures, figures)],
    furthest: reached === null ? counters.furthest : Math.max(reached, counters.furthest ?? 0),
    ...countRecurring(counters, iteration.failure, { further, green: iteration.green, others }),
    ...countDenied(counters, iteration.denied, further || moved || others),
  };
}

/** The circuit is closed by hand: the counts restart, and what was seen stays seen. */
export function resetCounters(counters: ProgressCounters): ProgressCounters {
  return { ...counters, ...NOTHING_COUNTED };
}

/** Names the work tree with what nested repositories hold: work in them is work, although no commit of ours has it. */
export function treeName({ tree, nested }: Pick<Snapshot, "tree" | "nested">): string {
  return nested === undefined ? tree : nested.slice(0, TREE_LENGTH / 2) + tree.slice(0, TREE_LENGTH / 2);
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

/** Whether other tests fail than the last time that they were known. */
function hasOtherFailures({ last_failing: last, fewest_failures: fewest }: FailingHistory, { failing }: FailingNow) {
  if (failing === null || fewest === null) return false;
  return failing.length !== last.length || failing.some((name) => !last.includes(name));
}

/** Null once there are too many to tell apart. */
function newlyGreen({ last_failing: last, settled_tests: settled }: FailingHistory, { failing }: FailingNow): string[] {
  if (failing === null || settled.length >= KEPT_TESTS) return [];
  return last.filter((name) => !failing.includes(name) && !settled.includes(name));
}

const NAME_LENGTH = 8;

export function iterationFacts(state: LoopState, digest: Digest): IterationFacts {
  const { last_turn: turn, snapshot, verdict, failure_signature: failed } = state;
  const block = turn?.claim.block ?? null;
  const wasClaimed = verdict?.occasion === undefined;
  const failing = failingNow(state.failing, digest);
  const signature = failed ?? agentSignature(state);
  return {
    tree: snapshot === null ? null : treeName(snapshot),
    filesModified: block?.files_modified ?? null,
    signature: wasClaimed ? signature : agentSignature(state),
    unclaimed: wasClaimed ? null : failed,
    // Other tests may fail each time.
    failure: failing.failures ? `${failing.failures} failing` : signature && digest(signature).slice(0, NAME_LENGTH),
    green: verdict?.result === "passed",
    figures: figuresOf(verdict?.checks ?? [], digest),
    reached: reachOf(verdict?.checks ?? []),
    ...failing,
    ticked: state.plan?.ticked ?? 0,
    onlyTests: turn?.change?.only_tests ?? block?.work_type === "tests",
    addsTests: (turn?.change?.added_tests ?? 0) > 0,
    denied: (turn?.denied ?? []).map(({ what }) => digest(what.trim()).slice(0, NAME_LENGTH)),
  };
}

/** What the checks said before the first turn is the first that the loop knows of them (C23). */
export function withBeginning(state: LoopState, digest: Digest): ProgressCounters {
  const { progress, baseline, first_check: first } = state;
  const failing = progress.fewest_failures === null ? countFailures(progress, failingNow(baseline, digest)) : {};
  if (progress.figures.length > 0 || progress.furthest !== null || first === null) return { ...progress, ...failing };
  const figures = [...withFigures([], figuresOf(first.checks, digest))];
  return { ...progress, ...failing, figures, furthest: reachOf(first.checks) };
}

/**
 * What the counters of progress want to know of the tests that fail. A run that stopped at a failure does not know how many
 * there are, and a long list is not kept whole.
 */
function failingNow(set: FailingSet | null, digest: Digest): FailingNow {
  if (set === null || set.early) return { failures: null, failing: null };
  const { failing: names, failing_count: failures } = set;
  const whole = names.length === failures;
  return { failures, failing: whole ? names.map((name) => digest(name).slice(0, NAME_LENGTH)) : null };
}

/** How the agent itself failed: by its turn, or by its report (section 4.3: STATUS: ERROR and ERRORS feed `same_error`). */
function agentSignature({ last_turn: turn }: LoopState): string | null {
  if (turn === null) return null;
  const { failure, claim } = turn;
  if (failure !== null) return `agent ${failure.kind}`;
  const { block } = claim;
  if (block === null) return null;
  const { status, errors, summary } = block;
  const isFailed = status === "ERROR" || (errors ?? 0) > 0;
  return isFailed ? `agent ERROR: ${summary ?? ""}` : null;
}
