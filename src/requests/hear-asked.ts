import { UsageError } from "../core/errors.ts";
import { MOST_CONTINUATIONS, type LoopState } from "../core/state.ts";
import type { GithubAccess } from "../github/access.ts";
import type { GithubContext } from "../github/context.ts";
import { isLoopOf } from "./find-loop.ts";
import { dispatchedWith } from "../github/intent-input.ts";
import type { AskedFor } from "./asked-facts.ts";
import { verifyAsked } from "./asked.ts";

const WITHIN_MS = 30_000;

/** These are for a loop that runs, and this run would be one that begins. */
const FOR_A_RUNNING_LOOP = new Set(["pause", "stop", "status"]);

/**
 * Who asks for this run and what for, looked at again by GitHub's API where a relay says that somebody did.
 *
 * @param allowedBots logins
 * @throws UsageError when the request is malformed, forged, stale or not allowed, or makes no sense here
 */
export async function hearAsked(
  context: GithubContext,
  github: GithubAccess | undefined,
  allowedBots: readonly string[],
): Promise<AskedFor> {
  const access = dispatchedWith(context) === null ? undefined : await github?.within(WITHIN_MS);
  const asked = await verifyAsked(context, { access, allowedBots });
  if (asked.command !== null && FOR_A_RUNNING_LOOP.has(asked.command)) throw noLoopRuns(asked.command);
  return asked;
}

/**
 * A loop that is asked about by its pull request has to say itself that it is that one's (threats T15), and obeys nobody
 * twice: a comment that let it go on once does not acknowledge the next checkpoint. Checks that fail let it run so often
 * only (T20).
 *
 * @throws UsageError when it does not go on
 */
export function refuseForLoop(asked: AskedFor, stored: LoopState | undefined): void {
  const { pullRequest, loopId, headBranch, request } = asked;
  if (stored === undefined) return;
  const named = pullRequest !== null && loopId !== null;
  if (named && !isLoopOf(stored, { number: pullRequest, headBranch: headBranch ?? "" })) {
    throw refusal(
      "OTHER_LOOP",
      `Loop ${loopId} is not the one of pull request #${pullRequest}.`,
      "Ask on the loop's own pull request.",
    );
  }
  const obeyed = stored.github?.obeyed ?? null;
  if (request !== null && request === obeyed) {
    throw refusal(
      "OBEYED_ALREADY",
      `The loop has done already what ${request} asks for.`,
      "Ask again, with a new comment.",
    );
  }
  if (request?.startsWith("run:") === true && (stored.github?.continuations ?? 0) >= MOST_CONTINUATIONS) {
    throw refusal(
      "TOO_OFTEN",
      `Checks that failed, or the loop itself, have started it ${MOST_CONTINUATIONS} times in a row.`,
      "Look at the work, then let it go on with /smithers continue.",
    );
  }
}

function noLoopRuns(command: string): UsageError {
  return refusal(
    "NO_LOOP_RUNS",
    `${command} is for a loop that runs, and this run would only begin.`,
    `Comment /smithers ${command} on the loop's pull request while it runs.`,
  );
}

function refusal(code: string, what: string, next: string): UsageError {
  return new UsageError([{ code, what: `${what} Nothing was done.`, next }]);
}
