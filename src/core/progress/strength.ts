import { type LoopState, isUntouched } from "../state.ts";
import { successCheck, type Task } from "../task.ts";
import { joined } from "../text.ts";
import { isLockfile } from "./check-scripts.ts";
import { bendWords } from "../judges/bend.ts";
import type { TestChanges } from "./test-changes.ts";
import { NO_PATHS, type Strength, type Verdict, type CheckResult, type SomePaths, type Weakness } from "../verdict.ts";

type WeakProof = Task["runtime"]["weakProof"];
type TestCounts = NonNullable<Strength["counts"]>;

/** What a green verdict is worth; nothing is said of others. */
export type Judged = Pick<Strength, "weaknesses" | "tampering" | "unread" | "tree">;

const NOTHING_CHANGED: TestChanges = {
  since: 0,
  deleted: NO_PATHS,
  emptied: NO_PATHS,
  skipped: { count: 0, skips: [] },
  changed: NO_PATHS,
  scripts: NO_PATHS,
};

/** This many weak proofs end the loop (POST 7a). */
export const WEAK_PROOFS_THAT_STOP = 2;

/** Whether a verdict is green and was asked for proof: no other is weighed (C30). */
export function provesSomething({ result, occasion }: Verdict): boolean {
  return result === "passed" && occasion === undefined;
}

/** Looks for what weakens a verdict. What is not known does not weaken it. */
export function judged(
  verdict: Verdict,
  start: TestCounts | null,
  changes: TestChanges | null,
  weakProof: WeakProof = "refuse",
): Judged {
  if (!provesSomething(verdict)) return { weaknesses: [], tampering: null, unread: NO_PATHS, tree: null };
  const { since, deleted, emptied, skipped, changed, scripts } = changes ?? NOTHING_CHANGED;
  const now = countsToCompare(verdict.checks);
  const exact = start?.exact === true && now?.exact === true;
  const fewer = exact ? Math.max(0, start.ran + start.skipped - now.ran - now.skipped) : 0;
  const skips = Math.max(exact ? now.skipped - start.skipped : 0, skipped.count);
  const weaknesses: Weakness[] = [];
  if (testCounts(verdict.checks)?.ran === 0) weaknesses.push({ kind: "no_tests_ran" });
  // An output that is no longer understood does not weaken a proof by itself: other words may have come in between.
  const unseen = start !== null && start.ran > 0 && now === null;
  if (unseen && scripts.count > 0) weaknesses.push({ kind: "tests_unseen", ...scripts });
  if (deleted.count > 0 || fewer > 0) weaknesses.push({ kind: "tests_deleted", fewer, ...deleted });
  if (emptied.count > 0) weaknesses.push({ kind: "tests_emptied", ...emptied });
  if (skips > 0) weaknesses.push({ kind: "newly_skipped", count: skips, skips: skipped.skips });
  const judges = withoutLockfiles(scripts);
  if (judges.count > 0 && !unseen) {
    weaknesses.push({ kind: "scripts_changed", flagged: weakProof !== "strict", ...judges });
  }
  const tampering = changed.count + scripts.count === 0 ? null : { since, changed, scripts };
  return { weaknesses, tampering, unread: NO_PATHS, tree: null };
}

/** A lockfile follows a new dependency, and says nothing of what a check does. */
function withoutLockfiles({ count, paths }: SomePaths): SomePaths {
  const others = paths.filter((path) => !isLockfile(path));
  return { count: count - paths.length + others.length, paths: others };
}

/** What of a proof's weaknesses can refuse it: that what judges the work was changed does so only where it is asked for. */
function refusing(weaknesses: readonly Weakness[], weakProof: WeakProof): readonly Weakness[] {
  return weakProof === "strict" ? weaknesses : weaknesses.filter(({ kind }) => kind !== "scripts_changed");
}

/** Whether the weaknesses were only to be reported when they were found. */
export function isOnlyFlagged(weaknesses: readonly Weakness[]): boolean {
  return weaknesses.every((weakness) => weakness.kind === "scripts_changed" && weakness.flagged);
}

/** What an agent has to make good before its proof is taken. */
export function refusedFor({ runtime }: Task, { strength }: Pick<LoopState, "strength">): readonly Weakness[] {
  return refusing(strength.weaknesses, runtime.weakProof);
}

