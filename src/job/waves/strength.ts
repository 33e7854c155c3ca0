import { checkScripts, judgedAnew } from "../../core/progress/check-scripts.ts";
import { isOnlyFlagged, judged, weaknessWords } from "../../core/progress/strength.ts";
import { testChanges } from "../../core/progress/test-changes.ts";
import type { SomePaths, Verdict } from "../../core/verdict.ts";
import type { Closing } from "./closing.ts";
import { checksOf } from "./prove.ts";

/** What a green verdict on the PRD's branch is worth (C21). */
interface Strength {
  /** why it proves little, as part of a sentence, with paths of others; null: it does not */
  readonly weak: string | null;
  /** whether that keeps the story from landing */
  readonly isRefused: boolean;
  /** the commands whose own script the story has changed */
  readonly changed: ReadonlySet<string>;
}

const UNCHANGED: SomePaths = { count: 0, paths: [] };

/**
 * Finds out again what a story has changed of what judges it: its record is a claim. How many tests ran before it is not
 * known here; its own job has asked.
 *
 * @param at where it was put, and the commit with it: both are in the checkout
 */
export async function strengthOf(
  { ground, config, prd, base }: Closing,
  { checks }: Verdict,
  { at, commit }: { readonly at: string; readonly commit: string },
): Promise<Strength> {
  const { prefix } = base.repository;
  const stories = prd.stories.flatMap((story) => story.checks.map(({ run }) => run));
  const scripts = checkScripts(checksOf(config), stories).map((name) => `${prefix}${name}`);
  const query = { scripts, known: new Map() };
  const [before, now] = [await ground.tests(at, query), await ground.tests(commit, query)];
  const changes = before && now && testChanges({ schema: 1, iteration: 0, ...before }, now);
  // What is red without the story as well is not held against it.
  const { weaknesses, tampering } = judged({ result: "passed", checks }, null, changes, config.weakProof);
  const { count, paths } = tampering?.scripts ?? UNCHANGED;
  const named = paths.map((name) => (name.startsWith(prefix) ? name.slice(prefix.length) : name));
  return {
    weak: weaknesses.length === 0 ? null : weaknessWords(weaknesses).join("; "),
    isRefused: config.weakProof !== "flag" && !isOnlyFlagged(weaknesses),
    changed: judgedAnew([...config.qualityCommands, ...stories], { count, paths: named }),
  };
}
