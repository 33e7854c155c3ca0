import { setTimeout as sleep } from "node:timers/promises";
import { done, failed, type Result } from "../core/result.ts";
import { AccountAnswer } from "./accounts.ts";
import type { Github } from "./client.ts";
import { type Account, RepositoryId } from "./event-payload.ts";
import { endOfDownload } from "./fetch.ts";
import { ask, type Refused, refusalOf } from "./refusal.ts";

/** Another workflow's run, or one of ours. */
export interface WorkflowRun {
  readonly id: number;
  /** 1 for the first */
  readonly attempt: number;
  /** as in `CI`; others' words */
  readonly name: string;
  /** of the workflow's file, as in `.github/workflows/ci.yml` */
  readonly path: string;
  /** what it ran for, as in `push` */
  readonly event: string;
  readonly url: string;
  /** when it was made; milliseconds since the epoch */
  readonly createdAt: number;
  /** when its last attempt began; milliseconds since the epoch */
  readonly startedAt: number;
  /** as in `queued`, `pending` (for its concurrency group), `in_progress`; "" where GitHub does not say */
  readonly status: string;
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
    return runOf(data, github);
  });
}

/** The newest runs of all workflows for a commit, at most 100 (`actions: read`). Never throws. */
export async function runsOfCommit(github: Github, sha: string): Promise<Result<readonly WorkflowRun[], Refused>> {
  return ask("actions: read", async () => {
    const { data } = await github.rest.actions.listWorkflowRunsForRepo({ head_sha: sha, per_page: 100 });
    return data.workflow_runs.map((run) => runOf(run, github)).filter(({ headSha }) => headSha === sha);
  });
}

/** Whether a run is of one of these workflow files, as in `ci.yml`. */
export function isOfFile({ path }: Pick<WorkflowRun, "path">, files: readonly string[]): boolean {
  return files.some((file) => file !== "" && path.endsWith(`/${file}`));
}

/** Which runs of one workflow. */
interface RunQuestion {
  /** the workflow's file, as in `ci.yml` */
  readonly file: string;
  readonly branch?: string;
  readonly sha?: string;
  /** as GitHub has it: `success`, `failure`, `completed` */
  readonly status: "success" | "completed";
}

/** The newest runs of a workflow, the newest first, at most 20 (`actions: read`). Never throws. */
export async function listRuns(
  github: Github,
  { file, branch, sha, status }: RunQuestion,
): Promise<Result<readonly WorkflowRun[], Refused>> {
  return ask("actions: read", async () => {
    const { data } = await github.rest.actions.listWorkflowRuns({
      ...{ workflow_id: file, status, per_page: 20 },
      ...(branch === undefined ? {} : { branch }),
      ...(sha === undefined ? {} : { head_sha: sha }),
    });
    return data.workflow_runs.map((run) => runOf(run, github));
  });
}

/**
 * The runs of a workflow that were dispatched since a moment, of the newest 100 (`actions: read`). Never throws.
 *
 * @param since milliseconds since the epoch
 */
export async function dispatchedSince(
  github: Github,
  file: string,
  since: number,
): Promise<Result<readonly WorkflowRun[], Refused>> {
  return ask("actions: read", async () => {
    const created = `>=${new Date(since).toISOString().slice(0, 19)}Z`;
    const asked = { workflow_id: file, event: "workflow_dispatch", created, per_page: 100 } as const;
    const { data } = await github.rest.actions.listWorkflowRuns(asked);
    return data.workflow_runs.map((run) => runOf(run, github));
  });
}

type RunAnswer = Awaited<ReturnType<Github["rest"]["actions"]["getWorkflowRun"]>>["data"];

function runOf(data: RunAnswer, { repository }: Github): WorkflowRun {
  const actors = [data.actor, data.triggering_actor].map((actor) => AccountAnswer.parse(actor));
  return {
    ...{ id: data.id, attempt: data.run_attempt ?? 1, name: data.name ?? "", path: data.path.replace(/@.*$/u, "") },
    ...{ event: data.event, url: data.html_url, createdAt: Date.parse(data.created_at) },
    startedAt: Date.parse(data.run_started_at ?? data.created_at),
    status: data.status ?? "",
    ended: data.status === "completed",
    conclusion: data.conclusion,
    headSha: data.head_sha,
    headBranch: data.head_branch,
    fork: RepositoryId.parse(data.head_repository)?.id !== repository.id,
    actors: actors.filter((actor) => actor !== null),
  };
}

/** After these waits a run is looked at that was just asked for; milliseconds. GitHub's lists lag up to a minute (C148). */
const LOOKS = [1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000];

/** How a run ends of which no job has begun. */
const NOT_BEGUN: Readonly<Record<string, string>> = {
  cancelled: "was cancelled before it began",
  startup_failure: "could not begin; its page says why",
  action_required: "waits until somebody approves it",
  skipped: "has skipped all of its jobs",
  stale: "was given up by GitHub",
};

/** Whether a run may have done something: it has not ended, or not as one of which no job has begun. */
export function mayHaveBegun({ ended, conclusion }: Pick<WorkflowRun, "ended" | "conclusion">): boolean {
  return !ended || NOT_BEGUN[conclusion ?? ""] === undefined;
}

/**
 * Whether a run that was just asked for begins (`actions: read`): looked at for a few seconds, which is long enough for what
 * a policy or somebody at once refuses, and for a minute where GitHub does not show it. One that waits for a machine or for
 * its group counts as begun. Never throws.
 *
 * @returns why it does not, as part of a sentence about it; null: it does, or GitHub does not say
 */
export async function whyNotBegun(github: Github, id: number): Promise<string | null> {
  for (const [index, pause] of LOOKS.entries()) {
    await sleep(pause, undefined, { signal: github.signal }).catch(() => undefined);
    if (github.signal.aborted) return null;
    const run = await readRun(github, id);
    // What GitHub shows may lag behind the answer that named it.
    if (!run.ok && run.trouble.kind === "absent") continue;
    if (!run.ok) return null;
    const { status, ended, conclusion } = run.value;
    if (ended) return NOT_BEGUN[conclusion ?? ""] ?? null;
    if (status !== "queued" || index > 0) return null;
  }
  return "is still not shown by GitHub after a minute; look there whether it begins before you ask again";
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

interface RunStep {
  readonly name: string;
  /** which one of its job, from 1: the same in each run of the same file, whatever a name with an expression becomes */
  readonly number: number;
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
 * The jobs of a run (`actions: read`). Never throws.
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
    const jobs = await github.paginate((rest) => rest.actions.listJobsForWorkflowRun, asked);
    return jobs.map((job) => ({
      id: job.id,
      name: job.name,
      attempt: job.run_attempt ?? 1,
      conclusion: job.conclusion,
      url: job.html_url ?? job.url,
      labels: job.labels,
      hasRun: (job.runner_id ?? 0) > 0,
      steps: (job.steps ?? []).map(({ name, number, conclusion, started_at: began, completed_at: ended }) => ({
        ...{ name, number, conclusion, began: momentOf(began), ended: momentOf(ended) },
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
 * @param bytes at most this many are kept; the log is cut while it comes
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
