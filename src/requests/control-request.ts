import { controlRefOf, type NamedRequest } from "../core/control-requests.ts";
import { saysThat } from "../github/github-refusal.ts";
import type { Access } from "../github/access.ts";
import { attempt, type Attempt } from "../github/attempt.ts";

/** What somebody asks of a loop that runs now. */
export interface ControlOrder extends NamedRequest {
  readonly loopId: string;
  /** any commit that the repository has: the request is in the name */
  readonly commit: string;
}

const EXISTS = /reference already exists/iu;

/**
 * Asks something of a loop that runs (`contents: write`): it looks for such refs several times a minute, and removes
 * what it has obeyed. Asking twice for the same is asking once. Never throws.
 */
export async function requestControl({ octokit, repository, signal }: Access, order: ControlOrder): Promise<Attempt> {
  return attempt("contents: write", async () => {
    try {
      await octokit.request("POST /repos/{owner}/{repo}/git/refs", {
        owner: repository.owner,
        repo: repository.name,
        ref: controlRefOf(order.loopId, order),
        sha: order.commit,
        request: { signal },
      });
    } catch (error) {
      if (!saysThat(error, EXISTS)) throw error;
    }
  });
}
