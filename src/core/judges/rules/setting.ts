/** One value that a configuration file sets; of a list each item, under the path of the list. */
export interface Setting {
  /** names from the outside in: sections, keys, calls, elements; `@name` for an attribute */
  readonly path: readonly string[];
  /** without quotes */
  readonly value: string;
  /** from 1 */
  readonly line: number;
  /** which of a list in brackets it is; absent or 0: the first, or it stands alone */
  readonly index?: number;
}

/** What bounds a file whose settings are read. */
export const DEEPEST = 40;
export const MOST_SETTINGS = 20_000;
const LONGEST = 400; // of a name or a value, in UTF-16 units

/** A name without quotes may say several: `tool.ruff`. */
export function segments(name: string): readonly string[] {
  return name.slice(0, LONGEST).split(".", DEEPEST);
}

export function bounded(text: string): string {
  return text.slice(0, LONGEST);
}

/** A value without the quotes around it, and without a comment behind it. */
export function unquoted(text: string): string {
  const quote = text.charAt(0);
  if (quote === '"' || quote === "'") {
    const end = text.indexOf(quote, 1);
    return bounded(end === -1 ? text.slice(1) : text.slice(1, end));
  }
  const comment = /(?:^|\s)#/u.exec(text);
  return bounded((comment === null ? text : text.slice(0, comment.index)).trim());
}
