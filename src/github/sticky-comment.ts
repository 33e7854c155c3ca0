import type { Result } from "../core/result.ts";
import { oneAtATime } from "../os/concurrency.ts";
import { bears } from "../views/github/markers.ts";
import { onceKnown } from "./ask-again.ts";
import type { Github } from "./client.ts";
import { type CommentedOn, isSameText } from "./comments.ts";
import { minimize, type OwnComment, ownComments } from "./graphql.ts";
import { ABSENT, ask, isPassing, type Refused, statusOf, troubleOf } from "./refusal.ts";

/** Which comment on which pull request or issue. */
interface StickyPlace {
  readonly number: number;
  /** absent: a pull request */
  readonly on?: CommentedOn;
  /** the comment's first line: `markerOf` of views/github/markers.ts */
  readonly marker: string;
}

/** The comment as it is now. */
interface Written {
  readonly url: string;
  readonly how: "created" | "updated" | "unchanged";
  /** what was not tidied up and why, as sentences without a final full stop */
  readonly notes: readonly string[];
}

export type WrittenComment = Result<Written, Refused>;

/** The one comment in which a loop reports how it is. */
export interface StickyComment {
  /**
   * Updates the comment if it differs (`pull-requests: write`, `issues: write`), or makes a new one and folds the comments of other
   * loops of the same workflow and job. Runs calls one after the other. Never throws.
   *
   * @param body the marker is put before it, unless it begins with it
   */
  put(body: string): Promise<WrittenComment>;
}

/** A comment that is looked for when it is first needed, and known from then on. */
export function stickyComment(github: Github, place: StickyPlace): StickyComment {
  const queue = oneAtATime();
  let looked = false;
  let known: Known | undefined;

  const write = async (body: string): Promise<Written> => {
    let older: readonly OwnComment[] = [];
    if (!looked) ({ ours: known, older } = await findComments(github, place));
    looked = true;
    if (known !== undefined) {
      if (isSameText(known.body, body)) return { url: known.url, how: "unchanged", notes: [] };
      known = await updateComment(github, known, body);
      if (known !== undefined) return { url: known.url, how: "updated", notes: [] };
    }
    const created = await createComment(github, place, body);
    known = created.known;
    const folded = await minimize(github, older);
    const notes = folded.ok ? [] : [`older status comments are not folded: ${folded.trouble.because}`];
    return { url: known.url, how: "created", notes: [...created.notes, ...notes] };
  };
  return {
    put: (body) =>
      queue(() =>
        ask(permissionOf(place), () => write(bears(body, place.marker) ? body : `${place.marker}\n\n${body}`)),
      ),
  };
}

/** What everything about comments there needs. */
function permissionOf({ on = "pull-requests" }: StickyPlace): string {
  return `${on}: write`;
}

/** Our comment as we know it. */
type Known = Pick<OwnComment, "restId" | "url" | "body">;

/**
 * Looks for the comment with this marker, and for those of other loops of the same workflow and job. What is older than
 * ours was folded when that was made, so the search ends there.
 *
 * @throws what Octokit throws, as all below do
 */
async function findComments(
  github: Github,
  { number, on, marker }: StickyPlace,
): Promise<{ readonly ours: Known | undefined; readonly older: readonly OwnComment[] }> {
  const older: OwnComment[] = [];
  for await (const page of ownComments(github, number, on)) {
    older.push(...page.filter(({ body }) => isOfSameJob(body, marker)));
    const ours = oldest(page.filter(({ body }) => bears(body, marker)));
    if (ours !== undefined) return { ours, older };
  }
  return { ours: undefined, older };
}

/** @returns undefined where somebody has deleted it */
async function updateComment(github: Github, { restId, url }: Known, body: string): Promise<Known | undefined> {
  try {
    await github.rest.issues.updateComment({ comment_id: restId, body });
    return { restId, url, body };
  } catch (error) {
    if (ABSENT.has(statusOf(error))) return undefined;
    throw error;
  }
}

/**
 * Two runs may do this at once: both keep the older comment.
 *
 * @returns with what was not tidied up, as sentences without a final full stop
 */
async function createComment(
  github: Github,
  place: StickyPlace,
  body: string,
): Promise<{ readonly known: Known; readonly notes: readonly string[] }> {
  let lost: unknown;
  const created = await onceKnown(github.signal, () =>
    github.rest.issues.createComment({ issue_number: place.number, body }),
  ).catch((error: unknown) => {
    // Where GitHub's answer gets lost, the comment may have been written.
    if (!isPassing(error)) throw error;
    lost = error;
  });
  const listed = await newest(github, place);
  const all = created ? [{ restId: created.data.id, url: created.data.html_url, body }, ...listed] : listed;
  const kept = oldest(all);
  if (kept === undefined) throw lost;
  const notes = await removeAll(
    github,
    place,
    new Set(all.map(({ restId }) => restId).filter((id) => id !== kept.restId)),
  );
  if (isSameText(kept.body, body)) return { known: kept, notes };
  return { known: (await updateComment(github, kept, body)) ?? kept, notes };
}

/** Ours among the last 100. */
async function newest(github: Github, { number, on, marker }: StickyPlace): Promise<readonly Known[]> {
  const first = await ownComments(github, number, on).next();
  return first.done === true ? [] : first.value.filter(({ body }) => bears(body, marker));
}

async function removeAll(github: Github, place: StickyPlace, restIds: ReadonlySet<number>): Promise<readonly string[]> {
  try {
    for (const restId of restIds) await github.rest.issues.deleteComment({ comment_id: restId });
    return [];
  } catch (error) {
    // Another run has been faster, and has removed the same ones.
    if (ABSENT.has(statusOf(error))) return [];
    return [`a second status comment is left: ${troubleOf(error, permissionOf(place)).because}`];
  }
}

/** Whether a comment is the status of another loop of the same workflow and job, judged by its first line. */
function isOfSameJob(body: string, marker: string): boolean {
  if (bears(body, marker)) return false;
  const [theirs, ours] = [body.split(/\r?\n/u, 1).join(""), marker].map((line) => line.split(" "));
  const isSame = (word: number): boolean => theirs?.[word] !== undefined && theirs[word] === ours?.[word];
  // `<!-- smithers:loop <loop-id> <workflow> <job> -->`
  return theirs?.length === ours?.length && [0, 1, 3, 4, 5].every(isSame);
}

function oldest<T extends Known>(comments: readonly T[]): T | undefined {
  return comments.toSorted((a, b) => a.restId - b.restId)[0];
}
