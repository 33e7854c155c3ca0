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

/** The value of a JSON text; undefined: it is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// Repetitions are bounded, because strangers wrote the text.
// oxlint-disable-next-line no-control-regex -- ANSI codes begin with a control character
const ANSI = /\u001B\[[0-9;?]{0,30}[ -/]{0,5}[@-~]/gu;

export function withoutAnsi(text: string): string {
  return text.replaceAll(ANSI, "");
}
