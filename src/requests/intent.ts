import type { IssueText } from "../core/prompt/issue.ts";
import { type LoopCommand, readCommand, readReview } from "../core/policy/command.ts";
import { letsWork, type Way } from "../core/policy/may.ts";
import type { PrdAsk } from "../core/policy/prd-ask.ts";
import { isLabel, LABELS } from "../views/github/labels.ts";
import type { GithubContext } from "../github/context.ts";
import type { Account } from "../github/event-payload.ts";
import { INPUT, type RequestId } from "../github/intent-input.ts";
import { isOfFile } from "../github/runs.ts";

/** Who asks, where and when: everything but what for. */
export interface Origin {
  readonly way: Way;
  readonly actor: Account;
  /** who else caused it, and has to be allowed as well (T5) */
  readonly behind: readonly Account[];
  readonly pullRequest: number | null;
  /** the issue that it is about, which is no pull request; null: none */
  readonly issue: IssueText | null;
  /** the issue or pull request on which an answer is expected; null: nobody waits for one */
  readonly place: number | null;
  /** null for a label, whose event has to be looked up */
  readonly request: RequestId | null;
  readonly label: string | null;
  /** the commit that was seen; null where the event does not say it */
  readonly headSha: string | null;
  readonly headBranch: string | null;
  /** whether the commit is known to be from another repository */
  readonly fork: boolean;
  /** milliseconds since the epoch; null where the event does not say it */
  readonly at: number | null;
}

/** What an event asks of a loop, and who asks. Not verified. */
export interface LoopIntent extends Origin {
  readonly command: LoopCommand;
  /** guidance or the task; "" without */
  readonly text: string;
  /** whether nobody has named the loop: people request changes on pull requests that have none; absent: it was named */
  readonly isUnnamed?: boolean;
}

/** What a comment asks of a PRD, and who asks. Not verified. */
export interface PrdIntent extends Origin {
  readonly command: "prd";
  readonly ask: PrdAsk;
}

export type Intent = LoopIntent | PrdIntent;

export type ReadIntent =
  | { readonly kind: "asked"; readonly intent: Intent }
  /** meant for us, and not understood; `reason` is a sentence for its author */
  | { readonly kind: "malformed"; readonly origin: Origin; readonly reason: string }
  /** a comment was edited into an order, or an order was: nothing is asked, and `reason` is a sentence for who has edited it */
  | { readonly kind: "edited"; readonly origin: Origin; readonly reason: string }
  /** `why` is a sentence for the log, in our own words */
  | { readonly kind: "ignored"; readonly why: string };

/**
 * What a label asks a loop for; undefined: nothing.
 *
 * @param on only on an issue does a label begin a loop: a pull request is not a text that says what to do
 */
export function commandOf(label: string, on: "issue" | "pull request"): LoopCommand | undefined {
  if (isLabel(LABELS.start, label)) return on === "issue" ? "start" : undefined;
  if (isLabel(LABELS.continue, label)) return "continue";
  if (isLabel(LABELS.fix, label)) return "fix";
  return isLabel(LABELS.cancel, label) ? "cancel" : undefined;
}

/** Whether an agent works when it is done. */
export function asksForWork(intent: Intent): boolean {
  return letsWork(intent.command, intent.command === "prd" ? intent.ask.verb : null);
}

type Seen = Pick<GithubContext, "eventName" | "event" | "repository">;

const NO_ORIGIN = {
  ...{ behind: [], pullRequest: null, issue: null, place: null, request: null, label: null },
  ...{ headSha: null, headBranch: null, fork: false, at: null },
} as const;

/**
 * Reads what an event asks of us. Pure.
 *
 * @param own files of the workflows that run the loop: their failure never lets them run again
 */
export function readIntent(seen: Seen, own: readonly string[]): ReadIntent {
  const { sender } = seen.event;
  if (sender === null) return ignored(`Nobody stands behind this ${seen.eventName} event.`);
  switch (seen.eventName) {
    case "issue_comment":
      return fromComment(seen, sender);
    case "pull_request":
      return fromLabel(seen, sender);
    case "pull_request_review":
      return fromReview(seen, sender);
    case "issues":
      return fromIssueLabel(seen, sender);
    case "workflow_run":
      return fromRun(seen, sender, own);
    case "workflow_dispatch":
      if ((seen.event.inputs[INPUT] ?? "").trim() === "") return ignored(`The input ${INPUT} is empty.`);
      return ignored("A relay is for comments, labels and checks that fail.");
    default:
      return ignored(`Nobody asks a loop by ${seen.eventName} events.`);
  }
}

function fromComment({ event }: Seen, actor: Account): ReadIntent {
  const { action, comment, pullRequest } = event;
  if (action === "edited") return fromEdit(event, actor);
  if (action !== "created") return ignored("Only new comments count.");
  if (comment === null || comment.author?.login !== actor.login) return ignored("The comment's author is not known.");
  const issue = pullRequest === null ? issueOf(event) : null;
  if (pullRequest === null && issue === null) return ignored("What the comment is on is not known.");
  const read = readCommand(comment.body);
  if (read.kind === "not_for_us") return ignored("The comment is not for the loop.");
  const origin: Origin = {
    ...{ ...NO_ORIGIN, way: "comment", actor, pullRequest: pullRequest?.number ?? null, issue },
    ...{ place: event.issue, request: { kind: "comment", id: comment.id }, at: comment.createdAt },
  };
  if (read.kind === "malformed") return { kind: "malformed", origin, reason: read.reason };
  // A PRD belongs to the repository, so it may be asked about anywhere.
  if (read.command === "prd") return asked({ ...origin, command: read.command, ask: read.ask });
  return asked({ ...origin, command: read.command, text: read.text });
}

