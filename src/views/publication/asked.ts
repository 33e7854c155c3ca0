import { endingOf, hardStopPending, type RunView } from "../run-view.ts";
import type { PublicationFacts } from "./facts.ts";

/** Another run has the loop: what is on GitHub is that run's, and none of it is touched. */
export function isForeign({ state }: RunView): boolean {
  return state.stop_reason?.kind === "superseded";
}

/**
 * Whether the work goes to the branch. The work of every ending does, proved or not (C13), but for a loop that was
 * cancelled and for a run that died before it could say how its work stands.
 */
export function pushes(view: RunView, { ahead }: PublicationFacts): boolean {
  const ending = endingOf(view.state);
  return ahead && ending !== undefined && ending.outcome.status !== "canceled" && !isForeign(view);
}

/** Proved, or claimed where there is nothing to prove it with, and no checkpoint was run past (C17). */
export function isReady({ state }: RunView): boolean {
  return state.status === "completed" && hardStopPending(state).length === 0;
}

/** Whether the pull request is to be made, or to be worded anew. A person's own is theirs. */
export function writesPullRequest(view: RunView, facts: PublicationFacts): boolean {
  if (facts.wanted === "never" || isForeign(view)) return false;
  if (facts.pullRequest !== null) return facts.pullRequest.own;
  return pushes(view, facts) && !facts.creationForbidden;
}

/** Whether there is a pull request to speak on, or will be one. */
export function hasPullRequest(view: RunView, facts: PublicationFacts): boolean {
  return !isForeign(view) && (facts.pullRequest !== null || writesPullRequest(view, facts));
}