/** Counts a verdict. Only a turn's can be refused: before a turn nobody has claimed anything. */
export function countProof(
  state: Pick<LoopState, "strength" | "phase" | "spent" | "iterations">,
  { weaknesses, tampering, unread, tree, verdict }: Judged & { readonly verdict: Verdict },
): Strength {
  const { strength, phase } = state;
  return {
    ...strength,
    weaknesses,
    tampering,
    unread,
    tree,
    bends: verdict.result === "passed" ? bendsAmong(weaknesses) : strength.bends,
    refused: strength.refused + (phase === "unproved" && !isOnlyFlagged(weaknesses) ? 1 : 0),
    counts: isUntouched(state) ? countsToCompare(verdict.checks) : strength.counts,
    began: isUntouched(state) ? beganAs(verdict) : strength.began,
  };
}

function beganAs({ result }: Verdict): Strength["began"] {
  return result === "passed" || result === "failed" ? result : null;
}

/**
 * Whether what the checks said last may end the loop: it is not weak, or weak ones are only flagged (POST 5, POST 7). A
 * claim that names unfinished work in the same breath counts only with a strong proof (C22).
 */
export function isAccepted(task: Task, state: LoopState): boolean {
  if (refusedFor(task, state).length === 0 || isTakenByPerson(state)) return true;
  const counts = successCheck(task.identity.checks) !== null || (state.last_turn?.claim.unfinished ?? null) === null;
  return task.runtime.weakProof === "flag" && counts;
}

function bendsAmong(weaknesses: readonly Weakness[]): Strength["bends"] {
  return weaknesses.flatMap((weakness) => (weakness.kind === "judges_bent" ? weakness.bends : []));
}

/** Whether a person has taken the proof as it is, for the tree that it is about (C43). */
export function isTakenByPerson({ strength, snapshot }: Pick<LoopState, "strength" | "snapshot">): boolean {
  return strength.accepted !== null && strength.accepted.tree === snapshot?.tree;
}

/** What the checks counted that a later verdict can be compared with. */
export function countsToCompare(checks: readonly CheckResult[]): TestCounts | null {
  return testCounts(comparable(checks));
}

function testCounts(checks: readonly CheckResult[]): TestCounts | null {
  const known = checks.map(({ tests }) => tests).filter((report) => report !== null);
  if (known.length === 0) return null;
  return {
    ran: known.reduce((sum, { ran }) => sum + ran, 0),
    skipped: known.reduce((sum, report) => sum + report.skipped, 0),
    exact: known.every(({ exact }) => exact),
  };
}

/** The checks that always run: while the success check is red, no other does; each story has its own. */
function comparable(checks: readonly CheckResult[]): readonly CheckResult[] {
  const success = checks.filter(({ role }) => role === "success");
  return success.length === 0 ? checks.filter(({ role }) => role !== "story") : success;
}

/** What weakens a proof, in words that can follow "because": one text each. Paths are of others. */
export function weaknessWords(weaknesses: readonly Weakness[]): readonly string[] {
  return weaknesses.map((weakness) => {
    switch (weakness.kind) {
      case "no_tests_ran":
        return "no test ran";
      case "tests_unseen":
        return `the checks tell of no test any more, and what runs them was changed: ${named(weakness.paths, weakness.count)}`;
      case "scripts_changed":
        return `what judges the work was changed: ${named(weakness.paths, weakness.count)}`;
      case "tests_deleted":
        return deletedWords(weakness);
      case "tests_emptied":
        return `${many(weakness.count, "test file was", "test files were")} emptied: ${named(weakness.paths, weakness.count)}`;
      case "judges_bent":
        return `what judges the work was bent: ${named(weakness.bends.map(bendWords), weakness.count)}`;
      case "newly_skipped": {
        const places = weakness.skips.map(({ path, marker }) => `${path} (${marker})`);
        const where = places.length === 0 ? "" : `: ${named(places, weakness.count)}`;
        return `${many(weakness.count, "test or group of tests is", "tests or groups of tests are")} newly kept from running${where}`;
      }
    }
  });
}

function deletedWords({ count, paths, fewer }: Extract<Weakness, { kind: "tests_deleted" }>): string {
  return joined("; ", [
    count === 0 ? "" : `${many(count, "test file was", "test files were")} deleted: ${named(paths, count)}`,
    fewer === 0 ? "" : `${many(fewer, "test", "tests")} fewer than when the loop began`,
  ]);
}

function many(count: number, one: string, more: string): string {
  return `${count} ${count === 1 ? one : more}`;
}

function named(names: readonly string[], count: number): string {
  const rest = count - names.length;
  return names.join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}
