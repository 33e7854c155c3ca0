import type { Access } from "../github/client.ts";
import type { Answer } from "../github/refusal.ts";
import { type AskedPullRequest, readPullRequest } from "../github/pulls.ts";
import { forged, notAllowed, unknowable } from "./asked-refusals.ts";

/** @throws UsageError when there is none, or it is closed */
export async function openPullRequest(access: Access, number: number): Promise<AskedPullRequest> {
  const pull = must(await readPullRequest(access, number), `There is no pull request #${number}.`);
  if (!pull.open) throw notAllowed(`Pull request #${number} is closed.`);
  return pull;
}

/**
 * What GitHub answered.
 *
 * @param absent what it means that there is no such thing, as a sentence
 * @throws UsageError, OperationalError as `verifyAsked`
 */
export function must<T>(answer: Answer<T>, absent: string): T {
  if (answer.answered) return answer.value;
  throw answer.absent ? forged(absent) : unknowable(answer.why);
}
