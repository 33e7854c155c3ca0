import { statusOf } from "../platform/github-refusal.ts";
import type { Access } from "./access.ts";
import { onceKnown } from "./ask-again.ts";
import { attempt, type Attempt } from "./attempt.ts";

const PERMISSION = "pull-requests: write";

/** Puts labels on a pull request (`pull-requests: write`); GitHub makes those that there are not yet. Never throws. */
export async function addLabels(access: Access, number: number, labels: readonly string[]): Promise<Attempt> {
  const { octokit, repository, signal } = access;
  if (labels.length === 0) return { done: true };
  return attempt(PERMISSION, () =>
    onceKnown(signal, () =>
      octokit.request("POST /repos/{owner}/{repo}/issues/{issue_number}/labels", {
        owner: repository.owner,
        repo: repository.name,
        issue_number: number,
        labels: [...labels],
        request: { signal },
      }),
    ),
  );
}

/** Takes a label off a pull request, if it is there (`pull-requests: write`). Never throws. */
export async function removeLabel(access: Access, number: number, label: string): Promise<Attempt> {
  const { octokit, repository, signal } = access;
  return attempt(PERMISSION, async () => {
    try {
      await octokit.request("DELETE /repos/{owner}/{repo}/issues/{issue_number}/labels/{name}", {
        owner: repository.owner,
        repo: repository.name,
        issue_number: number,
        name: label,
        request: { signal },
      });
    } catch (error) {
      if (statusOf(error) !== 404) throw error;
    }
  });
}
