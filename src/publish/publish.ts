import type { Published } from "../core/events.ts";
import type { LoopState, Unpublished } from "../core/state.ts";
import { timestamp } from "../core/open-loop.ts";
import type { Result } from "../core/result.ts";
import { transition } from "../core/transition.ts";
import { ciOfHead, ciRunOfHead } from "../checks/ci/ci-verdict.ts";
import type { Github } from "../github/client.ts";
import type { CommentedOn } from "../github/comments.ts";
import { addLabels, makeLabels, missingLabels, removeLabel } from "../github/labels.ts";
import { publishPullRequest } from "../github/own-pull-request.ts";
import { postHardStopReview } from "../github/reviews.ts";
import { setCommitStatus } from "../github/statuses.ts";
import { stickyComment } from "../github/sticky-comment.ts";
import { FileStore } from "../store/file-store.ts";
import type { LoopPlace } from "../store/place.ts";
import { markerOf, pullRequestMarker } from "../views/github/markers.ts";
import { labelsWanted, type Publication, publicationOf, type WantedPullRequest } from "../views/github/publication.ts";
import type { PublicationFacts } from "../views/github/facts.ts";
import type { RunView } from "../views/run-view.ts";
import { sentence } from "../views/plain-text.ts";
import { answerReview } from "./answer-review.ts";
import { callPeople, type People } from "./call-people.ts";
import { type NotPushed, type Pushing, pushWork } from "./push-work.ts";

/** How an ending is reported; `comments`: whether the status comment is wanted. */
interface Telling {
  readonly access: Github;
  readonly loopId: string;
  readonly comments: boolean;
}

export interface Publishing extends Telling {
  readonly pushing: Pushing;
  /** who is told of the ending */
  readonly people: People;
}

/** The result of publishing an ending on GitHub, for the loop's state and for people. */
export interface PublishedWork extends Omit<Published, "type" | "at"> {
  /** the facts when all is done; its notes say in sentences what could not be done */
  readonly facts: PublicationFacts;
  /** neither a branch nor the loop's ref holds the work that had to be pushed */
  readonly isUnsaved: boolean;
  /** it is a patch in the loop's folder, which only an artifact takes along */
  readonly inPatch: boolean;
  /** its branch has work that it did not have before */
  readonly isPushed: boolean;
}

/**
 * Carries out what an ending asks of GitHub, step by step: the branch, the pull request, and what is said on both.
 * Every step can be repeated; one that fails is a note and does not prevent the others. Decides nothing and does not
 * throw for what GitHub refuses.
 */
export async function publish(publishing: Publishing, view: RunView, known: PublicationFacts): Promise<PublishedWork> {
  const { pushing, access } = publishing;
  const first = publicationOf(view, known);
  const pushed = first.pushes ? await pushWork(pushing, known.head, view) : null;
  const there = { ...known, ...onGithub(pushed, pushing, known.head) };
  const at = { ...there, changedCi: await ownCi(pushing, there) };
  const [ci, labels] = await Promise.all([askCi(access, view, at), labelsThere(access, view, at)]);
  const facts = { ...at, ...labels, ci };
  const { pullRequest } = publicationOf(view, facts);
  const { opened: made, isMissing }: Opened =
    pullRequest === null ? { opened: facts, isMissing: false } : await open(publishing, pullRequest, facts);
  const unanswered = pushed?.ok === false ? [] : await answerThreads(publishing, view, made, known.head);
  const opened = { ...made, notes: [...made.notes, ...unanswered] };
  const told = { ...opened, mention: await callPeople(access, publishing.people, view, opened) };
  const said = await say(publishing, publicationOf(view, told), told);
  const unpublished = unpublishedOf(view, pushed, isMissing);
  const pull = opened.pullRequest;
  return {
    ...(unpublished === undefined ? {} : { unpublished }),
    head: pushed?.ok === true ? pushed.value : null,
    pull_request: pull === null ? null : { number: pull.number, url: pull.url, own: pull.own },
    continues: first.continuation.goesOn,
    isUnsaved: pushed?.ok === false && !pushed.trouble.saved,
    inPatch: pushed?.ok === false && pushed.trouble.inPatch === true,
    isPushed: pushed?.ok === true && pushed.value !== pushing.branch?.tip,
    facts: { ...opened, notes: [...opened.notes, ...said] },
  };
}

