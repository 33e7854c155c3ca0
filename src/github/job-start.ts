import type { Octokit } from "./octokit.ts";
import type { Repository } from "./context.ts";
import { refusalOf } from "./github-refusal.ts";

/** When the job began, in milliseconds since the epoch, or why that is not known, as part of a sentence. */
export type JobStart = { readonly at: number } | { readonly why: string };

/** Which job is asked about. */
export interface JobQuestion {
  readonly octokit: Octokit;
  readonly repository: Repository;
  readonly runId: number;
  /** `${{ job.check_run_id }}`, which is the job's id in the API; null where the server does not give it */
  readonly checkRunId: number | null;
  /** how long it may take; milliseconds */
  readonly withinMs: number;
}

/** Asks the API's record of the job (`actions: read`). Never throws. */
export async function readJobStart(question: JobQuestion): Promise<JobStart> {
  const { octokit, repository, runId, checkRunId, withinMs } = question;
  if (checkRunId === null) return { why: "the server does not say which of its jobs this is" };
  try {
    const { data } = await octokit.request("GET /repos/{owner}/{repo}/actions/jobs/{job_id}", {
      owner: repository.owner,
      repo: repository.name,
      job_id: checkRunId,
      request: { signal: AbortSignal.timeout(withinMs) },
    });
    const at = Date.parse(data.started_at);
    return data.run_id === runId && Number.isFinite(at) ? { at } : { why: "GitHub's record is of another job" };
  } catch (error) {
    return { why: refusalOf(error, "actions: read") };
  }
}
