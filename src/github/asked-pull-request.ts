import { z } from "zod";
import type { Access } from "./access.ts";
import { AccountAnswer } from "./account.ts";
import { type Answer, ask } from "./answer.ts";

/** What a request is about, as it is now. */
export interface AskedPullRequest {
  readonly number: number;
  readonly open: boolean;
  readonly merged: boolean;
  readonly headSha: string;
  /** without `refs/heads/` */
  readonly headBranch: string;
  /** whether its commits come from another repository, or from one that is gone */
  readonly fork: boolean;
  /** login; null: the account is gone */
  readonly author: string | null;
  readonly body: string;
  /** their names */
  readonly labels: readonly string[];
}

/** GitHub's types say that there is always a repository; yet a fork can be deleted. */
const Repository = z.object({ id: z.number() }).nullish().catch(null);

/** Reads a pull request (`pull-requests: read`). Never throws. */
export async function readPullRequest(
  { octokit, repository, signal }: Access,
  number: number,
): Promise<Answer<AskedPullRequest>> {
  return ask("pull-requests: read", async () => {
    const { data } = await octokit.request("GET /repos/{owner}/{repo}/pulls/{pull_number}", {
      owner: repository.owner,
      repo: repository.name,
      pull_number: number,
      request: { signal },
    });
    return {
      number: data.number,
      open: data.state === "open",
      merged: data.merged,
      headSha: data.head.sha,
      headBranch: data.head.ref,
      fork: Repository.parse(data.head.repo)?.id !== repository.id,
      author: AccountAnswer.parse(data.user)?.login ?? null,
      body: data.body ?? "",
      labels: data.labels.map(({ name }) => name),
    };
  });
}
