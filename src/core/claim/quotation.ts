import { hedgesOf } from "./hedges.ts";

/** A line of a message; null: it is code or a quotation. */
export type SaidLine = string | null;

const LINE = 500; // no more of a line is read; UTF-16 units
const QUOTED = 300;
const PARAGRAPH = 20; // no more lines before the promise belong to what is around it

/**
 * Why the promise in a line is shown rather than made, in the words of the message: a lead-in before it that negates,
 * conditions or announces; a table, a list of rules or a report about somebody else's work around it. Null: it is made.
 *
 * @param before what stands before the promise in its line; null: the line holds nothing else
 * @returns at most 300 characters
 */
export function shownBy(lines: readonly SaidLine[], at: number, before: string | null): string | null {
  const inLine = before === null ? leadIn(lines, at) : shownInLine(lines, at, before);
  const found = inLine ?? rulesAround(lines, at) ?? reportAround(lines, at);
  return found === null ? null : found.trim().slice(0, QUOTED);
}

function shownInLine(lines: readonly SaidLine[], at: number, before: string): string | null {
  const isShown = isTableRow(lines, at) || isRule(before.slice(-LINE)) || isReport(before.slice(-LINE));
  return isShown ? textAt(lines, at) : null;
}

function textAt(lines: readonly SaidLine[], at: number): string {
  return lines[at]?.slice(0, LINE) ?? "";
}

const SEPARATOR = /^[\s|:-]+$/u;

function isTableRow(lines: readonly SaidLine[], at: number): boolean {
  const line = textAt(lines, at).trim();
  if (!line.includes("|")) return false;
  if (line.startsWith("|") && line.endsWith("|")) return true;
  return [at - 1, at + 1].map((near) => textAt(lines, near)).some((near) => near.includes("|") && SEPARATOR.test(near));
}

const ITEM = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+/u;
const RULE_WORDS = /\b(?:must|should|shall|when|once|until|if|unless|only|never|always|do not|don['’]t)\b/iu;
const ORDER = /^(?:then |finally,? )?(?:end|output|print|reply|respond|say|emit|write|finish|signal|answer|use)\b/iu;

/** An item of a list that tells somebody what to do. */
function isRule(line: string): boolean {
  const item = ITEM.exec(line)?.[0];
  if (item === undefined) return false;
  return RULE_WORDS.test(line) || ORDER.test(line.slice(item.length).replace(/^[*_`]+/u, ""));
}

const RULES = /\b(?:rules?|instructions?|protocol|guidelines?|conventions?|prompt|contract)\b/iu;
const KEPT = /\b(?:followed|kept|met|obeyed|respected|satisfied|fulfilled|applied|checked|done|all)\b/iu;

/** The heading of the list of rules that the line belongs to: an item of it, or what follows its last item directly. */
function rulesAround(lines: readonly SaidLine[], at: number): string | null {
  let above = at - 1;
  while (above >= at - PARAGRAPH && ITEM.test(textAt(lines, above))) above -= 1;
  const isInList = above < at - 1 || ITEM.test(textAt(lines, at));
  const heading = textAt(lines, textAt(lines, above).trim() === "" ? above - 1 : above);
  return isInList && isOpen(heading) && RULES.test(heading) && !KEPT.test(heading) ? heading : null;
}

const SOMEBODY =
  /\b(?:sub-?agents?|bots?|workers?|reviewers?|colleagues?|team-?mates?|contributors?)\b|\b(?:previous|earlier|other|another|first|second) (?:agent|model|assistant|bot|loop|run|iteration|session|turn)s?\b/iu;
const TELLS =
  /\b(?:says?|said|wrote|writes|reported|reports?|ended|ends|printed|prints|outputs?|answered|replied|claimed|claims|concluded|comment(?:s|ed)?|messages?|summary|log)\b/iu;
const DOCUMENT =
  /\b(?:prompt|instructions?|task|rules?|readme|documentation|docs|spec|example|template|user|AGENTS\.md)\b/iu;
const DEMANDS = /\b(?:says?|said|asks?|asked|wants?|requires?|required|reads?|states?|tells?|told|shows?|expects?)\b/iu;
/** Who follows a rule, or has done what it asks for, speaks for himself. */
const OWN = /^\W*(?:as|per|like|following|therefore|so)\b|\b(?:i|we|my|everything|all|done|met|fulfilled)\b/iu;

/** What somebody else has said, or what a text asks for. */
function isReport(line: string): boolean {
  if (SOMEBODY.test(line) && TELLS.test(line) && !/^\W*(?:i|we)\b/iu.test(line)) return true;
  return DOCUMENT.test(line) && DEMANDS.test(line) && !OWN.test(line);
}

/** The line that opens a report, in the paragraph of the promise or directly before it. */
function reportAround(lines: readonly SaidLine[], at: number): string | null {
  for (let above = at - 1; above >= at - PARAGRAPH; above -= 1) {
    const line = textAt(lines, above);
    const isHead = isOpen(line) || line.startsWith("#");
    if (isHead && isReport(line)) return line;
    if (line.trim() === "") {
      const before = textAt(lines, above - 1);
      return isOpen(before) && isReport(before) ? before : null;
    }
  }
  return null;
}

const CLOSING = /[\s*_"'»”’)\]]+$/u;
const OPEN_END = /(?:[:,;–—…：，]|\.\.\.|(?<=\s)-)$/u;

/** Whether a line goes on in the next one. */
function isOpen(line: string): boolean {
  return OPEN_END.test(line.replace(CLOSING, ""));
}

/** The sentence directly before a promise that negates, conditions or announces it. */
function leadIn(lines: readonly SaidLine[], at: number): string | null {
  let above = at - 1;
  while (above >= 0 && lines[above]?.trim() === "") above -= 1;
  const line = lines[above]?.slice(-LINE) ?? "";
  const sentence =
    line
      .replace(CLOSING, "")
      .split(/(?<=[.!?])\s+|(?<=[。！？])/u)
      .findLast((part) => part.trim() !== "") ?? "";
  return isHedged(sentence, isOpen(line)) ? sentence : null;
}

/** English: speaks of giving the promise. */
const GIVING =
  /\b(?:output|print|emit|say|issue|post|end|finish|give|write|send|add)(?:s|ing|t?ing)?\b.{0,40}\b(?:completion|promise|marker|token|tag|the following|this line)\b|\b(?:output|print|emit|say)(?:t?ing|s)? (?:this|it|that|so)\W*$|\bable to (?:output|print|emit|say|write)\W*$|\b(?:last|final|closing) (?:line|words?) (?:\w+ ){0,2}(?:is|be|reads?)\W*$/iu;
const AT_ONCE = /\bnow\b/iu;
const WAITS = /\b(?:when|once|if|after|until|unless|then|not|n['’]t|never)\b|n['’]t\b/iu;

function isHedged(sentence: string, goesOn: boolean): boolean {
  if (AT_ONCE.test(sentence) && !WAITS.test(sentence)) return false;
  const hedges = hedgesOf(sentence);
  const isHedge = hedges.some(({ denies, conditions, announces }) => denies || conditions || announces);
  if (goesOn || GIVING.test(sentence)) return isHedge;
  return hedges.some(
    ({ denies, isNotYet, announces, ofBeingDone }) => isNotYet || ((denies || announces) && ofBeingDone),
  );
}
