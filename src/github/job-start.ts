import { refusalOf } from "./github-refusal.ts";
import type { Access } from "./access.ts";

/** When the job began, in milliseconds since the epoch, or why that is not known, as part of a sentence. */
export type JobStart = { readonly at: number } | { readonly why: string };

/** Which job is asked about. */
export interface JobQuestion {
  readonly runId: number;
  /** `${{ job.check_run_id }}`, which is the job's id in the API; null where the server does not give it */
  readonly checkRunId: number | null;
}

/** Asks the API's record of the job (`actions: read`). Never throws. */
export async function readJobStart(
  { octokit, repository, signal }: Access,
  { runId, checkRunId }: JobQuestion,
): Promise<JobStart> {
  if (checkRunId === null) return { why: "the server does not say which of its jobs this is" };
  try {
    const { data } = await octokit.request("GET /repos/{owner}/{repo}/actions/jobs/{job_id}", {
      owner: repository.owner,
      repo: repository.name,
      job_id: checkRunId,
      request: { signal },
    });
    const at = Date.parse(data.started_at);
    return data.run_id === runId && Number.isFinite(at) ? { at } : { why: "GitHub's record is of another job" };
  } catch (error) {
    return { why: refusalOf(error, "actions: read") };
  }
}
