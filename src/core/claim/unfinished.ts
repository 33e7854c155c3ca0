import { withoutCodeAndQuotes, withoutStatusBlocks } from "./markup.ts";

const BEFORE = 2; // this many sentences before the one with the promise are the same breath, and one after it
const AFTER = 1;
const QUOTED = 300;
const SENTENCE = 2_000; // no more of a sentence is read, which bounds the time that a hostile one takes

/** From here on a part of a sentence is judged by itself. */
const CLAUSES = /[,;:()–—]| - |\b(?:but|however|although|though|while|because)\b/iu;

/** Words that say that a part of a sentence means nothing, or something past. */
const NOTHING =
  /\b(?:no|nothing|none|nobody|zero|0|without|neither|nor|never|not any|isn't any|aren't any|no longer|previously|earlier|before|used to|now pass(?:es)?|fixed|resolved|addressed|removed|cleared|if|unless|should|would)\b/iu;

const NOUNS =
  "(?:tests?|checks?|specs?|cases?|assertions?|failures?|errors?|items?|tasks?|steps?|issues?|bugs?|parts?)";

/** What is not done, in one part of a sentence. Only words that can hardly mean anything else. */
const UNFINISHED: readonly RegExp[] = [
  /\bstill (?:fail\w*|broken|missing|red|pending|incomplete|unfinished|unimplemented|open|to do|to be|needs?|have to|has to|must|remains?)\b/iu,
  /\bnot yet\b|\bnot (?:fully|completely|entirely) (?:done|implemented|finished|complete|working|covered)\b/iu,
  /\b(?:is|are|was|were|has|have|am|did|do|does)(?: not|n't) (?:yet |been |all )*(?:done|implemented|implement|finished|finish|completed?|fixed|working|passing|pass)\b/iu,
  /\b(?:could|can)(?: ?not|n't|n’t) (?:finish|complete|implement|fix|get)\b|\b(?:unable|failed) to (?:finish|complete|implement|fix|get)\b/iu,
  /\bleft to (?:do|be done|implement|fix|finish|write)\b|\b(?:remains?|needs?|has|have) to be (?:done|implemented|fixed|finished|written|added)\b/iu,
  new RegExp(`\\b${NOUNS} (?:still )?(?:remain|remains|remaining|are left|is left|are missing|is missing)\\b`, "iu"),
  /^\s*(?:\W\s*)?remaining\b(?: work| items?| tasks?| steps?| todos?)?\s*$/iu,
  new RegExp(
    `\\b(?:[1-9]\\d*|one|two|three|four|five|some|several|a few|many) (?:\\w+ )?${NOUNS} (?:still )?fail(?:s|ing)?\\b`,
    "iu",
  ),
  /\b(?:left|remains?|is|are|as) (?:as )?(?:an? )?TODOs?\b/u,
];

const HEADINGS =
  /^\W*(?:TODO|Remaining(?: work| items?| tasks?| steps?)?|Left to do|Not done|Still to do)\W*:\s*(\S.*)$/iu;
const ALL_BUT =
  /\b(?:all|everything|every|done|complete|completed|finished|pass|passes|passing|works?)\b.*\b(?:except|apart from|aside from)\b/iu;
const EMPTY_LIST = /^(?:none|nothing|n\/a|no\b|-|–|—|0\b)/iu;

/**
 * The sentence by which a message names unfinished work in the same breath as the promise (C22); null when it does not.
 * Cautious: ambiguous words do not count.
 *
 * @param message normalised text
 * @param promise the exact text; null: none, then the end of the message is read
 * @returns at most 300 characters
 */
export function unfinishedNear(message: string, promise: string | null): string | null {
  const text = withoutCodeAndQuotes(withoutStatusBlocks(message));
  const sentences = text.split(/\n+|(?<=[.!?])\s+/u).filter((sentence) => sentence.trim() !== "");
  const found = promise === null ? -1 : sentences.findLastIndex((sentence) => sentence.includes(promise));
  const at = found === -1 ? sentences.length - 1 : found;
  const breath = sentences.slice(Math.max(0, at - BEFORE), at + AFTER + 1);
  // The promise's own words say nothing about the work.
  const words = promise === null ? breath : breath.map((sentence) => sentence.replaceAll(promise, " "));
  const named = words.map((sentence) => sentence.slice(0, SENTENCE)).find(namesUnfinished);
  return named?.trim().slice(0, QUOTED) ?? null;
}

function namesUnfinished(sentence: string): boolean {
  const listed = HEADINGS.exec(sentence)?.[1];
  if (listed !== undefined) return !EMPTY_LIST.test(listed);
  if (ALL_BUT.test(sentence)) return true;
  const telling = sentence.split(CLAUSES).filter((clause) => !NOTHING.test(clause));
  return telling.some((clause) => UNFINISHED.some((form) => form.test(clause)));
}
