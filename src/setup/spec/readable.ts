import { type Problem, UsageError } from "../../core/errors.ts";

/** A longer spec is refused: every turn would carry its prose, and no loop works off such a plan. */
export const SPEC_BYTES = 262_144;
const SPEC_LINES = 5_000;
/** Quotes and bullets within each other. */
const DEPTH = 32;
const DEEP = new RegExp(String.raw`^[ \t]*(?:(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]))[ \t]*){${DEPTH + 1}}`, "u");

/** No item that a person wrote is indented further; parsing deep lists takes long. */
const INDENT = 96;
const FAR_IN = new RegExp(String.raw`^[ \t]{${INDENT + 1},}(?:[-+*]|\d{1,9}[.)])[ \t]`, "u");

/**
 * Prepares a spec's text for parsing: one kind of line end, and YAML front matter separate.
 *
 * @param shown what messages call the spec
 * @throws UsageError when it is empty, not text, or too large or deep for a plan
 */
export function readable(text: string, shown: string): { markdown: string; frontMatter: readonly string[] } {
  const source = text.replace(/^\uFEFF/u, "").replaceAll(/\r\n?/gu, "\n");
  if (source.trim() === "") throw refusal("SPEC_EMPTY", `${shown} is empty.`, "Write down what has to be done");
  if (source.includes("\0")) throw refusal("SPEC_NOT_TEXT", `${shown} is no text.`, "Save it as Markdown in UTF-8");
  const lines = source.split("\n");
  if (source.length > SPEC_BYTES || lines.length > SPEC_LINES) throw tooLarge(shown);
  const deep = lines.findIndex((line) => DEEP.test(line) || FAR_IN.test(line.replaceAll("\t", "    ")));
  if (deep !== -1) {
    const what = `Line ${deep + 1} of ${shown} has more than ${DEPTH} quotes or lists within each other.`;
    throw refusal("SPEC_TOO_DEEP", what, "Write that line flatter");
  }
  const end = /^[\w-]+[ \t]*:/u.test(lines[1] ?? "") && lines[0]?.trimEnd() === "---" ? endOfFrontMatter(lines) : 0;
  return { markdown: lines.slice(end).join("\n"), frontMatter: lines.slice(1, Math.max(1, end - 1)) };
}

/** What is said of a spec that is too large, whether it was read or only measured. */
export function tooLarge(shown: string): UsageError {
  const what = `${shown} is larger than ${SPEC_BYTES / 1024} KiB or ${SPEC_LINES} lines, more than one loop can work off.`;
  return refusal("SPEC_TOO_LARGE", what, "Divide it into specs of one milestone each");
}

/** A mistake in the spec, for which nothing is written. */
export function refusal(code: string, what: string, doing: string): UsageError {
  const problem: Problem = { code, what, next: `${doing}, then give the command again.` };
  return new UsageError([problem]);
}

/** Of the first line after it; 0 when it never ends. */
function endOfFrontMatter(lines: readonly string[]): number {
  return lines.findIndex((line, index) => index > 0 && /^(?:---|\.\.\.)[ \t]*$/u.test(line)) + 1;
}
