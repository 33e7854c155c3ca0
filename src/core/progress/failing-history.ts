/** What the loop remembers of the tests that failed, so that moving the failures around is no progress (C23). */
export interface FailingHistory {
  /** the fewest failing tests since the loop began; null: never known */
  readonly fewest_failures: number | null;
  /** the tests that failed when all of them were known last, as the first 8 hex digits of their digests */
  readonly last_failing: readonly string[];
  /** tests whose turning green is no news any more, in the same form; at most 400 */
  readonly settled_tests: readonly string[];
}

/** What an iteration's checks say of the tests. */
export interface FailingNow {
  /** how many fail; null: nobody knows */
  readonly failures: number | null;
  /** which fail, in the form of `FailingHistory`; null: nobody knows all of them */
  readonly failing: readonly string[] | null;
}

export const NO_HISTORY: FailingHistory = { fewest_failures: null, last_failing: [], settled_tests: [] };

const KEPT_TESTS = 400;

/**
 * Whether the failures have shrunk: there are fewer than ever, or a test is green for the first time that did not fail
 * yet when they were fewest. One that broke before counts in the number, and one that was green once does not count again.
 */
export function hasShrunk(history: FailingHistory, now: FailingNow): boolean {
  return isFewer(history, now) || newlyGreen(history, now).length > 0;
}

/** Enters an iteration. */
export function enterFailures(history: FailingHistory, now: FailingNow): FailingHistory {
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

function isFewer({ fewest_failures: fewest }: FailingHistory, { failures }: FailingNow): boolean {
  return failures !== null && fewest !== null && failures < fewest;
}

/** None any more once there are too many to be told apart. */
function newlyGreen({ last_failing: last, settled_tests: settled }: FailingHistory, { failing }: FailingNow): string[] {
  if (failing === null || settled.length >= KEPT_TESTS) return [];
  return last.filter((name) => !failing.includes(name) && !settled.includes(name));
}
