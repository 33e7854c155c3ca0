import type { Published } from "../core/events.ts";
import type { PullRequest, Unpublished, LoopState } from "../core/state.ts";
import { timestamp } from "../core/open-loop.ts";
import type { Result } from "../core/result.ts";
import { transition } from "../core/transition.ts";
import type { Github } from "../github/client.ts";
import { setCommitStatus } from "../github/statuses.ts";
import { addLabels, removeLabel } from "../github/labels.ts";
import { publishPullRequest } from "../github/own-pull-request.ts";
import { postHardStopReview } from "../github/reviews.ts";
import { stickyComment } from "../github/sticky-comment.ts";
import { FileStore } from "../store/file-store.ts";
import { markerOf, pullRequestMarker } from "../views/github/markers.ts";
import { type Publication, publicationOf, type WantedPullRequest } from "../views/github/publication.ts";
import type { PublicationFacts } from "../views/github/facts.ts";
import type { RunView } from "../views/run-view.ts";
import type { LoopPlace } from "../store/place.ts";
import { ciOfHead } from "../checks/ci/ci-verdict.ts";
import { type NotPushed, type Pushing, pushWork } from "./push-work.ts";
import { sentence } from "../views/sentence.ts";

/** What a publication is made with. */
export interface Publishing extends Telling {
  readonly pushing: Pushing;
}

/** What an ending is told with. */
interface Telling {
  readonly access: Github;
  readonly loopId: string;
  /** whether the status comment is wanted */
  readonly comments: boolean;
}

/** What an ending has come to on GitHub, for the loop's state and for people. */
export interface PublishedWork extends Pick<Published, "head" | "pull_request" | "continues" | "unpublished"> {
  /** as they are when all is done; what could not be done is told in its notes, in sentences */
  readonly facts: PublicationFacts;
  /** neither a branch nor the loop's ref holds the work that was to be pushed */
  readonly isUnsaved: boolean;
}

/**
 * Carries out what an ending asks of GitHub, step by step: the branch, the pull request, and what is said on both. Every
 * step can be done again; one that fails is a note and keeps no other from being done. Decides nothing and never throws
 * for what GitHub refuses.
 */
export async function publish(publishing: Publishing, view: RunView, known: PublicationFacts): Promise<PublishedWork> {
  const first = publicationOf(view, known);
  const pushed = first.pushes ? await pushWork(publishing.pushing, known.head, view) : null;
  const unpushed = pushed?.ok === false ? { ahead: false, notes: [pushed.trouble.because] } : {};
  const at = { ...known, head: pushed === null ? onGithub(publishing.pushing, known) : headOf(pushed), ...unpushed };
  const facts = { ...at, ci: await ciOfHead(publishing.access, view, at) };
  const { pullRequest } = publicationOf(view, facts);
  const nothing: Opened = { opened: facts, isMissing: false };
  const { opened, isMissing } = pullRequest === null ? nothing : await open(publishing, pullRequest, facts);
  const said = await say(publishing, publicationOf(view, opened), opened);
  const unpublished = unpublishedOf(view, pushed, isMissing);
  return {
    ...(unpublished === undefined ? {} : { unpublished }),
    head: pushed?.ok === true ? pushed.value : null,
    pull_request: opened.pullRequest === null ? null : withoutDraft(opened.pullRequest),
    continues: first.continuation.goesOn,
    isUnsaved: pushed?.ok === false && !pushed.trouble.saved,
    facts: { ...opened, notes: [...opened.notes, ...said] },
  };
}

/** The branch where nothing is pushed to it: what is checked out may be nowhere else, and nobody can be told anything of it. */
function onGithub({ hand }: Pushing, { head }: PublicationFacts): string | null {
  return hand === undefined ? head : hand.tip;
}

function headOf(pushed: Result<string, NotPushed>): string | null {
  return pushed.ok ? pushed.value : pushed.trouble.head;
}

/** What the next run can make up for. A pull request that is refused twice is refused for good: the work is there. */
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

/** What has come of making the pull request. */
interface Opened {
  /** what is known from then on */
  readonly opened: PublicationFacts;
  /** whether it is missing although another attempt may do it */
  readonly isMissing: "passing" | "refused" | false;
}

