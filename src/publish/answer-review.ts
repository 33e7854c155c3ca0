import type { ReviewOrder } from "../core/task.ts";
import type { LoopState } from "../core/state.ts";
import { placeWords } from "../core/prompt/review-words.ts";
import type { Lines } from "../git/branch-history.ts";
import type { Github } from "../github/client.ts";
import { answerThread, readThreads, type Thread } from "../github/orders/review.ts";
import { answerMarker, bears } from "../views/github/markers.ts";
import { threadAnswer } from "../views/github/relay-reply.ts";
import type { PublishBranch } from "./publish-branch.ts";

/** The work of a loop that has completed, and where it is. */
interface Answering {
  readonly access: Github;
  readonly branch: Pick<PublishBranch, "workBranch">;
  /** of the pull request */
  readonly number: number;
  readonly state: LoopState;
  readonly review: ReviewOrder;
  /** of the repository, for people */
  readonly url: string;
  /** the work here, and as GitHub has it */
  readonly commits: { readonly here: string; readonly head: string };
  readonly withinMs: number;
}

/**
 * Answers each thread of a review once, where its lines were changed since the reviewed commit (C110). An answer that
 * another run has written, or that was written before this one died, is found again. Never throws.
 *
 * @returns what was not answered and why, in sentences
 */
export async function answerReview(answering: Answering): Promise<readonly string[]> {
  const { access, branch, number, state, review, url, commits, withinMs } = answering;
  const { id, commit, threads } = review;
  if (threads.length === 0) return [];
  const paths = [...new Set(threads.map(({ path }) => path))];
  const [changed, listed] = await Promise.all([
    branch.workBranch.changedLines(commit, commits.here, paths, withinMs),
    readThreads(access, number),
  ]);
  if (!changed.ok) return [`The threads of the review are not answered: ${changed.trouble.because}.`];
  if (!listed.ok) return [`The threads of the review are not answered: ${listed.trouble.because}.`];
  const marker = answerMarker(state.loop_id, id);
  const notes: string[] = [];
  for (const thread of threads) {
    const found = listed.value.find((one) => one.id === thread.id);
    // Somebody has deleted it, or it was answered.
    if (found === undefined || isAnswered(found, marker)) continue;
    if (!isChanged(thread.lines, changed.value.get(thread.path))) {
      notes.push(`The lines of a review's thread are as they were: ${placeWords(thread)}. It is not answered.`);
      continue;
    }
    const why = await answer(
      access,
      { number, id: thread.id },
      threadAnswer(state, id, { url, head: commits.head }),
      marker,
    );
    if (why !== null) notes.push(`A review's thread is not answered (${placeWords(thread)}): ${why}.`);
  }
  return notes;
}

/** Where GitHub's answer is lost, ours may be there: it is looked for, and written again only if it is not. */
async function answer(
  access: Github,
  place: { readonly number: number; readonly id: number },
  body: string,
  marker: string,
): Promise<string | null> {
  const first = await answerThread(access, place, body);
  if (!first.ok) return first.trouble.because;
  if (first.value === "answered") return null;
  const listed = await readThreads(access, place.number);
  const found = listed.ok ? listed.value.find(({ id }) => id === place.id) : undefined;
  if (found === undefined) return "GitHub does not say whether it was taken";
  if (isAnswered(found, marker)) return null;
  const second = await answerThread(access, place, body);
  if (!second.ok) return second.trouble.because;
  return second.value === "answered" ? null : "GitHub does not say whether it was taken";
}

/** Anybody can paste a marker, so only our own comments count. */
function isAnswered({ comments }: Thread, marker: string): boolean {
  return comments.some(({ own, body }) => own && bears(body, marker));
}

function isChanged(lines: Lines | null, changed: readonly Lines[] | undefined): boolean {
  if (changed === undefined) return false;
  return lines === null || changed.some(({ from, to }) => from <= lines.to && lines.from <= to);
}
