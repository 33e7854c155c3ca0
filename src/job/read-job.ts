import { contextInput } from "../config/action.ts";
import { readContext, type GithubContext } from "../github/context.ts";
import { dispatchedWith } from "../github/intent-input.ts";
import { locate } from "../app/locate.ts";
import { type JobPlace, jobPlaceOf } from "../store/place.ts";
import { readSettings, type Settings } from "../app/read-settings.ts";
import { loopIdOf } from "../app/loop-id.ts";
import type { Host } from "./run-stage.ts";

/** What a job says about its loop. */
export interface Job {
  readonly context: GithubContext;
  readonly place: JobPlace;
  readonly settings: Settings;
}

/**
 * Reads the job. The same in main and post, for they have the same inputs.
 *
 * @throws UsageError with every problem there is
 */
export async function readJob({ env, stdout, stderr }: Host): Promise<Job> {
  const context = readContext(env);
  const shell = { program: "smithers", cwd: context.workspace, env, inputs: env, stdout, stderr };
  const location = await locate({}, shell);
  const asked = dispatchedWith(context);
  const loopId = asked?.loop ?? location.loopId ?? loopIdFor(context, contextInput(env, "matrix"), asked?.pr ?? null);
  const settings = await readSettings(location, shell.program);
  return { context, place: jobPlaceOf(context.temp, location.root, loopId, location.stateFile), settings };
}

/** @param asked the pull request that the run was started for */
function loopIdFor(context: GithubContext, matrix: string, asked: number | null): string {
  const { repository, workflow, job, step, event, ref } = context;
  return loopIdOf({
    repository: `${repository.owner}/${repository.name}`,
    workflowPath: workflow.path,
    job,
    step,
    matrix,
    pullRequest: asked ?? event.pullRequest?.number ?? null,
    ref,
  });
}
