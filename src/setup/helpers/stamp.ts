const STAMP = /\n<!-- written by smithers install-helpers, (?<digest>[0-9a-f]{16}) -->\n*$/u;

/** Whose a helper file is, and whether it is the one of this version. */
export type HelperState = "missing" | "up_to_date" | "older" | "changed";

/**
 * A text with a last line by which it is recognised as written by smithers and by nobody else since.
 *
 * @param digest hex SHA-256 of a text
 */
export function stamped(text: string, digest: (text: string) => string): string {
  return `${text}\n<!-- written by smithers install-helpers, ${digestOf(text, digest)} -->\n`;
}

/**
 * What became of a helper file (W-65): `older` is one that an earlier version wrote and nobody changed; `changed` one that
 * a person changed or wrote. Line ends do not count, for git may convert them.
 *
 * @param there the file's content; undefined when there is none
 * @param wanted as `stamped` gives it
 */
export function stateOf(there: string | undefined, wanted: string, digest: (text: string) => string): HelperState {
  if (there === undefined) return "missing";
  const text = there.replaceAll("\r\n", "\n");
  if (text.trimEnd() === wanted.trimEnd()) return "up_to_date";
  const stamp = STAMP.exec(text);
  const isOurs = stamp !== null && stamp.groups?.["digest"] === digestOf(text.slice(0, stamp.index), digest);
  return isOurs ? "older" : "changed";
}

function digestOf(text: string, digest: (text: string) => string): string {
  return digest(text).slice(0, 16);
}
