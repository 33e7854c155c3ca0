import type { GithubLink, LoopState } from "../core/state.ts";
import type { Github } from "../github/client.ts";
import type { AskedPullRequest } from "../github/pulls.ts";
import { ask } from "../github/refusal.ts";

/** A branch that may go, and where it was pushed to last. */
export interface StaleBranch {
  /** without `refs/heads/` */
  readonly name: string;
  readonly head: string;
}

/**
 * The branch that a loop has left behind: its own, merged by its own pull request. A person's branch is none, nor is one
 * that never was pushed.
 *
 * @param pull the pull request of `ties`, as it is now
 */
export function staleBranchOf({ branch, head, pull_request }: GithubLink, pull: AskedPullRequest): StaleBranch | null {
  const isOurs = pull_request?.own === true && pull_request.number === pull.number && pull.headBranch === branch;
  return isOurs && pull.merged && !pull.fork && head !== null ? { name: branch, head } : null;
}

/**
 * Whether all that a loop has done is in the commits that it pushed (`contents: read`). Where that cannot be told, it is
 * not: the loop's ref may hold what is nowhere else.
 */
export async function isAllPushed(github: Github, state: LoopState): Promise<boolean> {
  const head = state.github?.head ?? null;
  // Without a turn there is no work.
  if (state.iteration === 0) return true;
  if (head === null || state.snapshot === null) return false;
  const answer = await ask("contents: read", () => github.rest.git.getCommit({ commit_sha: head }));
  return answer.ok && answer.value.data.tree.sha === state.snapshot.tree;
}
