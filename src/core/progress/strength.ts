import { type LoopState, isUntouched } from "../state.ts";
import { successCheck, type Task } from "../task.ts";
import type { TestChanges } from "./test-changes.ts";
import type { Strength, Verdict, CheckResult, Weakness } from "../verdict.ts";

type TestCounts = NonNullable<Strength["counts"]>;

/** What a green verdict is worth; nothing is said of others. */
export type Judged = Pick<Strength, "weaknesses" | "tampering">;

/** What has become of the tests, and what the checks counted at the start and now; null: nobody knows. */
type Comparison = readonly [changes: TestChanges | null, start: TestCounts | null, now: TestCounts | null];

/** So many weak proofs end the loop (POST 7a). */
export const WEAK_PROOFS_THAT_STOP = 2;

/**
 * Looks for what weakens a verdict. What nobody knows weakens nothing.
 *
 * @param start what the checks counted before the first turn
 * @param changes null: nobody knows
 */
export function judged(verdict: Verdict, start: TestCounts | null, changes: TestChanges | null): Judged {
  if (verdict.result !== "passed") return { weaknesses: [], tampering: null };
  const now = testCounts(comparable(verdict.checks));
  const noTests: readonly Weakness[] = testCounts(verdict.checks)?.ran === 0 ? [{ kind: "no_tests_ran" }] : [];
  const emptied: readonly Weakness[] = changes?.emptied.count ? [{ kind: "tests_emptied", ...changes.emptied }] : [];
  const counts = [changes, start, now] as const;
  return {
    weaknesses: [...noTests, ...unseen(...counts), ...deleted(...counts), ...emptied, ...skipped(...counts)],
    tampering:
      changes === null || changes.changed.count + changes.scripts.count === 0
        ? null
        : { since: changes.since, changed: changes.changed, scripts: changes.scripts },
  };
}

/** Counts a verdict. Only one of a turn can be refused: before a turn nobody has claimed anything. */
export function countProof(
  state: Pick<LoopState, "strength" | "phase" | "spent" | "iterations">,
  { weaknesses, tampering, verdict }: Judged & { readonly verdict: Verdict },
): Strength {
  const { strength, phase } = state;
  const refused = phase === "unproved" && weaknesses.length > 0;
  return {
    weaknesses,
    tampering,
    refused: strength.refused + (refused ? 1 : 0),
    counts: isUntouched(state) ? testCounts(comparable(verdict.checks)) : strength.counts,
  };
}

/**
 * Whether what the checks said last may end the loop: it is not weak, or weak ones are only flagged (POST 5, POST 7). A
 * claim that names unfinished work in the same breath stands by the strength of its proof alone (C22).
 */
export function isAccepted({ runtime, identity }: Task, { strength, last_turn: turn }: LoopState): boolean {
  if (strength.weaknesses.length === 0) return true;
  const counts = successCheck(identity.checks) !== null || (turn?.claim.unfinished ?? null) === null;
  return runtime.weakProof === "flag" && counts;
}

/** The counts of checks together; null when nobody understands any of them. */
export function testCounts(checks: readonly CheckResult[]): TestCounts | null {
  const known = checks.map(({ tests }) => tests).filter((report) => report !== null);
  if (known.length === 0) return null;
  return {
    ran: known.reduce((sum, { ran }) => sum + ran, 0),
    skipped: known.reduce((sum, report) => sum + report.skipped, 0),
    exact: known.every(({ exact }) => exact),
  };
}

/** The checks that are asked whatever the others say: while the success check is red, no other is. */
function comparable(checks: readonly CheckResult[]): readonly CheckResult[] {
  const success = checks.filter(({ role }) => role === "success");
  return success.length === 0 ? checks : success;
}

/** An output that nobody understands any more is no weakness by itself: other words may have come in between. */
function unseen(...[changes, start, now]: Comparison): readonly Weakness[] {
  const ran = start !== null && start.ran > 0;
  if (!ran || now !== null || changes === null || changes.scripts.count === 0) return [];
  return [{ kind: "tests_unseen", ...changes.scripts }];
}

function deleted(...[changes, start, now]: Comparison): readonly Weakness[] {
  const gone = changes?.deleted ?? { count: 0, paths: [] };
  const known = start !== null && now !== null && start.exact && now.exact;
  const fewer = known ? Math.max(0, start.ran + start.skipped - now.ran - now.skipped) : 0;
  return gone.count === 0 && fewer === 0 ? [] : [{ kind: "tests_deleted", fewer, ...gone }];
}

function skipped(...[changes, start, now]: Comparison): readonly Weakness[] {
  const known = start !== null && now !== null && start.exact && now.exact;
  const more = known ? now.skipped - start.skipped : 0;
  const { count, skips } = changes?.skipped ?? { count: 0, skips: [] };
  return Math.max(more, count) <= 0 ? [] : [{ kind: "newly_skipped", count: Math.max(more, count), skips }];
}

/** What weakens a proof, in words that can follow "because": one text each. Paths are of others. */
export function weaknessWords(weaknesses: readonly Weakness[]): readonly string[] {
  return weaknesses.map((weakness) => {
    switch (weakness.kind) {
      case "no_tests_ran":
        return "no test ran";
      case "tests_unseen":
        return `the checks tell of no test any more, and what runs them was changed: ${named(weakness.paths, weakness.count)}`;
      case "tests_deleted":
        return deletedWords(weakness);
      case "tests_emptied":
        return `${many(weakness.count, "test file was", "test files were")} emptied: ${named(weakness.paths, weakness.count)}`;
      case "newly_skipped": {
        const places = weakness.skips.map(({ path, marker }) => `${path} (${marker})`);
        const where = places.length === 0 ? "" : `: ${named(places, weakness.count)}`;
        return `${many(weakness.count, "test or group of tests is", "tests or groups of tests are")} newly kept from running${where}`;
      }
    }
  });
}

function deletedWords({ count, paths, fewer }: Extract<Weakness, { kind: "tests_deleted" }>): string {
  const files =
    count === 0 ? [] : [`${many(count, "test file was", "test files were")} deleted: ${named(paths, count)}`];
  const tests = fewer === 0 ? [] : [`${many(fewer, "test", "tests")} fewer than when the loop began`];
  return [...files, ...tests].join("; ");
}

function many(count: number, one: string, more: string): string {
  return `${count} ${count === 1 ? one : more}`;
}

function named(names: readonly string[], count: number): string {
  const rest = count - names.length;
  return names.join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}
