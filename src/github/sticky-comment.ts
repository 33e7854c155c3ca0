import { oneAtATime } from "../os/one-at-a-time.ts";
import { bears } from "../views/github/markers.ts";
import type { Access } from "./access.ts";
import { type Failure, failureOf } from "./attempt.ts";
import { minimize } from "./minimize.ts";
import { isSameText } from "./same-text.ts";
import { createComment, findComments, type Known, PERMISSION, updateComment } from "./sticky-comment-requests.ts";

/** Which comment on which pull request. */
export interface StickyPlace {
  /** of the pull request */
  readonly number: number;
  /** the comment's first line: `markerOf` of views/github-markers.ts */
  readonly marker: string;
}

export type Put =
  | {
      readonly put: true;
      readonly url: string;
      readonly written: "created" | "updated" | "unchanged";
      /** what was not tidied up and why, as sentences without a final full stop */
      readonly notes: readonly string[];
    }
  | ({ readonly put: false } & Failure);

/** The one comment in which a loop tells how it is. */
export interface StickyComment {
  /**
   * Makes the comment say this, if it does not yet (`pull-requests: write`): in place where there is one, else in a new
   * one, with which the comments of other loops of the same workflow and job are folded. Calls are obeyed one after the
   * other. Never throws.
   *
   * @param body where it does not begin with the marker, the marker is put before it
   */
  put(body: string): Promise<Put>;
}

/** A comment that is looked for when it is first needed, and known from then on. */
export function stickyComment(access: Access, place: StickyPlace): StickyComment {
  const queue = oneAtATime();
  let looked = false;
  let known: Known | undefined;

  const write = async (body: string): Promise<Put> => {
    const found = looked ? { ours: known, older: [] } : await findComments(access, place);
    looked = true;
    known = found.ours;
    if (known !== undefined) {
      if (isSameText(known.body, body)) return { put: true, url: known.url, written: "unchanged", notes: [] };
      known = await updateComment(access, known, body);
      if (known !== undefined) return { put: true, url: known.url, written: "updated", notes: [] };
    }
    const created = await createComment(access, place, body);
    known = created.known;
    const why = await minimize(access, found.older);
    const unfolded = why === null ? [] : [`older status comments are not folded: ${why}`];
    return { put: true, url: known.url, written: "created", notes: [...created.notes, ...unfolded] };
  };
  return {
    put: (body) =>
      queue(async () => {
        try {
          return await write(bears(body, place.marker) ? body : `${place.marker}\n\n${body}`);
        } catch (error) {
          return { put: false, ...failureOf(error, PERMISSION) };
        }
      }),
  };
}
