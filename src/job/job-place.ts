import type { Location } from "../app/locate.ts";
import { loopIdOf } from "../app/loops/loop-id.ts";
import { contextInput } from "../config/action.ts";
import type { Config } from "../config/config.ts";
import type { GithubContext } from "../github/context.ts";
import { dispatchedWith } from "../github/intent-input.ts";
import { type JobPlace, jobPlaceOf } from "../store/place.ts";

/** By this both jobs of a split loop know it: neither is the other's job or step. */
const SPLIT = { job: "split", step: "" };

/** Which loop a job is for, by what event and workflow say alone, and where it lives on this machine (C9). */
export function placeOfJob(
  context: GithubContext,
  { root, loopId: named, stateFile }: Pick<Location, "root" | "loopId" | "stateFile">,
  env: NodeJS.ProcessEnv,
  { job: kind }: Pick<Config, "job">,
): JobPlace {
  const { repository, workflow, job, step, event, ref, temp } = context;
  const dispatched = dispatchedWith(context);
  const loopId =
    dispatched?.loop ??
    named ??
    loopIdOf({
      repository: `${repository.owner}/${repository.name}`,
      workflowPath: workflow.path,
      ...(kind === "run" || kind === "publish" ? SPLIT : { job, step }),
      ref,
      matrix: contextInput(env, "matrix"),
      ...(dispatched?.issue ? { issue: dispatched.issue.number } : {}),
      pullRequest: dispatched?.pr ?? event.pullRequest?.number ?? null,
    });
  return jobPlaceOf(temp, root, loopId, stateFile);
}
