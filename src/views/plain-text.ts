import { messageOf } from "../core/errors.ts";

/** What kind of line it is; a terminal may colour it. */
export type Tone = "plain" | "good" | "bad" | "warn" | "dim" | "strong";

/** One line for a person: plain text, without control characters. */
export interface Line {
  readonly tone: Tone;
  readonly text: string;
}

export function line(text: string, tone: Tone = "plain"): Line {
  return { tone, text };
}

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

/** A line in which nothing is a control character, whatever is in it; its blanks stay. */
export function cleaned({ text, tone }: Line): Line {
  return line(plainText(text).replaceAll("\n", " "), tone);
}

/** `plainText` on one line. */
export function oneLine(text: string): string {
  return plainText(text).replaceAll(/\s+/gu, " ").trim();
}

/** What went wrong, of anything that was thrown, on one line of at most 400 characters. */
export function briefly(error: unknown): string {
  return oneLine(messageOf(error)).slice(0, 400);
}

/** The first line of a text, without its end. */
export function firstLine(text: string): string {
  return text.split(/\r\n|[\r\n]/u, 1).join("");
}

/** The last `lines` lines of a text, without blank ones at its end. */
export function lastLines(text: string, lines: number): readonly string[] {
  const all = plainText(text).trimEnd().split("\n");
  return all.length === 1 && all[0] === "" ? [] : all.slice(-lines);
}

/** A part of a sentence as a whole one. */
export function sentence(part: string): string {
  return `${part.charAt(0).toUpperCase()}${part.slice(1)}.`;
}

/** At most `length` UTF-16 units of a text, no half of a character among them, and `…` where it is cut. */
export function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length).replace(/[\uD800-\uDBFF]$/u, "")}…` : text;
}

/** Made when it is needed: it takes 8 ms, which every start would wait for. */
let graphemes: Intl.Segmenter | undefined;
const WIDE =
  /\p{Emoji_Presentation}|\uFE0F|\p{Script=Han}|\p{Script=Hangul}|\p{Script=Hiragana}|\p{Script=Katakana}|[\u3000-\u303F\uFF01-\uFF60\uFFE0-\uFFE6]/u;
const INVISIBLE = /^(?:\p{Mn}|\p{Me}|\p{Cf})+$/u;

/** Cuts a line of plain text to at most `columns` columns of a terminal; a cut is shown as `…`. */
export function fit(text: string, columns: number): string {
  let kept = "";
  let used = 0;
  let fitting = "";
  for (const segment of graphemesOf(text)) {
    used += widthOf(segment);
    if (used > columns) return columns < 1 ? "" : `${fitting}…`;
    kept += segment;
    if (used < columns) fitting = kept;
  }
  return kept;
}

function* graphemesOf(text: string): Generator<string> {
  graphemes ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  for (const { segment } of graphemes.segment(text)) yield segment;
}

/** How wide a line of plain text is, in columns of a terminal. */
export function columnsOf(text: string): number {
  return PLAIN.test(text) ? text.length : Array.from(graphemesOf(text), widthOf).reduce((sum, each) => sum + each, 0);
}

/** In columns of a terminal. */
function widthOf(grapheme: string): number {
  if (INVISIBLE.test(grapheme)) return 0;
  return WIDE.test(grapheme) ? 2 : 1;
}

/** Where each character is one, a column wide: Latin, Greek and Cyrillic letters, punctuation, arrows, lines of tables. */
const PLAIN = /^[ -~\u00A1-\u00AC\u00AE-\u02FF\u0370-\u0482\u048A-\u052F\u2010-\u2027\u2190-\u21FF\u2500-\u259F]*$/u;

/**
 * A line of plain text as several, none wider than `columns` columns of a terminal: broken at a blank where there is one
 * in the second half, else anywhere.
 */
export function wrapped(text: string, columns: number): readonly string[] {
  const room = Math.max(columns, 2);
  if (PLAIN.test(text)) return wrappedPlain(text, room);
  const lines: string[] = [];
  let held = "";
  let used = 0;
  for (const segment of graphemesOf(text)) {
    const width = widthOf(segment);
    if (used + width > room) {
      const blank = held.lastIndexOf(" ");
      const end = blank * 2 > held.length && segment !== " " ? blank + 1 : held.length;
      lines.push(held.slice(0, end).trimEnd());
      held = held.slice(end);
      used = Array.from(graphemesOf(held), widthOf).reduce((sum, each) => sum + each, 0);
      if (held === "" && segment === " ") continue;
    }
    held += segment;
    used += width;
  }
  return held === "" && lines.length > 0 ? lines : [...lines, held];
}

/** The same for what is `PLAIN`, in a hundredth of the time. */
function wrappedPlain(text: string, room: number): readonly string[] {
  const lines: string[] = [];
  let from = 0;
  while (text.length - from > room) {
    const piece = text.slice(from, from + room);
    const isAtBlank = text[from + room] === " ";
    const blank = piece.lastIndexOf(" ");
    const end = blank * 2 > room && !isAtBlank ? blank + 1 : room;
    lines.push(piece.slice(0, end).trimEnd());
    from += end === room && isAtBlank ? room + 1 : end;
  }
  return from === text.length && lines.length > 0 ? lines : [...lines, text.slice(from)];
}
