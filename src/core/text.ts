import type { Digest } from "./schema.ts";

/** Names texts that may occur several times: digest and occurrence number. Call it in the order of the texts. */
export function occurrenceIds(digest: Digest): (text: string) => string {
  const occurrences = new Map<string, number>();
  return (text) => {
    const occurrence = (occurrences.get(text) ?? 0) + 1;
    occurrences.set(text, occurrence);
    return `${digest(text).slice(0, 16)}#${occurrence}`;
  };
}

/** The end of a text, at most `limit` UTF-16 units, with a note where something was cut. */
export function tailOf(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const note = "[… cut]\n";
  return note + text.slice(text.length - (limit - note.length)).replace(/^[\uDC00-\uDFFF]/u, "");
}

/** The beginning of a text, at most `limit` UTF-16 units, with a note where something was cut. */
export function headOf(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const note = "\n[cut …]";
  return text.slice(0, limit - note.length).replace(/[\uD800-\uDBFF]$/u, "") + note;
}

/** The parts that say something, with `separator` between them. */
export function joined(separator: string, parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(separator);
}

/** A Markdown list under a title: the first `limit` lines, and how many more there are; "" without any. */
export function bullets(title: string, lines: readonly string[], limit: number): string {
  if (lines.length === 0) return "";
  const more = lines.length > limit ? [`- … and ${lines.length - limit} more`] : [];
  return [`${title}:`, ...lines.slice(0, limit).map((line) => `- ${line}`), ...more].join("\n");
}

/**
 * Nothing of ours is deeper. What is much deeper can be read, and not be written again: lines that are indented by
 * their depth make a gigabyte of one megabyte.
 */
const DEEPEST_JSON = 64;

/** The value of a JSON text; undefined: it is not JSON, or has more than 64 lists and objects within each other. */
export function parsedJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return depthOf(text) > DEEPEST_JSON ? undefined : value;
  } catch {
    return undefined;
  }
}

/** @param json must be JSON: each text in it that has no end would be searched to the end of all */
function depthOf(json: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [sign] of json.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}]/gsu)) {
    if (sign === "[" || sign === "{") deepest = Math.max(deepest, (depth += 1));
    else if (sign === "]" || sign === "}") depth -= 1;
  }
  return deepest;
}

// Repetitions are bounded, because strangers wrote the text.
// oxlint-disable-next-line no-control-regex -- ANSI codes begin with a control character
const ANSI = /\u001B\[[0-9;?]{0,30}[ -/]{0,5}[@-~]/gu;

export function withoutAnsi(text: string): string {
  return text.replaceAll(ANSI, "");
}

/** Not seen where a text is shown: zero-width and bidi characters, tags, variation selectors, controls. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}|[\u200E\u200F\uFFF9-\uFFFB]|(?![\n\t])\p{Cc}/gu;
const HTML_COMMENT = /<!--(?:-?>|[^]*?(?:--!?>|$))/gu; // an unfinished one hides the rest of a comment

/** A person's words as an agent may get them: only what a reader of a comment or a file on GitHub sees (T1). */
export function visible(text: string): string {
  return withoutUnseen(text.replaceAll("\r", "\n")).replace(HTML_COMMENT, "");
}

/** What a program printed, without its colours and the characters that nobody sees (T1). */
function withoutUnseen(text: string): string {
  return withoutAnsi(text).replace(UNSEEN, "");
}

/** What somebody else has named something, on one line of at most `limit` UTF-16 units, as far as it can be seen (T1). */
export function seenOnOneLine(text: string, limit: number): string {
  const line = withoutUnseen(text.replaceAll(/[\r\n\u2028\u2029]+/gu, " ")).trim();
  return line.length <= limit ? line : `${line.slice(0, limit - 1).replace(/[\uD800-\uDBFF]$/u, "")}…`;
}

/** Somebody's text, as far as it can be seen, between two tags that it cannot close (T1). */
export function fenced(tag: string, text: string): string {
  return fencedWhole(tag, withoutUnseen(text));
}

/**
 * The same for a text that stays as it is. Where it holds something like the end, the name of the tag gets a number
 * that it does not hold; the same text gives the same tags.
 */
export function fencedWhole(tag: string, text: string): string {
  // As a model may read it: in any case, width and spacing.
  const read = withoutUnseen(text).normalize("NFKC").toLowerCase().replaceAll(/\s/gu, "");
  let name = tag;
  for (let number = 2; read.includes(`/${name}`); number += 1) name = `${tag}-${number}`;
  return `<${name}>\n${text}\n</${name}>`;
}
