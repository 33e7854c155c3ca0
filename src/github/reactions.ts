import type { Access } from "./access.ts";
import { attempt, type Attempt } from "./attempt.ts";

/** 👀 seen, 🚀 done, 😕 refused */
export type Reaction = "eyes" | "rocket" | "confused";

/** Reacts to a comment, once however often it is asked (`pull-requests: write`). Never throws. */
export async function react(access: Access, commentId: number, reaction: Reaction): Promise<Attempt> {
  const { octokit, repository, signal } = access;
  return attempt("pull-requests: write", () =>
    octokit.request("POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions", {
      owner: repository.owner,
      repo: repository.name,
      comment_id: commentId,
      content: reaction,
      request: { signal },
    }),
  );
}
