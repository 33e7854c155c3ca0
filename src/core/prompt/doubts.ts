import type { Claim } from "../claim/claim.ts";
import { weaknessWords } from "../progress/weakness-words.ts";
import { hasChecks, type Checks } from "../task.ts";
import type { Brief } from "./brief.ts";

/** What an agent has to hear whose checks are green and prove little (C21); "" otherwise. */
export function weakProof({ strength }: Brief["state"]): string {
  if (strength.weaknesses.length === 0) return "";
  const found = weaknessWords(strength.weaknesses).map((words) => `- ${words}`);
  return [
    "The checks are green, but that proves little, so the work is not taken as done:",
    ...found,
    "Restore the tests, let them run, and make the code pass them; where there are none, write some. If they have to stay like this, say BLOCKED and why: only a person can accept it, with weak-proof: flag.",
    ...(strength.refused > 0 ? ["When it happens again, the loop stops and a person is asked."] : []),
  ].join("\n");
}

/** C22: why a promise does not count where no check could speak for the work; "" otherwise. */
export function unfinishedWork({ unfinished }: Claim, checks: Checks): string {
  if (unfinished === null || hasChecks(checks)) return "";
  return `You claimed that the work is done, and named unfinished work in the same breath: "${unfinished}". So the claim does not count. Finish it, then claim it without that.`;
}
