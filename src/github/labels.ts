import { statusOf } from "./github-refusal.ts";
import type { Access } from "./access.ts";
import { onceKnown } from "./ask-again.ts";
import { type Answer, ask } from "./answer.ts";
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
  return attempt(PERMISSION, async () => takeOff(access, number, label, {}));
}

/**
 * The same, asked once: who asks again after a lost answer would find their own doing. Never throws.
 *
 * @returns whether it was there: of several who take it off at one moment, GitHub lets one have found it
 */
export async function claimLabel(
  access: Access,
  number: number,
  label: string,
): Promise<Answer<{ readonly there: boolean }>> {
  return ask(PERMISSION, async () => ({ there: await takeOff(access, number, label, { retries: 0 }) }));
}

/** @throws what Octokit throws */
async function takeOff(
  { octokit, repository, signal }: Access,
  number: number,
  label: string,
  patience: { readonly retries?: number },
): Promise<boolean> {
  try {
    await octokit.request("DELETE /repos/{owner}/{repo}/issues/{issue_number}/labels/{name}", {
      owner: repository.owner,
      repo: repository.name,
      issue_number: number,
      name: label,
      request: { signal, ...patience },
    });
    return true;
  } catch (error) {
    if (statusOf(error) !== 404) throw error;
    return false;
  }
}