/** The threads of the review that the loop has followed, once its work is done. @returns what was not answered, in sentences */
async function answerThreads(
  { access, pushing }: Publishing,
  { state }: RunView,
  { pullRequest, head, repositoryUrl: url }: PublicationFacts,
  here: string | null,
): Promise<readonly string[]> {
  const review = state.github?.review;
  const { branch, leftMs } = pushing;
  if (review === undefined || state.status !== "completed" || pullRequest === null) return [];
  if (branch === undefined || head === null || here === null) return [];
  const place = { access, branch, number: pullRequest.number, url };
  return answerReview({ ...place, state, review, commits: { here, head }, withinMs: leftMs() / 4 });
}

/** CI files that the loop itself has changed: after a push it can have the default branch's as they are now (C80). */
async function ownCi({ branch, leftMs }: Pushing, { changedCi, head }: PublicationFacts): Promise<readonly string[]> {
  if (changedCi.length === 0 || branch === undefined || head === null) return changedCi;
  return branch.unlikeDefault(changedCi, head, leftMs() / 4);
}

/** What CI has said of the head, and what of it now stands under the names that the base's rules ask for. */
async function askCi(access: Github, view: RunView, at: PublicationFacts): Promise<PublicationFacts["ci"]> {
  const run = await ciRunOfHead(access, view, at);
  const { ci_workflow: workflow } = view.state.checks;
  if (run?.ended !== true || workflow === null || at.wanted === "never") return ciOfHead(access, view, run, null);
  const { baseOfWork, mirrorCi } = await import("./trusted-ci.ts");
  const { pullRequest, branch, token } = at;
  const base = await baseOfWork(access, { pullRequest, branch, others: [at.base] });
  const required = base.ok
    ? await mirrorCi(access, { id: run.id, workflow, sha: run.sha, base: base.value, token })
    : { passed: [], failed: [], open: [], unread: base.trouble.because };
  return ciOfHead(access, view, run, required);
}

/** Where the branch is. When nothing is pushed, the checked-out commit may be only here, so it is not reported. */
function onGithub(
  pushed: Result<string, NotPushed> | null,
  { branch }: Pushing,
  checkedOut: string | null,
): Partial<PublicationFacts> & Pick<PublicationFacts, "head"> {
  if (pushed === null) return { head: branch === undefined ? checkedOut : branch.tip };
  if (pushed.ok) return { head: pushed.value };
  const { head, because } = pushed.trouble;
  return { head, ahead: false, notes: [because] };
}

/**
 * Which of the labels that people are told of are missing, after those of a HARD STOP have been made. Where GitHub does not
 * say, none is spoken of.
 */
async function labelsThere(
  access: Github,
  view: RunView,
  facts: PublicationFacts,
): Promise<Pick<PublicationFacts, "missingLabels" | "notes">> {
  const wanted = labelsWanted(view, facts);
  const names = (labels: typeof wanted): readonly string[] => labels.map(({ name }) => name);
  const missing = await missingLabels(access, wanted);
  if (!missing.ok) return { missingLabels: names(wanted), notes: facts.notes };
  const puts = publicationOf(view, facts).labels.add.length > 0;
  const made = puts ? await makeLabels(access, missing.value) : null;
  if (made?.ok === true) return { missingLabels: [], notes: facts.notes };
  const notes = made === null ? [] : [`${NOT_MADE} ${sentence(made.trouble.because)} ${INSTEAD}`];
  return { missingLabels: names(missing.value), notes: [...facts.notes, ...notes] };
}

const NOT_MADE = "The loop's labels are not there and were not made:";
const INSTEAD =
  "A comment with the command does all that a label does. To make the labels once for all: smithers doctor --fix.";

/** What the next run can still publish. A pull request that is refused twice is refused for good: the work is there. */
function unpublishedOf(
  { state }: RunView,
  pushed: Result<string, NotPushed> | null,
  isMissing: Opened["isMissing"],
): Unpublished | undefined {
  if (pushed?.ok === false) return pushed.trouble.unpublished;
  const isRefusedAgain = isMissing === "refused" && state.github?.unpublished?.what === "pull_request";
  if (pushed === null || isMissing === false || isRefusedAgain) return undefined;
  return { what: "pull_request", base: null, tip: pushed.value, kept_on: null };
}

/** The result of making the pull request. */
interface Opened {
  /** what is known from then on */
  readonly opened: PublicationFacts;
  /** whether it is missing although another attempt may do it */
  readonly isMissing: "passing" | "refused" | false;
}

