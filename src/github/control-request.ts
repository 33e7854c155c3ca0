import { saysThat } from "../platform/github-refusal.ts";
import type { Access } from "./access.ts";
import { attempt, type Attempt } from "./attempt.ts";

/** What somebody asks of a loop that runs now. */
export interface ControlOrder {
  readonly loopId: string;
  readonly kind: "pause" | "stop" | "cancel";
  /** who asks */
  readonly login: string;
  /** of what they did, as in a comment's: one thing done is one request */
  readonly id: number;
  /** any commit that the repository has: the request is in the name */
  readonly commit: string;
}

const EXISTS = /reference already exists/iu;

/** The ref that is a request, whole. A name holds no other characters of the login, of which a bot has some. */
export function controlRef({ loopId, kind, login, id }: Omit<ControlOrder, "commit">): string {
  return `refs/smithers-control/${loopId}/${kind}/${login.replaceAll(/[^A-Za-z0-9-]/gu, "_")}-${id}`;
}

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
        ref: controlRef(order),
        sha: order.commit,
        request: { signal },
      });
    } catch (error) {
      if (!saysThat(error, EXISTS)) throw error;
    }
  });
}
