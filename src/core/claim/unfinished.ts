import { hedgesOf } from "./hedges.ts";
import {
  ALL_BUT,
  EMPTY_LIST,
  FAR_HEADINGS,
  FOR_NOW,
  HEADINGS,
  LEFTOVER_WORDS,
  type LeftoverWords,
  LIST_HEADING,
  MEANT,
  NEXT_STEPS,
  NOTHING_ADMITTED,
  NOTHING_LEFT,
  PART_OF,
  TICKED,
  TODO_ASIDE,
  UNTICKED,
} from "./leftover-words.ts";
import { withoutCodeAndQuotes, withoutStatusBlocks } from "./markup.ts";

const BEFORE = 2; // this many sentences before the one with the promise are the same breath, and one after it
const AFTER = 1;
const QUOTED = 300;
const SENTENCE = 2_000; // no more of a sentence is read, which bounds the time that a hostile one takes
const SENTENCES = 400; // no more of a message is read, from its end

/** From here on a part of a sentence is judged by itself. */
const CLAUSES = /[,;:()–—]| - |\b(?:but|however|although|though|while|because)\b/iu;

/** What an agent admits not to have done. */
export interface Leftover {
  /** in its own words; at most 300 characters */
  readonly said: string;
  /** it is a stub, or something that does not work */
  readonly isBroken: boolean;
}

/**
 * The sentence by which a message admits that something is left (C36): in the same breath as the promise, or, in words
 * that can mean nothing else, anywhere. What does not work comes first. Cautious: ambiguous words do not count.
 *
 * @param message normalised text
 * @param promise the exact text; null: none, then the end of the message is read
 */
export function leftoverIn(message: string, promise: string | null): Leftover | null {
  const text = withoutCodeAndQuotes(withoutStatusBlocks(message));
  const sentences = text
    .split(/\n+|(?<=[.!?])(?<!^[ \t]{0,9}\d{1,3}\.)[^\S\n]+/mu)
    .filter((sentence) => sentence.trim() !== "")
    .slice(-SENTENCES);
  const found = promise === null ? -1 : sentences.findLastIndex((sentence) => sentence.includes(promise));
  const at = found === -1 ? sentences.length - 1 : found;
  // The promise's own words say nothing about the work.
  const words = promise === null ? sentences : sentences.map((sentence) => sentence.replaceAll(promise, " "));
  const from = breathBefore(words, at);
  const ticksOff = words.slice(from, Math.max(from, at)).some((sentence) => TICKED.test(sentence));
  const leftovers = words.flatMap((sentence, index) => {
    const isNear = index >= from && index <= at + AFTER;
    const said = sentence.slice(0, SENTENCE);
    const list = isNear ? (unticked(said, ticksOff) ?? listed(said, words[index + 1] ?? "")) : undefined;
    const leftover = list === undefined ? admission(said, isNear) : list;
    return leftover === null ? [] : [leftover];
  });
  return leftovers.find(({ isBroken }) => isBroken) ?? leftovers[0] ?? null;
}

/** The same of the summary of a status block, all of which is said of the claim. */
export function leftoverOf(summary: string): Leftover | null {
  return leftoverIn(summary, null);
}

const ITEM = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+/u;

/** Where the breath of a sentence begins: a list is one sentence with its heading. */
function breathBefore(sentences: readonly string[], at: number): number {
  let left = BEFORE;
  let from = at;
  for (const sentence of sentences.slice(0, Math.max(0, at)).toReversed()) {
    if (left === 0) break;
    from -= 1;
    if (!ITEM.test(sentence)) left -= 1;
  }
  return from;
}

/** An open item of a list of which others are ticked off. */
function unticked(sentence: string, ticksOff: boolean): Leftover | undefined {
  if (!ticksOff || !UNTICKED.test(sentence) || MEANT.test(sentence)) return undefined;
  return { said: sentence.trim().slice(0, QUOTED), isBroken: false };
}

/** A heading that says that something is left, with the first item below it; null: that is nothing; undefined: no such. */
function listed(sentence: string, next: string): Leftover | null | undefined {
  if (!LIST_HEADING.test(sentence)) return undefined;
  const item = next.replace(ITEM, "").trim();
  if (EMPTY_LIST.test(item) || TICKED.test(next)) return null;
  if (!ITEM.test(next)) return undefined;
  return { said: `${sentence.trim()} ${item}`.slice(0, QUOTED), isBroken: false };
}

const BROKEN_WORDS = LEFTOVER_WORDS.filter((words) => words.isBroken === true);
const OPEN_WORDS = LEFTOVER_WORDS.filter((words) => words.isBroken !== true);

function admission(sentence: string, isNear: boolean): Leftover | null {
  const said = sentence.trim().slice(0, QUOTED);
  // A promise that stands alone leaves nothing to read; the patterns are compiled when they are first used, 60 ms in all.
  if (said === "" || MEANT.test(sentence)) return null;
  const first = HEADINGS.exec(sentence)?.[1];
  if (first !== undefined)
    return (isNear || FAR_HEADINGS.test(sentence)) && !EMPTY_LIST.test(first) ? { said, isBroken: false } : null;
  const clauses = sentence.split(CLAUSES);
  const says = (words: LeftoverWords): boolean => clauses.some((clause) => holds(clause, words, isNear));
  if (BROKEN_WORDS.some(says)) return { said, isBroken: true };
  const isPartial = isPart(sentence) || (isNear && (isBeside(sentence) || isNotYet(sentence)));
  return isPartial || OPEN_WORDS.some(says) ? { said, isBroken: false } : null;
}

function holds(clause: string, { says, counts }: LeftoverWords, isNear: boolean): boolean {
  if (counts === "message") return says.test(clause) && !NOTHING_ADMITTED.test(clause);
  return isNear && says.test(clause) && !NOTHING_LEFT.test(clause);
}

function isBeside(sentence: string): boolean {
  const isAside = TODO_ASIDE.test(sentence) && !NOTHING_LEFT.test(sentence);
  const isForNow = FOR_NOW.test(sentence) && !NOTHING_LEFT.test(sentence);
  return ALL_BUT.test(sentence) || NEXT_STEPS.test(sentence) || isAside || isForNow;
}

/** In another language than English. */
function isNotYet(sentence: string): boolean {
  return hedgesOf(sentence).some((hedges) => hedges.isNotYet);
}

function isPart(sentence: string): boolean {
  const { part, whole, part2, whole2 } = PART_OF.exec(sentence)?.groups ?? {};
  return Number(part ?? part2 ?? 0) < Number(whole ?? whole2 ?? 0);
}
