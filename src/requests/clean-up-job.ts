import type { GithubContext } from "../github/context.ts";
import type { FoundLoop } from "./find-loop.ts";
import type { DeleteRef } from "../github/refs.ts";
import type { RunnerLog } from "../os/runner-log.ts";
import type { RelayJob } from "./relay-job.ts";

/** What a clean-up after a pull request is given. */
export interface CleanUpJob extends Pick<RelayJob, "context" | "access" | "lookup"> {
  readonly log: Pick<RunnerLog, "line" | "warning">;
  readonly deleteRef: DeleteRef;
}

/** Whether an event is that a pull request was closed, merged or not. */
export function isClosing({ eventName, event }: Pick<GithubContext, "eventName" | "event">): boolean {
  return eventName === "pull_request" && event.action === "closed";
}

/** What there is to be done about a loop whose pull request is closed. */
export type Fate =
  /** nobody needs it any more */
  | { readonly goes: true }
  /** `why` is a sentence; `labels`: what was said on the pull request holds no more */
  | { readonly goes: false; readonly why: string; readonly labels: boolean };

/**
 * Whether a loop goes with its pull request. What works now is left alone, what somebody may want to go on with is kept,
 * and what may be nowhere else is never deleted. Work that nobody wanted stays on its branch: a loop that knew nothing of
 * that would take it up and open another pull request of it.
 *
 * @param merged the pull request, and not only closed
 * @param pushed whether all the work is in the loop's commits on GitHub
 */
export function fateOf(
  { loopId, running, state }: Pick<FoundLoop, "loopId" | "running" | "state">,
  { over, merged, pushed }: { readonly over: boolean; readonly merged: boolean; readonly pushed: boolean },
): Fate {
  const later = "smithers prune removes it later";
  if (running) {
    return { goes: false, why: `Loop ${loopId} is running, so nothing of it is removed; ${later}.`, labels: false };
  }
  if (!over && !merged) {
    const why = `Loop ${loopId} is ${state.status} and can go on once the pull request is open again, so it is kept; ${later}.`;
    return { goes: false, why, labels: true };
  }
  if (!merged && state.github?.pull_request?.own === true) {
    const why = `Loop ${loopId} is ${state.status}, and its branch stays, for it was not merged. Only refs/smithers/${loopId} tells the next run of the task that the pull request was closed, so it is kept; ${later}.`;
    return { goes: false, why, labels: true };
  }
  if (!pushed) {
    const why = `Loop ${loopId} has work that is in none of its commits on GitHub, so it is kept in refs/smithers/${loopId}; ${later}.`;
    return { goes: false, why, labels: true };
  }
  return { goes: true };
}