/** Creates or updates the pull request, or finds a person's. */
async function open({ access, loopId }: Telling, wanted: WantedPullRequest, facts: PublicationFacts): Promise<Opened> {
  const marker = pullRequestMarker(loopId);
  const opened = await publishPullRequest(access, { ...wanted, marker, known: facts.pullRequest?.number ?? null });
  const noted = (...notes: readonly string[]): PublicationFacts => ({ ...facts, notes: [...facts.notes, ...notes] });
  if (opened.ok) {
    const { number, url, draft, own, notes } = opened.value;
    const pullRequest = { number, url, draft, own };
    return { opened: { ...noted(...notes.map(sentence)), pullRequest }, isMissing: false };
  }
  const { kind, because } = opened.trouble;
  if (kind === "nothing_to_publish") return { opened: facts, isMissing: false };
  // It stays the loop's own: comments go there, and no other one is made.
  if (kind === "closed") return { opened: noted(`${sentence(because)} ${NO_OTHER}`), isMissing: false };
  const none = noted(`There is no pull request of this work: ${because}.`);
  if (kind === "forbidden_by_setting") return { opened: { ...none, creationForbidden: true }, isMissing: false };
  return { opened: { ...none, creationForbidden: false }, isMissing: kind === "unreachable" ? "passing" : "refused" };
}

const NO_OTHER = "The loop opens no second one: reopen it, or open another one of its branch by hand.";

/** Says on commit and pull request how the loop has ended. @returns what could not be said, in sentences */
async function say(
  telling: Telling,
  { status, labels, review, call, comment, issue }: Publication,
  facts: PublicationFacts,
): Promise<readonly string[]> {
  const { access } = telling;
  const { head, pullRequest } = facts;
  const notes: string[] = [];
  const note = (what: string, said: Result<unknown>): void => {
    if (!said.ok) notes.push(`${what}: ${said.trouble.because}.`);
  };
  if (status !== null && head !== null) {
    const { url: targetUrl, ...said } = status;
    const set = await setCommitStatus(access, { ...said, sha: head, targetUrl });
    note("The commit status smithers/loop is not set", set);
  }
  if (issue !== null) notes.push(...(await sayInComment(telling, issue.comment, facts, { ...issue, on: "issues" })));
  const place = pullRequest ?? (issue === null ? null : { number: issue.number, on: "issues" as const });
  if (call !== null && place !== null) {
    const { marker } = call;
    note("Nobody is called", await stickyComment(access, { ...place, marker }).put(call.body));
  }
  if (pullRequest === null) return notes;
  const { number } = pullRequest;
  note("Labels are missing", await addLabels(access, number, labels.add));
  for (const label of labels.remove) note(`The label ${label} is left`, await removeLabel(access, number, label));
  if (review !== null) {
    const posted = await postHardStopReview(access, { ...review, number });
    note("There is no review of the HARD STOP", posted);
    if (posted.ok) notes.push(...posted.value.notes.map(sentence));
  }
  return [...notes, ...(await sayInComment(telling, comment, facts, pullRequest))];
}

/** Says in the comments what has become otherwise since they were written. @returns what could not be said, in sentences */
export async function sayAgain(telling: Telling, view: RunView, facts: PublicationFacts): Promise<readonly string[]> {
  const { comment, issue } = publicationOf(view, facts);
  return [
    ...(issue === null ? [] : await sayInComment(telling, issue.comment, facts, { ...issue, on: "issues" })),
    ...(await sayInComment(telling, comment, facts, facts.pullRequest)),
  ];
}

async function sayInComment(
  { access, loopId, comments }: Telling,
  comment: string | null,
  { workflow, job }: PublicationFacts,
  place: { readonly number: number; readonly on?: CommentedOn } | null,
): Promise<readonly string[]> {
  if (comment === null || place === null || !comments) return [];
  const { number, on = "pull-requests" } = place;
  const marker = markerOf({ workflow, job, loopId });
  const put = await stickyComment(access, { number, on, marker }).put(comment);
  if (put.ok) return put.value.notes.map(sentence);
  const where = on === "issues" ? ` on issue #${number}` : "";
  return [`The status comment${where} is not up to date: ${put.trouble.because}.`];
}

/**
 * Stores in a stopped loop's state what was published on GitHub.
 *
 * @param stopped what the loop stopped with: others may have written to its file since
 * @param announce hears of the state before it is written
 */
export async function recordPublished(
  place: LoopPlace,
  stopped: LoopState,
  { head, pull_request, continues, unpublished }: PublishedWork,
  announce?: (state: LoopState) => Promise<void>,
): Promise<LoopState> {
  const store = new FileStore(place);
  await store.open();
  try {
    if ((await store.load(place.loopId)) === undefined)
      throw new Error(`The loop ${place.loopId} has ended and left no state.`);
    const left = unpublished === undefined ? {} : { unpublished };
    const event: Published = { type: "published", head, pull_request, continues, ...left, at: timestamp(Date.now()) };
    const next = transition(stopped, event);
    await announce?.(next);
    await store.append(event, next);
    return next;
  } finally {
    await store.close();
  }
}
