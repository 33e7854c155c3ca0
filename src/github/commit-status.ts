import type { Access } from "./access.ts";
import { onceKnown } from "./ask-again.ts";
import { attempt, type Attempt } from "./attempt.ts";

export interface CommitStatus {
  readonly sha: string;
  readonly state: "pending" | "success" | "failure" | "error";
  /** what a branch rule names: `smithers/loop` for the loop's own */
  readonly context: string;
  /** one line; cut at the 140 characters that GitHub takes */
  readonly description: string;
  /** where people read more */
  readonly targetUrl: string;
}

const LONGEST = 140;

/** Sets a status of a commit (`statuses: write`); it stands in the place of an earlier one of its context. Never throws. */
export async function setCommitStatus(access: Access, status: CommitStatus): Promise<Attempt> {
  const { octokit, repository, signal } = access;
  return attempt("statuses: write", () =>
    onceKnown(signal, () =>
      octokit.request("POST /repos/{owner}/{repo}/statuses/{sha}", {
        owner: repository.owner,
        repo: repository.name,
        sha: status.sha,
        state: status.state,
        context: status.context,
        description: cut(status.description),
        target_url: status.targetUrl,
        request: { signal },
      }),
    ),
  );
}

/** No half of a character is left at the end. */
function cut(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1).replace(/[\uD800-\uDBFF]$/u, "")}…`;
}
