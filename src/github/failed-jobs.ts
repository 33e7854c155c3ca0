import type { Result } from "../core/result.ts";
import type { Github } from "./client.ts";
import { endOfDownload } from "./fetch.ts";
import { ask, type Refused } from "./refusal.ts";

/** A job of another workflow's run, as GitHub tells of it. Names are others' words. */
export interface RunJob {
  /** also of its check run */
  readonly id: number;
  readonly name: string;
  /** of the run: 1 for the first */
  readonly attempt: number;
  /** null: it has not ended */
  readonly conclusion: string | null;
  readonly url: string;
  /** what its runner is called by, as in `ubuntu-24.04` */
  readonly labels: readonly string[];
  /** whether it has begun on a runner */
  readonly hasRun: boolean;
  readonly steps: readonly RunStep[];
}

export interface RunStep {
  readonly name: string;
  readonly conclusion: string | null;
  /** in whole seconds, as milliseconds since the epoch; null: not known */
  readonly began: number | null;
  readonly ended: number | null;
}

/** What somebody's program says about a place in a file, or the runner about the job. */
export interface Annotation {
  readonly path: string;
  readonly line: number;
  readonly message: string;
}

const FAILED: ReadonlySet<string | null> = new Set(["failure", "timed_out"]);

export function hasFailed({ conclusion }: Pick<RunJob, "conclusion">): boolean {
  return FAILED.has(conclusion);
}

/**
 * The jobs of a run with all its attempts, at most 100 (`actions: read`). Never throws.
 *
 * @param attempts whether those of earlier attempts are wanted as well
 */
export async function readJobs(
  github: Github,
  runId: number,
  attempts: "all" | "latest",
): Promise<Result<readonly RunJob[], Refused>> {
  return ask("actions: read", async () => {
    const asked = { run_id: runId, filter: attempts, per_page: 100 } as const;
    const { data } = await github.rest.actions.listJobsForWorkflowRun(asked);
    return data.jobs.map((job) => ({
      id: job.id,
      name: job.name,
      attempt: job.run_attempt ?? 1,
      conclusion: job.conclusion,
      url: job.html_url ?? job.url,
      labels: job.labels,
      hasRun: (job.runner_id ?? 0) > 0,
      steps: (job.steps ?? []).map(({ name, conclusion, started_at: began, completed_at: ended }) => ({
        ...{ name, conclusion, began: momentOf(began), ended: momentOf(ended) },
      })),
    }));
  });
}

function momentOf(text: string | null | undefined): number | null {
  const at = Date.parse(text ?? "");
  return Number.isFinite(at) ? at : null;
}

/**
 * The end of a job's log (`actions: read`): GitHub names a place elsewhere, which does not get the token. `absent`: it has
 * been deleted, or there is none. Never throws.
 *
 * @param bytes at most so many are kept; the log is cut while it comes
 */
export async function readJobLog(github: Github, jobId: number, bytes: number): Promise<Result<string, Refused>> {
  return ask("actions: read", async () => {
    const { headers } = await github.rest.actions.downloadJobLogsForWorkflowRun({
      job_id: jobId,
      request: { signal: github.signal, redirect: "manual" },
    });
    if (headers.location === undefined) throw new Error("GitHub does not say where the log is");
    return endOfDownload(headers.location, bytes, github.signal);
  });
}

/** What a job's check run says of failures, at most `most` (`checks: read`). Never throws. */
export async function readAnnotations(
  github: Github,
  jobId: number,
  most: number,
): Promise<Result<readonly Annotation[], Refused>> {
  return ask("checks: read", async () => {
    const { data } = await github.rest.checks.listAnnotations({ check_run_id: jobId, per_page: 50 });
    const failures = data.filter((row) => row.annotation_level === "failure");
    return failures.slice(0, most).map((row) => ({
      ...{ path: row.path, line: row.start_line, message: row.message ?? row.title ?? "" },
    }));
  });
}
