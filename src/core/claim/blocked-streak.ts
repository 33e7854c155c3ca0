import { type LastTurn, type BlockedStreak, NOT_BLOCKED_YET } from "../state.ts";
import type { Claim } from "./claim.ts";
import { normalised, withoutStatusBlocks } from "./markup.ts";
import { NOTES_HEADING } from "./read-claim.ts";

/** This many in a row end the loop (POST 10, section 4.5). */
export const BLOCKED_THAT_STOPS = 2;

type SaidTurn = Pick<LastTurn, "claim" | "failure" | "summary" | "change">;

const REASON_LENGTH = 200;
const QUESTION_LENGTH = 300;
const CLOSING = /[\s*_`"'»”’)\]]+$/u; // what may surround the end of a sentence without being part of it

/** Counts a turn. A failed turn resets the count: it may not have said all that it wanted to. */
export function countBlocked(before: BlockedStreak, turn: SaidTurn): BlockedStreak {
  if (turn.failure !== null) return NOT_BLOCKED_YET;
  const said = blockedBecause(turn.claim);
  const why = said === null ? null : comparable(said);
  const again = why !== null && why === before.why;
  // When the changes are not known, the agent's own count has to say that it changed nothing.
  const unchanged = (turn.change?.files ?? turn.claim.block?.files_modified) === 0;
  return {
    blocked: again ? before.blocked + 1 : Number(why !== null),
    why,
    questions: unchanged && questionOf(turn.summary) !== null ? before.questions + 1 : 0,
  };
}

/** Why it is BLOCKED, in the agent's own words: from its section, else from its status block; null: it is not. */
export function blockedBecause({ blocked, block }: Claim): string | null {
  if (blocked !== null) return blocked;
  return block?.status === "BLOCKED" ? (block.summary ?? "STATUS: BLOCKED") : null;
}

/**
 * The question that ends a message; null: none. Notes and a status block may follow it.
 *
 * @returns its last line, at most 300 characters of it
 */
export function questionOf(summary: string): string | null {
  const lines = withoutStatusBlocks(normalised(summary)).split("\n");
  const notes = lines.findLastIndex((line) => NOTES_HEADING.test(line));
  return questionAtEnd(lines) ?? questionAtEnd(lines.slice(0, Math.max(0, notes)));
}

function questionAtEnd(lines: readonly string[]): string | null {
  const last = lines.findLast((line) => line.trim() !== "") ?? "";
  const sentence = last.replace(CLOSING, "");
  return /[?？]$/u.test(sentence) ? sentence.trim().slice(-QUESTION_LENGTH) : null;
}

/** The first line that gives a reason, without marks, numbers and case: equal reasons stay equal. */
function comparable(said: string): string {
  const lines = said.replace(/^[\s>#*_]*BLOCKED\b/u, "").split("\n");
  const telling = lines.map(plainWords).find((line) => line !== "") ?? "";
  return telling.slice(0, REASON_LENGTH);
}

/** "" for a heading that only introduces the reason. */
function plainWords(line: string): string {
  if (/^\s*#/u.test(line) || /:[\s*_]*$/u.test(line)) return "";
  return line
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}]+/gu, " ")
    .trim();
}
