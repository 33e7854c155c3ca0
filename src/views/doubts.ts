import type { SomePaths } from "../core/verdict.ts";
import { weaknessWords } from "../core/progress/strength.ts";
import type { LoopState } from "../core/state.ts";
import { oneLine } from "./plain-text.ts";
import { lastVerdict } from "./proof.ts";

/** What weakens a proof that is green (C21), as a sentence; undefined: nothing that anybody knows. */
export function weakness(state: LoopState): string | undefined {
  const words = weaknessWords(state.strength.weaknesses);
  if (words.length === 0 || lastVerdict(state)?.result !== "passed") return undefined;
  return `The proof is weak: ${oneLine(words.join("; "))}.`;
}

/** What has become of the check scripts and tests since the loop began (C21), as a sentence; undefined: nothing is known. */
export function tampering({ strength: { tampering: found } }: LoopState): string | undefined {
  if (found === null) return undefined;
  const since = found.since === 0 ? "the loop began" : `iteration ${found.since}`;
  const parts = [
    ...(found.scripts.count === 0 ? [] : [`check scripts: ${listing(found.scripts)}`]),
    ...(found.changed.count === 0 ? [] : [`tests: ${listing(found.changed)}`]),
  ];
  return `Changed since ${since}, of what the work is judged by: ${oneLine(parts.join("; "))}.`;
}

/** The sentence by which a loop that is completed names unfinished work (C22), quoted; undefined: there is none. */
export function unfinishedWords({ status, last_turn: turn }: LoopState): string | undefined {
  const said = turn?.claim.unfinished ?? null;
  if (status !== "completed" || said === null) return undefined;
  return `As it claimed to be done, the agent named unfinished work: "${oneLine(said)}"`;
}

/** What speaks against a loop that is completed having done all of its plan, as a sentence; undefined: nothing. */
export function planDoubt({ status, plan }: LoopState): string | undefined {
  if (status !== "completed" || plan === null) return undefined;
  const { items, ticked, most_items: most } = plan;
  if (ticked < items) return `The plan has open items: ${items - ticked} of ${items} are not ticked.`;
  return items < most
    ? `The plan holds fewer items than it did, ${items} of ${most}: look for what was taken out.`
    : undefined;
}

function listing({ count, paths }: SomePaths): string {
  const rest = count - paths.length;
  return paths.join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}
