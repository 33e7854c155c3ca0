import { oneLine } from "./plain-text.ts";

/** Text of others is cut here where one line of it is shown (UTF-16 units). */
const TEXT_LIMIT = 1_000;

/** Stands between two characters and is not seen. */
const BREAK = "\u200B";

/**
 * What GitHub makes of text besides Markdown: `@name` calls people, `#1`, `GH-1` and addresses refer to issues, which a
 * word such as `fixes` before them closes, and a bare address becomes a link.
 */
const MAGIC = /@(?=[\w-])|#(?=\d)|\bGH-(?=\d)|:(?=\/\/)|\bwww(?=\.)/giu;

/**
 * Somebody else's text on one line, in which nothing calls, closes or links. Markdown and HTML in it are not dealt with
 * here: it has to become a text node.
 */
export function inert(text: string): string {
  return quieted(shortened(text));
}

/** The same for a code node, in which GitHub looks for nothing. */
export function shortened(text: string): string {
  return cut(oneLine(text), TEXT_LIMIT);
}

/** The text with all that calls, closes or links broken up; lines and blanks stay. */
export function quieted(text: string): string {
  return text.replaceAll(MAGIC, (found) => `${found}${BREAK}`);
}

/** At most `length` UTF-16 units of a text, no half of a character among them, and `…` where it is cut. */
export function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length).replace(/[\uD800-\uDBFF]$/u, "")}…` : text;
}
