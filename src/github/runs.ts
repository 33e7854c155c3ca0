import { done, failed, type Result } from "../core/result.ts";
import { AccountAnswer } from "./accounts.ts";
import type { Github } from "./client.ts";
import { type Account, RepositoryId } from "./event-payload.ts";
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
  /** when it began; milliseconds since the epoch */
  readonly createdAt: number;
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

/** The failed runs of all workflows for a commit, the newest first (`actions: read`). Never throws. */
export async function findFailedRuns(github: Github, sha: string): Promise<Result<readonly WorkflowRun[], Refused>> {
  return ask("actions: read", async () => {
    const asked = { head_sha: sha, status: "failure", per_page: 50 } as const;
    const { data } = await github.rest.actions.listWorkflowRunsForRepo(asked);
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

type RunAnswer = Awaited<ReturnType<Github["rest"]["actions"]["getWorkflowRun"]>>["data"];

function runOf(data: RunAnswer, { repository }: Github): WorkflowRun {
  const actors = [data.actor, data.triggering_actor].map((actor) => AccountAnswer.parse(actor));
  return {
    ...{ id: data.id, attempt: data.run_attempt ?? 1, name: data.name ?? "", path: data.path.replace(/@.*$/u, "") },
    ...{ event: data.event, url: data.html_url, createdAt: Date.parse(data.created_at) },
    ended: data.status === "completed",
    conclusion: data.conclusion,
    headSha: data.head_sha,
    headBranch: data.head_branch,
    fork: RepositoryId.parse(data.head_repository)?.id !== repository.id,
    actors: actors.filter((actor) => actor !== null),
  };
}

/** A commit between two others; the subject is its author's words. */
interface CommitBetween {
  readonly sha: string;
  readonly subject: string;
}

/**
 * What came after one commit until another, the newest first (`contents: read`). Never throws.
 *
 * @returns the first `most` of them, and how many there are
 */
export async function commitsBetween(
  github: Github,
  base: string,
  head: string,
  most: number,
): Promise<Result<{ readonly commits: readonly CommitBetween[]; readonly count: number }, Refused>> {
  return ask("contents: read", async () => {
    const { data } = await github.rest.repos.compareCommits({ base, head });
    const commits = data.commits.slice(-most).toReversed();
    const subject = (message: string): string => message.split(/\r?\n/u, 1)[0] ?? "";
    return {
      commits: commits.map(({ sha, commit }) => ({ sha, subject: subject(commit.message) })),
      count: data.total_commits,
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
