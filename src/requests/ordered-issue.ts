import { issueDigest, issueTask, type IssueText } from "../core/prompt/issue.ts";
import type { Issue } from "../github/orders/issue.ts";
import { sha256 } from "../os/digest.ts";

/** When somebody ordered a loop to work on an issue, and what that said then. */
interface Ordered {
  /** milliseconds since the epoch; null: not known, so only what it said is compared */
  readonly at: number | null;
  /** see `issueDigest`; null: not known, so only the moment is compared */
  readonly text: string | null;
}

/**
 * Why the order is void, as a sentence: the issue was changed after it, so that it says what the person has not seen (T1, T6).
 *
 * @param now the issue as GitHub has it
 * @returns null: it says what it said
 */
export function whyVoid(now: Issue, { at, text }: Ordered): string | null {
  // A second is all that GitHub writes moments down to: what happened in the same one counts as after it.
  const since = at !== null && now.editedAt !== null && now.editedAt >= Math.floor(at / 1_000) * 1_000;
  const other = text !== null && textOf(now) !== text;
  if (!since && !other) return null;
  const when = now.editedAt === null ? "" : `, at ${new Date(now.editedAt).toISOString()}`;
  return `The title or the text of issue ${now.number} was changed after the order${when}.`;
}

/** What an order is bound to. */
export function textOf(issue: IssueText): string {
  return issueDigest(issue, sha256);
}

/** The task of a loop that works on an issue. */
export function taskOf(issue: Issue, by: string, words: string): string {
  return issueTask(issue, { by, words });
}

export const READ_AGAIN = "Read it as it is now, then order again.";
