import { ask, type Refused, statusOf } from "../../github/refusal.ts";
import type { Github } from "../../github/client.ts";
import type { Result } from "../../core/result.ts";

/** Which runs prove a commit. */
export interface CiQuestion {
  /** the workflow's file, as in `ci.yml` */
  readonly workflow: string;
  /** the branch that it runs on, without `refs/heads/` */
  readonly branch: string;
  /** the commit */
  readonly sha: string;
}

/** A run of the workflow that proves the work. */
export interface CiRun {
  readonly id: number;
  readonly url: string;
  readonly sha: string;
  readonly ended: boolean;
  /** null: it has not ended */
  readonly conclusion: string | null;
  /** asked with it, GitHub only answers when the run has changed, and does not count the question */
  readonly tag: string | null;
}

/** Endings that say nothing about the work: such a run is as good as none. */
const INCONCLUSIVE: ReadonlySet<string> = new Set(["cancelled", "stale", "action_required"]);

/** Whether a run has ended without a word about the work. */
export function isInconclusive({ conclusion }: Pick<CiRun, "conclusion">): boolean {
  return conclusion !== null && INCONCLUSIVE.has(conclusion);
}

/** The newest dispatched run that proves the commit, or is going to (`actions: read`); null: there is none. Never throws. */
export async function findCiRun(
  github: Github,
  { workflow, branch, sha }: CiQuestion,
): Promise<Result<CiRun | null, Refused>> {
  return ask("actions: read", async () => {
    const { data } = await github.rest.actions.listWorkflowRuns({
      workflow_id: workflow,
      event: "workflow_dispatch",
      branch,
      head_sha: sha,
      per_page: 10,
    });
    const runs = data.workflow_runs.map((run) => runOf(run, null));
    return runs.find((run) => run.sha === sha && !isInconclusive(run)) ?? null;
  });
}

/** Reads a run (`actions: read`). Never throws. @param known as it was read last; null: it never was */
export async function readCiRun(github: Github, id: number, known: CiRun | null): Promise<Result<CiRun, Refused>> {
  const tag = known?.tag ?? null;
  return ask("actions: read", async () => {
    try {
      const { data, headers } = await github.rest.actions.getWorkflowRun({
        run_id: id,
        ...(tag === null ? {} : { headers: { "if-none-match": tag } }),
      });
      return runOf(data, headers.etag ?? null);
    } catch (error) {
      if (known === null || statusOf(error) !== 304) throw error;
      return known;
    }
  });
}

interface Told {
  readonly id: number | bigint;
  readonly html_url: string;
  readonly head_sha: string;
  readonly status: string | null;
  readonly conclusion: string | null;
}

function runOf({ id, html_url: url, head_sha: sha, status, conclusion }: Told, tag: string | null): CiRun {
  return { id: Number(id), url, sha, ended: status === "completed", conclusion, tag };
}
