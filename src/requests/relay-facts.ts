import type { Result } from "../core/result.ts";
import type { Command } from "../core/policy/command.ts";
import { letsWork } from "../core/policy/may.ts";
import type { Github } from "../github/client.ts";
import type { Refused } from "../github/refusal.ts";
import { type AskedPullRequest, readPullRequest } from "../github/pulls.ts";
import { readComment } from "../github/comments.ts";
import type { Origin } from "./intent.ts";

/** What an event does not say of what it is about. */
export interface Facts {
  /** null: it is about none */
  readonly pull: AskedPullRequest | null;
  /** whether the comment is another than the one that the event brought */
  readonly edited: boolean;
}

/**
 * Looks at the pull request, and again at a comment after which an agent would work: the event may have waited.
 *
 * @param command null: what the comment says is not understood
 */
export async function gatherFacts(
  access: Github,
  origin: Origin,
  command: Command | null,
): Promise<Result<Facts, Refused>> {
  const { pullRequest, request } = origin;
  if (pullRequest === null) return { answered: true, value: { pull: null, edited: false } };
  const again = request?.kind === "comment" && command !== null && letsWork(command) ? request.id : null;
  const [pull, comment] = await Promise.all([
    readPullRequest(access, pullRequest),
    again === null ? null : readComment(access, again),
  ]);
  if (!pull.answered) return pull;
  if (comment?.answered === false && !comment.absent) return comment;
  return { answered: true, value: { pull: pull.value, edited: comment !== null && isChanged(comment) } };
}

/** One that was deleted is not what it was either. */
function isChanged(comment: Awaited<ReturnType<typeof readComment>>): boolean {
  return !comment.answered || comment.value.edited;
}
