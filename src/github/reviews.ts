import type { Result } from "../core/result.ts";
import { bears } from "../views/github/markers.ts";
import { code, markdown, paragraph } from "../views/github/markdown.ts";
import { onceKnown } from "./ask-again.ts";
import type { Github } from "./client.ts";
import { minimize, type Own, ownReviews } from "./graphql.ts";
import { ask, isPassing, type Refused, saysThat } from "./refusal.ts";

/** What people read about a checkpoint that a loop has stopped at. */
export interface HardStopReview {
  /** of the pull request */
  readonly number: number;
  /** the commit that was judged */
  readonly head: string;
  /** the review's first line: `hardStopMarker` of views/github/markers.ts, which names loop, commit and checkpoints */
  readonly marker: string;
  /** where it does not begin with the marker, the marker is put before it */
  readonly body: string;
  /** the text at the checkpoint's own line; null: the line is gone */
  readonly inline: InlineComment | null;
}

interface InlineComment {
  /** in the repository */
  readonly path: string;
  /** in the file as it is in `head`; 1-based */
  readonly line: number;
  readonly body: string;
}

interface Posted {
  readonly url: string;
  /** false: it was there from an earlier attempt */
  readonly created: boolean;
  /** what was not tidied up and why, as sentences without a final full stop */
  readonly notes: readonly string[];
}

/** What GitHub says of a line, or a file, that the pull request does not change. */
const NOT_IN_DIFF = /could not be resolved|must be part of the diff/iu;

/**
 * Posts a review that neither approves nor blocks (nobody can block their own pull request), once for the same
 * checkpoints and commit, and folds the reviews of this loop's earlier stops (`pull-requests: write`). The body holds
 * what belongs to a line that the pull request does not show. Never throws.
 */
export async function postHardStopReview(github: Github, review: HardStopReview): Promise<Result<Posted, Refused>> {
  return ask("pull-requests: write", async () => {
    const { same, older } = await find(github, review);
    const url = same?.url ?? (await post(github, review));
    const folded = await minimize(github, older);
    const notes = folded.ok ? [] : [`the reviews of earlier stops are not folded: ${folded.trouble.because}`];
    return { url, created: same === undefined, notes };
  });
}

/** What is older than the same one was folded when that was made, so the search ends there. */
async function find(
  github: Github,
  { number, marker }: HardStopReview,
): Promise<{ readonly same: Own | undefined; readonly older: readonly Own[] }> {
  const older: Own[] = [];
  // `<!-- smithers:hard-stop <loop-id> `, with which the markers of all its stops begin.
  const loop = `${marker.split(" ", 3).join(" ")} `;
  for await (const page of ownReviews(github, number)) {
    older.push(...page.filter(({ body }) => body.startsWith(loop) && !bears(body, marker)));
    const same = page.find(({ body }) => bears(body, marker));
    if (same !== undefined) return { same, older };
  }
  return { same: undefined, older };
}

/** @returns where it is */
async function post(github: Github, review: HardStopReview): Promise<string> {
  const { marker, inline } = review;
  const body = bears(review.body, marker) ? review.body : `${marker}\n\n${review.body}`;
  try {
    return await create(github, review, body, inline);
  } catch (error) {
    if (inline !== null && saysThat(error, NOT_IN_DIFF)) {
      return create(github, review, `${body.trimEnd()}\n\n${folded(inline)}`, null);
    }
    // GitHub's answer may have got lost after the review was made.
    const made = isPassing(error) ? (await find(github, review)).same : undefined;
    if (made === undefined) throw error;
    return made.url;
  }
}

async function create(
  github: Github,
  { number, head }: HardStopReview,
  body: string,
  inline: InlineComment | null,
): Promise<string> {
  const comments = inline === null ? {} : { comments: [{ ...inline, side: "RIGHT" }] };
  const params = { pull_number: number, event: "COMMENT", commit_id: head, body, ...comments } as const;
  return (await onceKnown(github.signal, () => github.rest.pulls.createReview(params))).data.html_url;
}

function folded({ path, line, body }: InlineComment): string {
  return `${markdown([paragraph`At ${code(`${path}:${line}`)} (which this pull request does not change):`])}\n${body}`;
}
