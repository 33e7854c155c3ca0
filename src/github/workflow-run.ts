import { z } from "zod";
import type { Access } from "./access.ts";
import { AccountAnswer } from "./account.ts";
import { type Answer, ask } from "./answer.ts";
import type { Account } from "./event-payload.ts";

/** Another workflow's run, or one of ours. */
export interface WorkflowRun {
  readonly id: number;
  readonly ended: boolean;
  /** null: it has not ended */
  readonly conclusion: string | null;
  readonly headSha: string;
  readonly headBranch: string | null;
  /** whether the commit comes from another repository */
  readonly fork: boolean;
  /** who caused it, and who ran it again */
  readonly actors: readonly Account[];
}

/** GitHub's types say that there is always a repository; yet a fork can be deleted. */
const Repository = z.object({ id: z.number() }).nullish().catch(null);

/** Reads a run (`actions: read`). Never throws. */
export async function readRun({ octokit, repository, signal }: Access, id: number): Promise<Answer<WorkflowRun>> {
  return ask("actions: read", async () => {
    const { data } = await octokit.request("GET /repos/{owner}/{repo}/actions/runs/{run_id}", {
      owner: repository.owner,
      repo: repository.name,
      run_id: id,
      request: { signal },
    });
    const actors = [data.actor, data.triggering_actor].map((actor) => AccountAnswer.parse(actor));
    return {
      id,
      ended: data.status === "completed",
      conclusion: data.conclusion,
      headSha: data.head_sha,
      headBranch: data.head_branch,
      fork: Repository.parse(data.head_repository)?.id !== repository.id,
      actors: actors.flatMap((actor) => (actor ? [actor] : [])),
    };
  });
}
