import type { Access } from "./access.ts";
import { type Answer, ask } from "./answer.ts";

/** 👀 seen, 🚀 done, 😕 refused */
export type Reaction = "eyes" | "rocket" | "confused";

/**
 * Reacts to a comment, once however often it is asked (`pull-requests: write`). Never throws.
 *
 * @returns whether this was the first such reaction of our account: of several at one moment, GitHub lets one be that
 */
export async function react(
  { octokit, repository, signal }: Access,
  commentId: number,
  reaction: Reaction,
): Promise<Answer<{ readonly first: boolean }>> {
  return ask("pull-requests: write", async () => {
    const { status } = await octokit.request("POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions", {
      owner: repository.owner,
      repo: repository.name,
      comment_id: commentId,
      content: reaction,
      request: { signal },
    });
    return { first: status === 201 };
  });
}