/** Makes or words the pull request, or finds that of a person. */
async function open({ access, loopId }: Telling, wanted: WantedPullRequest, facts: PublicationFacts): Promise<Opened> {
  const marker = pullRequestMarker(loopId);
  const opened = await publishPullRequest(access, { ...wanted, marker, known: facts.pullRequest?.number ?? null });
  if (opened.published) {
    const { number, url, draft, own, notes } = opened;
    const known = { ...facts, pullRequest: { number, url, draft, own } };
    return { opened: { ...known, notes: [...facts.notes, ...notes.map(sentence)] }, isMissing: false };
  }
  const { because, why } = opened;
  if (because === "nothing_to_publish") return { opened: facts, isMissing: false };
  // It stays the loop's own: what is said is said there, and no other one is made.
  if (because === "closed") {
    return { opened: { ...facts, notes: [...facts.notes, `${sentence(why)} ${NO_OTHER}`] }, isMissing: false };
  }
  const creationForbidden = because === "forbidden_by_setting";
  const notes = [...facts.notes, `There is no pull request of this work: ${why}.`];
  const isMissing = creationForbidden ? false : because === "unreachable" ? "passing" : "refused";
  return { opened: { ...facts, creationForbidden, notes }, isMissing };
}

const NO_OTHER = "The loop opens no second one: reopen it, or open another one of its branch by hand.";

/** Says on commit and pull request how the loop has ended. @returns what could not be said, in sentences */
async function say(
  telling: Telling,
  { status, labels, review, comment }: Publication,
  facts: PublicationFacts,
): Promise<readonly string[]> {
  const { access } = telling;
  const { head, pullRequest } = facts;
  const notes: string[] = [];
  const note = (what: string, done: Done): void => {
    if ("why" in done) notes.push(`${what}: ${done.why}.`);
    if ("notes" in done) notes.push(...done.notes.map(sentence));
  };
  if (status !== null && head !== null) {
    const { url: targetUrl, ...said } = status;
    note(
      "The commit status smithers/loop is not set",
      await setCommitStatus(access, { ...said, sha: head, targetUrl }),
    );
  }
  if (pullRequest === null) return notes;
  const { number } = pullRequest;
  note("Labels are missing", await addLabels(access, number, labels.add));
  for (const label of labels.remove) note(`The label ${label} is left`, await removeLabel(access, number, label));
  if (review !== null) {
    note("There is no review of the HARD STOP", await postHardStopReview(access, { ...review, number }));
  }
  if (comment !== null) notes.push(...(await tellInComment(telling, comment, facts)));
  return notes;
}

/** Takes back on the pull request that the loop goes on by itself. @returns what could not be said, in sentences */
export async function sayParked(telling: Telling, view: RunView, facts: PublicationFacts): Promise<readonly string[]> {
  const { comment } = publicationOf(view, facts);
  return comment === null ? [] : tellInComment(telling, comment, facts);
}

async function tellInComment(
  { access, loopId, comments }: Telling,
  comment: string,
  { pullRequest, workflow, job }: PublicationFacts,
): Promise<readonly string[]> {
  if (pullRequest === null || !comments) return [];
  const marker = markerOf({ workflow, job, loopId });
  const put = await stickyComment(access, { number: pullRequest.number, marker }).put(comment);
  return put.put ? put.notes.map(sentence) : [`The status comment is not up to date: ${put.why}.`];
}

/** What the adapters answer, as far as it is told. */
type Done = { readonly why: string } | { readonly notes: readonly string[] } | { readonly done: true };

function withoutDraft({ number, url, own }: PullRequest): PullRequest {
  return { number, url, own };
}

/** Notes in a stopped loop's state what its ending has come to on GitHub. */
export async function recordPublished(
  place: LoopPlace,
  { head, pull_request, continues, unpublished }: PublishedWork,
): Promise<LoopState> {
  const store = new FileStore(place);
  await store.open();
  try {
    const state = await store.load(place.loopId);
    if (state === undefined) throw new Error(`The loop ${place.loopId} has ended and left no state.`);
    const left = unpublished === undefined ? {} : { unpublished };
    const event: Published = { type: "published", head, pull_request, continues, ...left, at: timestamp(Date.now()) };
    const next = transition(state, event);
    await store.append(event, next);
    return next;
  } finally {
    await store.close();
  }
}
