import { done, failed, type Result } from "../result.ts";
import { joined, seenOnOneLine, visible } from "../text.ts";

/** A place that a reviewer speaks about, in the reviewed commit. */
export interface ReviewedPlace {
  /** in the repository */
  readonly path: string;
  /** first and last line, 1-based; null: the file as a whole, or lines that it does not have any more */
  readonly lines: { readonly from: number; readonly to: number } | null;
}

/** What a person says in a review. All of it is theirs; what others have said below it is not here. */
export interface ReviewWords {
  /** the commit that they looked at */
  readonly commit: string;
  /** of the review as a whole, without its command; "" without */
  readonly body: string;
  readonly threads: readonly (ReviewedPlace & { readonly words: string })[];
}

/** Of a review in all: more is refused, never cut; UTF-16 units. */
export const REVIEW_LIMIT = 16_384;
export const MOST_THREADS = 50;
const PATH_LIMIT = 300;

/**
 * A review as guidance for the next turn (C110): what it says as a whole, then each of its threads with file and lines.
 *
 * @returns null: it says nothing; or a sentence for the reviewer
 */
export function reviewGuidance({ commit, body, threads }: ReviewWords): Result<string | null> {
  if (threads.length > MOST_THREADS) {
    return failed({ because: `The review has ${threads.length} threads, and at most ${MOST_THREADS} are taken.` });
  }
  const said = threads.flatMap(({ words, ...place }) => {
    const seen = visible(words).trim();
    return seen === "" ? [] : [{ place: placeWords(place), seen }];
  });
  const listed = said.map(({ place, seen }, index) => `${index + 1}. ${place}:\n${seen}`);
  const short = commit.slice(0, 12);
  const intro = listed.length === 0 ? "" : `About these places, whose lines are those of commit ${short}:`;
  const text = joined("\n\n", [visible(body).trim(), intro, ...listed]);
  if (text.length > REVIEW_LIMIT) {
    return failed({
      because: `The review has ${text.length} characters, and at most ${REVIEW_LIMIT} are taken.`,
    });
  }
  return done(text === "" ? null : text);
}

/** As in `src/a.ts, lines 3 to 9`. */
export function placeWords({ path, lines }: ReviewedPlace): string {
  // Who works on the branch names its files, and no name may hide the words that stand behind it.
  const file = seenOnOneLine(path, PATH_LIMIT).replaceAll("<!--", "<! --");
  if (lines === null) return file;
  const { from, to } = lines;
  return from === to ? `${file}, line ${to}` : `${file}, lines ${from} to ${to}`;
}
