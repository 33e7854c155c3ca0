import type { ProviderFailure } from "../agent.ts";
import type { Matcher } from "../ports.ts";
import type { TaskIdentity } from "../task.ts";
import type { Claim, StatusBlock } from "./claim.ts";
import { normalised, withoutCodeAndQuotes, withoutStatusBlocks } from "./markup.ts";
import { findPromise, type PromiseFinding, promiseToken, tokenRule } from "./promise.ts";
import { readStatusBlock } from "./status-block.ts";
import { leftoverIn, leftoverOf } from "./unfinished.ts";

/** No more of a message than this is read, from its end (section 5.1 reads as much of a block). */
const READ_LIMIT = 65_536;

/**
 * Reads what the agent claims: its promise from the last message alone (C8), its status block from earlier ones too,
 * the newest first. A failed turn makes no claim (section 4.3), but its notes and status block are kept.
 */
export async function readClaim(
  { lastMessage, earlier }: { readonly lastMessage: string; readonly earlier: readonly string[] },
  { promise: rule, doneToken }: Pick<TaskIdentity, "promise" | "doneToken">,
  failure: ProviderFailure | null,
  matcher: Matcher,
): Promise<Claim> {
  const message = normalised(lastMessage.slice(-READ_LIMIT));
  const promise = await findPromise(message, rule, matcher);
  const token = await findPromise(message, tokenRule(doneToken, rule), matcher);
  const said = promise.counts ? promiseToken(rule) : doneToken;
  const person = readPersonStep(message);
  const block = newestBlock([lastMessage, ...earlier]);
  const leftover = leftoverIn(message, said) ?? leftoverOf(block?.summary ?? "");
  return {
    detected: promise.detected,
    done: promise.counts && failure === null,
    token_done: token.counts && failure === null,
    hint: promise.hint ?? token.hint,
    blocked: readBlocked(message),
    ...(person === null ? {} : { person }),
    notes: readNotes(message, promiseToken(rule) ?? doneToken),
    unfinished: leftover?.said ?? null,
    ...(leftover?.isBroken === true ? { broken: true } : {}),
    ...(isMention([promise, token]) ? { mention: true } : {}),
    ...((promise.counts || token.counts) && isBare(message, said) ? { bare: true } : {}),
    block,
  };
}

function isMention(findings: readonly PromiseFinding[]): boolean {
  const counting = findings.filter(({ counts }) => counts);
  return counting.length > 0 && counting.every(({ strict }) => !strict);
}

/** @param said the exact text of the promise; null: a pattern, which is a line */
function isBare(message: string, said: string | null): boolean {
  const text = withoutStatusBlocks(message).trim();
  const rest = said === null ? text.replace(/[^\n]*$/u, "") : text.replaceAll(said, "");
  return !/[\p{L}\p{N}]/u.test(rest);
}

/** Of the last message, else of the newest one that holds any (L-09, B13). */
function newestBlock(messages: readonly string[]): StatusBlock | null {
  for (const message of messages) {
    const block = readStatusBlock(normalised(message.slice(-READ_LIMIT)));
    if (block !== null) return block;
  }
  return null;
}

export const NOTES_HEADING = /^[\s>#*_]*NOTES[*_]*\s*:[*_]*\s*(.*)$/u;
const BLOCKED_HEADING = /^[\s>#*_]*BLOCKED\b/u;
/** Who fills in a form says so when nothing is. */
const NOT_BLOCKED = /^[\s>#*_]*BLOCKED\b[\s:*_-]*(?:no|none|nothing|n\/a|false)\b[\s.*_]*(?:\n\s*\n|$)/iu;
const BLOCK_MARKER = /^[\s>*`]*-{2,}\s*\w+_STATUS\s*-{2,}/u;

const NOTES_LINES = 10;
const NOTE_LENGTH = 300;
const BLOCKED_LENGTH = 1024;

/**
 * The lines under the last `NOTES:` of a message: done, learned, next (C18). They end at a blank line, at a status
 * block or at the promise.
 *
 * @returns at most ten lines of at most 300 characters
 */
export function readNotes(message: string, promise: string | null): readonly string[] {
  const lines = message.split("\n");
  const at = lines.findLastIndex((line) => NOTES_HEADING.test(line));
  if (at === -1) return [];
  const notes: string[] = [];
  for (const [index, line] of lines.slice(at).entries()) {
    const note = (index === 0 ? line.replace(NOTES_HEADING, "$1") : line).trim();
    if (note === "" && notes.length === 0) continue;
    if (note === "" || BLOCK_MARKER.test(note) || (promise !== null && note.includes(promise))) break;
    notes.push(note.slice(0, NOTE_LENGTH));
    if (notes.length === NOTES_LINES) break;
  }
  return notes;
}

/** The structured BLOCKED section that the rules ask for (W-51), from its heading on; null when the message has none. */
export function readBlocked(message: string): string | null {
  const lines = message.split("\n");
  const at = lines.findIndex((line) => BLOCKED_HEADING.test(line));
  if (at === -1) return null;
  const section = lines.slice(at).join("\n").trim().slice(0, BLOCKED_LENGTH);
  return NOT_BLOCKED.test(section) ? null : section;
}

const PERSON_STEP = /^[\s#*_-]*NEEDS A PERSON[\s*_]*:[\s*_]*(?<step>\S.*)$/u;
const STEP_LENGTH = 300;

/**
 * The step that only a person can take, where a line names one as the prompt asks for it; null: none does. What is quoted
 * is not said.
 */
export function readPersonStep(message: string): string | null {
  const lines = withoutCodeAndQuotes(message)
    .split("\n")
    .map((line) => PERSON_STEP.exec(line)?.groups?.["step"]?.trim());
  const step = lines.findLast((line) => line !== undefined && !NO_STEP.test(line));
  return step?.slice(0, STEP_LENGTH) ?? null;
}

/** A form that is filled in because it is there, or said after the prompt. */
const NO_STEP = /^(?:no|none|nothing|nobody|not? (?:needed|applicable)|n\/a|[-–—]+|<[^>]{0,200}>.*)[\s.*_]*$/iu;

const KEPT_LINES = 40; // of what the agent has learned; the whole of it is in `progress.md`
const LINE_LENGTH = 200;

/** What a line of the notes begins with, as the prompt asks for it (C18). */
const LABEL = /^[\s>*_-]*(done|learned|next)\b[\s*_]*:[\s*_]*/iu;

/**
 * Adds what a turn's notes say under `learned:` to what is known, so that a fresh session hears of it however long ago it
 * was (W-66). A line without a label belongs to the one above it. The oldest lines go first when there are too many.
 */
export function keepLearned(known: readonly string[], notes: readonly string[]): readonly string[] {
  const learned: string[] = [];
  let label = "";
  for (const note of notes) {
    label = LABEL.exec(note)?.[1]?.toLowerCase() ?? label;
    const text = note.replace(LABEL, "").trim().slice(0, LINE_LENGTH);
    if (label === "learned" && text !== "") learned.push(text);
  }
  return [...new Set([...known, ...learned])].slice(-KEPT_LINES);
}
