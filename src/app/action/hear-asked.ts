import { UsageError } from "../../core/errors.ts";
import type { LoopState } from "../../core/state.ts";
import type { Octokit } from "../../platform/octokit.ts";
import { type AskedFor, verifyAsked } from "./asked.ts";
import type { Surroundings } from "./surroundings.ts";

const WITHIN_MS = 30_000;

/** These are for a loop that runs, and this run would be one that begins. */
const FOR_A_RUNNING_LOOP = new Set(["pause", "stop", "status"]);

/**
 * Who asks for this run and what for, looked at again by GitHub's API where a relay says that somebody did.
 *
 * @throws UsageError when the request is malformed, forged, stale or not allowed, or makes no sense here
 */
export async function hearAsked(job: Surroundings, octokit: () => Promise<Octokit | undefined>): Promise<AskedFor> {
  const { context, settings, dispatched } = job;
  const client = dispatched === null ? undefined : await octokit();
  const access =
    client === undefined
      ? undefined
      : { octokit: client, repository: context.repository, signal: AbortSignal.timeout(WITHIN_MS) };
  const asked = await verifyAsked(context, { access, allowedBots: settings.config.allowedBots });
  if (asked.command !== null && FOR_A_RUNNING_LOOP.has(asked.command)) throw noLoopRuns(asked.command);
  return asked;
}

/**
 * A loop that is asked about by its pull request has to say itself that it is that one's (threats T15).
 *
 * @throws UsageError when it does not
 */
export function refuseOtherLoop({ pullRequest, loopId }: AskedFor, stored: LoopState | undefined): void {
  const own = stored?.github?.pull_request?.number ?? null;
  if (pullRequest === null || loopId === null || stored === undefined || own === pullRequest) return;
  throw new UsageError([
    {
      code: "OTHER_LOOP",
      what: `Loop ${loopId} is not the one of pull request #${pullRequest}. Nothing was done.`,
      next: "Ask on the loop's own pull request.",
    },
  ]);
}

function noLoopRuns(command: string): UsageError {
  return new UsageError([
    {
      code: "NO_LOOP_RUNS",
      what: `${command} is for a loop that runs, and this run would only begin. Nothing was done.`,
      next: `Comment /smithers ${command} on the loop's pull request while it runs.`,
    },
  ]);
}
