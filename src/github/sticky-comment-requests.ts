import { isPassing, statusOf } from "./github-refusal.ts";
import { bears } from "../views/github/markers.ts";
import type { Access } from "./access.ts";
import { onceKnown } from "./ask-again.ts";
import { failureOf } from "./attempt.ts";
import { type OwnComment, ownComments } from "./graphql/pages.ts";
import { isSameText } from "./same-text.ts";

/** What everything about comments on pull requests needs. */
export const PERMISSION = "pull-requests: write";

/** What GitHub answers where something was deleted. */
const GONE: ReadonlySet<number | null> = new Set([404, 410]);

interface Place {
  readonly number: number;
  readonly marker: string;
}

/** A comment of ours as we know it. */
export interface Known {
  /** for the REST API; later ones are larger */
  readonly restId: number;
  readonly url: string;
  readonly body: string;
}

interface Found {
  readonly ours: Known | undefined;
  /** those of other loops of the same workflow and job */
  readonly older: readonly OwnComment[];
}

/**
 * Looks for the comment with this marker. What is older was folded when that was made: nobody looks further back than to
 * it.
 *
 * @throws what Octokit throws
 */
export async function findComments(access: Access, { number, marker }: Place): Promise<Found> {
  const older: OwnComment[] = [];
  for await (const page of ownComments(access, number)) {
    older.push(...page.filter(({ body }) => isOfSameJob(body, marker)));
    const ours = oldest(page.filter(({ body }) => bears(body, marker)));
    if (ours !== undefined) return { ours, older };
  }
  return { ours: undefined, older };
}

/**
 * @returns undefined where somebody has deleted it
 * @throws what Octokit throws
 */
export async function updateComment(access: Access, { restId, url }: Known, body: string): Promise<Known | undefined> {
  const { octokit, repository, signal } = access;
  try {
    await octokit.request("PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}", {
      owner: repository.owner,
      repo: repository.name,
      comment_id: restId,
      body,
      request: { signal },
    });
    return { restId, url, body };
  } catch (error) {
    if (GONE.has(statusOf(error))) return undefined;
    throw error;
  }
}

/**
 * Two runs may do this at once: both keep the older comment.
 *
 * @returns with what was not tidied up, as sentences without a final full stop
 * @throws what Octokit throws
 */
export async function createComment(
  access: Access,
  place: Place,
  body: string,
): Promise<{ readonly known: Known; readonly notes: readonly string[] }> {
  const created = await write(access, place, body);
  const listed = await newest(access, place);
  const all = "lost" in created ? listed : [created, ...listed];
  const kept = oldest(all);
  if (kept === undefined) throw lossOf(created);
  const notes = await removeAll(access, new Set(all.map(({ restId }) => restId).filter((id) => id !== kept.restId)));
  if (isSameText(kept.body, body)) return { known: kept, notes };
  return { known: (await updateComment(access, kept, body)) ?? kept, notes };
}

/** Where GitHub's answer gets lost, the comment may have been written. */
async function write(access: Access, { number }: Place, body: string): Promise<Known | { readonly lost: unknown }> {
  const { octokit, repository, signal } = access;
  try {
    const { data } = await onceKnown(signal, () =>
      octokit.request("POST /repos/{owner}/{repo}/issues/{issue_number}/comments", {
        owner: repository.owner,
        repo: repository.name,
        issue_number: number,
        body,
        request: { signal },
      }),
    );
    return { restId: Number(data.id), url: data.html_url, body };
  } catch (error) {
    if (!isPassing(error)) throw error;
    return { lost: error };
  }
}

function lossOf(created: Known | { readonly lost: unknown }): unknown {
  return "lost" in created ? created.lost : new Error("GitHub has lost the comment");
}

/** Ours among the last 100. */
async function newest(access: Access, { number, marker }: Place): Promise<readonly OwnComment[]> {
  for await (const page of ownComments(access, number)) return page.filter(({ body }) => bears(body, marker));
  return [];
}

async function removeAll(access: Access, restIds: ReadonlySet<number>): Promise<readonly string[]> {
  const { octokit, repository, signal } = access;
  try {
    for (const restId of restIds) {
      await octokit.request("DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}", {
        owner: repository.owner,
        repo: repository.name,
        comment_id: restId,
        request: { signal },
      });
    }
    return [];
  } catch (error) {
    // Another run has been faster, and has removed the same ones.
    if (GONE.has(statusOf(error))) return [];
    return [`a second status comment is left: ${failureOf(error, PERMISSION).why}`];
  }
}

/** Whether a comment is the status of another loop of the same workflow and job: its first line tells them apart. */
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
