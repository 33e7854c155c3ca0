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
