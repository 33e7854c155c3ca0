import type { Dispatch, GithubApi } from "../github-api/server.ts";
import { dispatchEvent } from "../github-api/webhooks.ts";
import type { CiJob } from "./ci.ts";

/** The job that a dispatched workflow runs; the run is there already. */
export function dispatchedJob({ world }: GithubApi, dispatch: Dispatch): CiJob {
  const { ref, runId, login } = dispatch;
  return {
    event: dispatchEvent(world, dispatch),
    github: { run_id: String(runId), ref: `refs/heads/${ref}`, ref_name: ref, actor: login, triggering_actor: login },
  };
}