const EDITED_INTO = "A comment was edited into an order, and an edit is none: what it says now was not read.";
const ORDER_EDITED =
  "An order was edited, and what the comment says now was not read. What it said first holds where its run had begun by then; else it is void.";

/** An edit orders nothing, whatever the comment says now: it is another text with an old date. */
function fromEdit({ comment, pullRequest, issue, saidBefore }: Seen["event"], actor: Account): ReadIntent {
  if (comment === null || issue === null) return ignored("What was edited is not known.");
  if (saidBefore === null || saidBefore === comment.body) return ignored("The edited comment says what it said.");
  const isForUs = (text: string): boolean => readCommand(text).kind !== "not_for_us";
  const wasOrder = isForUs(saidBefore);
  if (!wasOrder && !isForUs(comment.body)) return ignored("The edited comment is not for the loop.");
  const origin: Origin = {
    ...{ ...NO_ORIGIN, way: "comment", actor, pullRequest: pullRequest?.number ?? null, place: issue },
    ...{ request: { kind: "comment", id: comment.id } },
  };
  return { kind: "edited", origin, reason: wasOrder ? ORDER_EDITED : EDITED_INTO };
}

function fromReview({ event, repository }: Seen, actor: Account): ReadIntent {
  const { action, review, pullRequest } = event;
  if (action !== "submitted") return ignored("Only a review that was just submitted counts.");
  if (review === null || review.author?.login !== actor.login) return ignored("The review's author is not known.");
  if (pullRequest === null || pullRequest.head === null) return ignored("The review's pull request is not known.");
  const requestsChanges = review.state === "changes_requested";
  const read = readReview(review.body, requestsChanges);
  if (read.kind === "not_for_us") return ignored("The review neither requests changes nor names the loop.");
  const { sha, ref, repository: from } = pullRequest.head;
  const { number } = pullRequest;
  const origin: Origin = {
    ...{ ...NO_ORIGIN, way: "review", actor, pullRequest: number, place: number },
    ...{ request: { kind: "review", id: review.id }, at: review.submittedAt },
    ...{ headSha: review.commit ?? sha, headBranch: ref, fork: from?.id !== repository.id },
  };
  if (read.kind === "malformed") return { kind: "malformed", origin, reason: read.reason };
  if (read.command === "prd") return ignored("A PRD is asked for by a comment.");
  const isNamed = readReview(review.body, false).kind === "command";
  if (!isNamed && origin.fork) return ignored("The review is of a fork's pull request, on which no loop works.");
  return asked({ ...origin, command: read.command, text: read.text, ...(isNamed ? {} : { isUnnamed: true }) });
}

/** The issue of an event as it was then. */
function issueOf({ issue: number, issueText: text }: Seen["event"]): IssueText | null {
  if (number === null || text === null) return null;
  return { number, ...text };
}

function fromIssueLabel({ event }: Seen, actor: Account): ReadIntent {
  const { action, label } = event;
  const command = action === "labeled" && label !== null ? commandOf(label, "issue") : undefined;
  if (command === undefined) return ignored("No label of ours was put on.");
  const issue = issueOf(event);
  if (issue === null) return ignored("The label's issue is not known.");
  return asked({ ...NO_ORIGIN, way: "label", actor, label, command, text: "", issue, place: issue.number });
}

function fromLabel({ event, repository }: Seen, actor: Account): ReadIntent {
  const { action, label, pullRequest } = event;
  const command = action === "labeled" && label !== null ? commandOf(label, "pull request") : undefined;
  if (command === undefined) return ignored("No label of ours was put on.");
  if (pullRequest === null || pullRequest.head === null) return ignored("The label's pull request is not known.");
  const { sha, ref, repository: from } = pullRequest.head;
  return asked({
    ...{ ...NO_ORIGIN, way: "label", actor, label, command, text: "" },
    ...{
      pullRequest: pullRequest.number,
      place: pullRequest.number,
      headSha: sha,
      headBranch: ref,
      fork: from?.id !== repository.id,
    },
  });
}

function fromRun({ event, repository }: Seen, actor: Account, own: readonly string[]): ReadIntent {
  const { action, workflowRun: run } = event;
  if (run === null || action !== "completed" || run.conclusion !== "failure") return ignored("No run has failed.");
  if (isOfFile(run, own)) return ignored("The run that failed was one of the loop's own.");
  // A loop never works on the default branch itself, even if there is a pull request of it.
  const [pullRequest = null] = run.headBranch === event.defaultBranch ? [] : run.pullRequests;
  return asked({
    ...{ ...NO_ORIGIN, way: "workflow_run", actor, behind: run.actors, pullRequest },
    ...{ command: "continue", text: "", request: { kind: "run", id: run.id }, at: run.endedAt },
    ...{ headSha: run.headSha, headBranch: run.headBranch, fork: run.headRepositoryId !== repository.id },
  });
}

function asked(intent: Intent): ReadIntent {
  return { kind: "asked", intent };
}

function ignored(why: string): ReadIntent {
  return { kind: "ignored", why };
}
