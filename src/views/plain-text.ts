import { messageOf } from "../core/errors.ts";

const ESC = String.fromCodePoint(0x1b);
const BEL = String.fromCodePoint(0x07);
const CSI = String.fromCodePoint(0x9b);

/** Escape sequences: CSI, then OSC and the other strings up to their end, then two-character ones. */
const SEQUENCE = new RegExp(
  [
    `(?:${ESC}\\[|${CSI})[0-?]*[ -/]*[@-~]?`,
    `${ESC}[\\]PX^_][^${BEL}${ESC}]*(?:${BEL}|${ESC}\\\\)?`,
    `${ESC}[ -/]*[0-~]?`,
  ].join("|"),
  "gu",
);

/** Control characters but newline and tab, and the invisible ones that reorder text. */
const CONTROL = /(?![\n\t])\p{Cc}|[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/**
 * Text of the agent or of a check as it may be shown to a person: nothing in it can move the cursor, colour the screen,
 * set a title or turn the reading direction. Lines stay lines.
 */
export function plainText(text: string): string {
  return text.replace(SEQUENCE, "").replaceAll(/\r\n?/gu, "\n").replace(CONTROL, "").replaceAll("\t", "    ");
}

/** `plainText` on one line. */
export function oneLine(text: string): string {
  return plainText(text).replaceAll(/\s+/gu, " ").trim();
}

/** What went wrong, of anything that was thrown, on one line that is not long. */
export function briefly(error: unknown): string {
  return oneLine(messageOf(error)).slice(0, BRIEF_LENGTH);
}

const BRIEF_LENGTH = 400;

/** The first line of a text, without its end. */
export function firstLine(text: string): string {
  return text.split(/\r\n|[\r\n]/u, 1).join("");
}

/** The last `lines` lines of a text, without blank ones at its end. */
export function lastLines(text: string, lines: number): readonly string[] {
  const all = plainText(text).trimEnd().split("\n");
  return all.length === 1 && all[0] === "" ? [] : all.slice(-lines);
}
