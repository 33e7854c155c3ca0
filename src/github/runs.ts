import { done, failed, type Result } from "../core/result.ts";
import { AccountAnswer } from "./accounts.ts";
import type { Github } from "./client.ts";
import { type Account, RepositoryId } from "./event-payload.ts";
import { ask, type Refused, refusalOf } from "./refusal.ts";

/** Another workflow's run, or one of ours. */
interface WorkflowRun {
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

/** Reads a run (`actions: read`). Never throws. */
export async function readRun(github: Github, id: number): Promise<Result<WorkflowRun, Refused>> {
  return ask("actions: read", async () => {
    const { data } = await github.rest.actions.getWorkflowRun({ run_id: id });
    const actors = [data.actor, data.triggering_actor].map((actor) => AccountAnswer.parse(actor));
    return {
      id,
      ended: data.status === "completed",
      conclusion: data.conclusion,
      headSha: data.head_sha,
      headBranch: data.head_branch,
      fork: RepositoryId.parse(data.head_repository)?.id !== github.repository.id,
      actors: actors.filter((actor) => actor !== null),
    };
  });
}

/**
 * When a job began, in milliseconds since the epoch, by the API's record of it (`actions: read`). Never throws.
 *
 * @param checkRunId `${{ job.check_run_id }}`, which is the job's id in the API; null where the server does not give it
 */
export async function readJobStart(github: Github, runId: number, checkRunId: number | null): Promise<Result<number>> {
  if (checkRunId === null) return failed({ because: "the server does not say which of its jobs this is" });
  try {
    const { data } = await github.rest.actions.getJobForWorkflowRun({ job_id: checkRunId });
    const at = Date.parse(data.started_at);
    if (data.run_id === runId && Number.isFinite(at)) return done(at);
    return failed({ because: "GitHub's record is of another job" });
  } catch (error) {
    return failed({ because: refusalOf(error, "actions: read") });
  }
}
