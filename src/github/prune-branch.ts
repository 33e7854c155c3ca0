import type { GithubLink, LoopState } from "../core/state.ts";
import type { Access } from "./access.ts";
import { type Answer, ask } from "./answer.ts";
import type { AskedPullRequest } from "./asked-pull-request.ts";

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

/** Whether an open pull request begins or ends at a branch: without it, GitHub would close that (`pull-requests: read`). */
export async function isNeeded({ octokit, repository, signal }: Access, branch: string): Promise<Answer<boolean>> {
  const { owner, name: repo } = repository;
  const open = async (which: { readonly head: string } | { readonly base: string }): Promise<boolean> => {
    const query = { owner, repo, state: "open", per_page: 1, ...which, request: { signal } } as const;
    return (await octokit.request("GET /repos/{owner}/{repo}/pulls", query)).data.length > 0;
  };
  return ask(
    "pull-requests: read",
    async () => (await open({ head: `${owner}:${branch}` })) || (await open({ base: branch })),
  );
}

/**
 * Whether all that a loop has done is in the commits that it pushed (`contents: read`). Where that cannot be told, it is
 * not: the loop's ref may hold what is nowhere else.
 */
export async function isAllPushed({ octokit, repository, signal }: Access, state: LoopState): Promise<boolean> {
  const head = state.github?.head ?? null;
  // Without a turn there is no work.
  if (state.iteration === 0) return true;
  if (head === null || state.snapshot === null) return false;
  const answer = await ask("contents: read", () =>
    octokit.request("GET /repos/{owner}/{repo}/git/commits/{commit_sha}", {
      owner: repository.owner,
      repo: repository.name,
      commit_sha: head,
      request: { signal },
    }),
  );
  return answer.answered && answer.value.data.tree.sha === state.snapshot.tree;
}
