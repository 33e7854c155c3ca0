import type { RunView } from "../run-view.ts";
import { type CommitStatus, commitStatusOf } from "./commit-status.ts";
import { hasPullRequest, isForeign, isReady, type PublicationFacts, pushes, writesPullRequest } from "./facts.ts";
import { type Continuation, continuationOf } from "./self-continue.ts";
import { hardStopReview, type HardStopReview } from "./hard-stop-review.ts";
import { type Call, callOf } from "./call.ts";
import { ALL_LABELS, type Label, LABELS } from "./labels.ts";
import { labelsOffered } from "./slash-commands.ts";
import { isDraft, pullRequestText, type PullRequestText } from "./pull-request.ts";
import { finalComment, issueComment } from "./status-comment.ts";

/** A pull request to make, or to find and update. `branch` has the work. */
export type WantedPullRequest = PullRequestText &
  Pick<PublicationFacts, "branch" | "base"> & { readonly draft: boolean };

/** What an ending asks of GitHub. Carrying it out decides nothing. */
export interface Publication {
  /** whether the work goes to the branch */
  readonly pushes: boolean;
  /** null: none is made, and an existing one keeps its text and draft state */
  readonly pullRequest: WantedPullRequest | null;
  /** on the head of the branch; null: no commit, or not the one that was proved */
  readonly status: CommitStatus | null;
  /** of the pull request, if there is one */
  readonly labels: { readonly add: readonly string[]; readonly remove: readonly string[] };
  /** null: the loop has not paused at a HARD STOP, or has no pull request */
  readonly review: HardStopReview | null;
  /** a comment that calls people, on the pull request or else on the issue; null: the review does, or nobody is called */
  readonly call: Call | null;
  /** the last form of the status comment; null: no pull request, or the comment is another run's */
  readonly comment: string | null;
  /** the same on the issue that the loop works on; null: none */
  readonly issue: { readonly number: number; readonly comment: string } | null;
  readonly continuation: Continuation;
}

/**
 * What an ending asks of GitHub (C10, C13, C17). Pure: asked again when more is known, say that no pull request may be
 * made, it gives the words for that.
 *
 * @param view of a loop that has stopped, or whose run has died
 */
export function publicationOf(view: RunView, facts: PublicationFacts): Publication {
  const work = pushes(view, facts);
  const spoken = hasPullRequest(view, facts);
  const issue = issueOf(view);
  const theirs = !isForeign(view) && facts.pullRequest !== null;
  const { head, branch, base } = facts;
  const hits = pausesAt(view);
  const review = spoken && hits !== undefined && head !== null ? hardStopReview(view, facts, { hits, head }) : null;
  return {
    pushes: work,
    pullRequest: writesPullRequest(view, facts)
      ? { ...pullRequestText(view, facts), draft: isDraft(view, facts), branch, base }
      : null,
    status: head !== null && (work || (theirs && !isReady(view))) ? commitStatusOf(view, facts) : null,
    labels: labelsOf(view, facts),
    review,
    call: review === null && (spoken || issue !== undefined) ? callOf(view, facts) : null,
    comment: spoken ? finalComment(view, facts) : null,
    issue: issue === undefined ? null : { number: issue, comment: issueComment(view, facts) },
    continuation: continuationOf(view, facts.selfContinue),
  };
}

/** The issue on which the loop's ending is told as well; undefined: none. */
function issueOf(view: RunView): number | undefined {
  return isForeign(view) ? undefined : view.state.github?.issue;
}

/** Removes labels that are no longer true, whoever added them. */
function labelsOf(view: RunView, { missingLabels }: PublicationFacts): Publication["labels"] {
  const { paused, continue: goOn, cancel } = LABELS;
  if (isForeign(view)) return { add: [], remove: [] };
  if (pausesAt(view) !== undefined)
    return { add: missingLabels.includes(paused.name) ? [] : [paused.name], remove: [goOn.name] };
  const used = view.state.status === "canceled" ? [cancel.name] : [];
  return { add: [], remove: [paused.name, goOn.name, ...used] };
}

/**
 * The labels that an ending puts on, or tells people of: at a HARD STOP all of them are made, where that is allowed, so that
 * people find them from then on.
 */
export function labelsWanted(view: RunView, facts: PublicationFacts): readonly Label[] {
  if (!hasPullRequest(view, facts) && issueOf(view) === undefined) return [];
  if (pausesAt(view) !== undefined) return ALL_LABELS;
  return labelsOffered(view);
}

/** The hits of a HARD STOP that asks for a review; in mode `exit` state and summary say enough (C10). */
function pausesAt({ state }: RunView) {
  const reason = state.stop_reason;
  return reason?.kind === "hard_stop" && reason.mode === "pause" ? reason.hits : undefined;
}
