import { z } from "zod";
import type { BulkPointer } from "../core/carry.ts";
import { refusalOf } from "../platform/github-refusal.ts";
import type { Octokit } from "../platform/octokit.ts";
import { BUNDLE_LIMITS } from "./manifest.ts";

/** How GitHub is asked for artifacts of other runs. */
export interface Asked {
  readonly octokit: Octokit;
  readonly repository: { readonly owner: string; readonly name: string; readonly id: number };
  readonly workflowFile: string;
  readonly signal: AbortSignal;
}

/** One that may be downloaded. */
export interface ArtifactInfo {
  readonly id: number;
  readonly name: string;
  readonly runId: number;
  /** `sha256:<hex>`; null: GitHub does not tell */
  readonly digest: string | null;
}

/** One that may be downloaded, or why there is none; `why` is part of a sentence. */
export type Found =
  | { readonly found: true; readonly artifact: ArtifactInfo }
  | { readonly found: false; readonly because: "absent" | "unreachable" | "refused"; readonly why: string };

/** So many of the workflow's runs are looked at: the loop's last one is among the newest. */
const RUNS = 30;
/** So many of them are asked for their artifacts side by side; for a new loop all have to be. */
const AT_ONCE = 10;

/** The artifact that a record names, if it is still there and a run of this repository uploaded it. */
export async function* findNamed(
  asked: Asked,
  loopId: string,
  pointer: NonNullable<BulkPointer["artifact"]>,
): AsyncGenerator<Found> {
  const listed = await attempt(() => artifactsOf(asked, loopId, pointer.run_id, pointer.name));
  if (!Array.isArray(listed)) return yield listed;
  const artifact = listed.find(({ id }) => id === pointer.id);
  yield artifact === undefined ? gone(`${pointer.name} is gone`) : judge(asked, artifact);
}

/**
 * The loop's artifacts that runs of this workflow in this repository uploaded, the newest first, one for each run (T15).
 * GitHub is asked for more only when more are wanted.
 */
export async function* findNewest(asked: Asked, loopId: string): AsyncGenerator<Found> {
  const runs = await attempt(() => runsOf(asked));
  if (!Array.isArray(runs)) return yield runs;
  for (let first = 0; first < runs.length; first += AT_ONCE) {
    const some = runs.slice(first, first + AT_ONCE);
    const answers = await Promise.all(
      some.map(async (run) => ({ run, listed: await attempt(() => artifactsOf(asked, loopId, run.id)) })),
    );
    for (const { run, listed } of answers) {
      if (!Array.isArray(listed)) return yield listed;
      const [newest] = listed.toSorted((a, b) => attemptOf(b.name) - attemptOf(a.name));
      if (newest === undefined) continue;
      yield run.head_repository?.id === asked.repository.id ? judge(asked, newest) : foreign(newest.name);
    }
  }
}

function gone(why: string): Found {
  return { found: false, because: "absent", why };
}

function foreign(name: string): Found {
  const why = `${name} was uploaded by a run of another repository's code, which may call it as it likes`;
  return { found: false, because: "refused", why };
}

function judge({ repository }: Asked, artifact: Listed): Found {
  const { id, name, digest, workflow_run: run } = artifact;
  if (run?.id === undefined || run.head_repository_id !== repository.id || run.repository_id !== repository.id) {
    return foreign(name);
  }
  if (artifact.expired) return gone(`${name} has expired`);
  if (artifact.size_in_bytes > BUNDLE_LIMITS.bytes) {
    return { found: false, because: "refused", why: `${name} has more than ${BUNDLE_LIMITS.bytes} bytes` };
  }
  return { found: true, artifact: { id, name, digest: digest ?? null, runId: run.id } };
}

async function runsOf({ octokit, repository, workflowFile, signal }: Asked): Promise<Run[]> {
  const { data } = await octokit.request("GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs", {
    owner: repository.owner,
    repo: repository.name,
    workflow_id: workflowFile,
    per_page: RUNS,
    request: { signal },
  });
  return runsSchema.parse(data).workflow_runs;
}

/** A run's artifacts whose names are those of this loop in this run. */
async function artifactsOf(asked: Asked, loopId: string, runId: number, name?: string): Promise<Listed[]> {
  const { octokit, repository, signal } = asked;
  const { data } = await octokit.request("GET /repos/{owner}/{repo}/actions/runs/{run_id}/artifacts", {
    owner: repository.owner,
    repo: repository.name,
    run_id: runId,
    per_page: 100,
    ...(name === undefined ? {} : { name }),
    request: { signal },
  });
  const prefix = `smithers-${loopId}-${runId}-`;
  return artifactsSchema
    .parse(data)
    .artifacts.filter(
      (artifact) => artifact.name.startsWith(prefix) && /^\d+(?:\.\d)?$/u.test(artifact.name.slice(prefix.length)),
    );
}

function attemptOf(name: string): number {
  return Number(name.slice(name.lastIndexOf("-") + 1));
}

/** What was asked for, or what to say of GitHub's refusal or silence. */
async function attempt<T>(ask: () => Promise<T[]>): Promise<T[] | Found> {
  try {
    return await ask();
  } catch (error) {
    const strange = error instanceof z.ZodError;
    const why = strange ? "GitHub's answer is not what it should be" : refusalOf(error, "actions: read");
    return { found: false, because: "unreachable", why };
  }
}

const id = z.int().positive();

const runsSchema = z.object({
  workflow_runs: z.array(z.object({ id, head_repository: z.object({ id }).nullish() })),
});
type Run = z.infer<typeof runsSchema>["workflow_runs"][number];

const artifactsSchema = z.object({
  artifacts: z.array(
    z.object({
      id,
      name: z.string(),
      size_in_bytes: z.int().nonnegative(),
      expired: z.boolean(),
      digest: z
        .string()
        .regex(/^sha256:[0-9a-f]{64}$/u)
        .nullish(),
      workflow_run: z
        .object({ id: id.optional(), repository_id: id.optional(), head_repository_id: id.optional() })
        .nullish(),
    }),
  ),
});
type Listed = z.infer<typeof artifactsSchema>["artifacts"][number];
