import { saysThat } from "./github-refusal.ts";
import type { Access } from "./access.ts";
import { attempt, type Attempt } from "./attempt.ts";

const EXISTS = /reference already exists/iu;

/**
 * Begins a branch at a commit that the repository has (`contents: write`). One that is there stays where it is. Never
 * throws.
 *
 * @param branch without `refs/heads/`
 */
export async function createBranch(
  { octokit, repository, signal }: Access,
  { branch, commit }: { readonly branch: string; readonly commit: string },
): Promise<Attempt> {
  return attempt("contents: write", async () => {
    try {
      await octokit.request("POST /repos/{owner}/{repo}/git/refs", {
        owner: repository.owner,
        repo: repository.name,
        ref: `refs/heads/${branch}`,
        sha: commit,
        request: { signal },
      });
    } catch (error) {
      if (!saysThat(error, EXISTS)) throw error;
    }
  });
}
