import type { Prd, Story } from "../core/story/story.ts";
import { seenOnOneLine } from "../core/text.ts";
import type { PrdIssue } from "./issues.ts";

// Each stands on a line of its own around the section.
const START = "<!-- stories-start: written from prd.json; change the stories there -->";
const END = "<!-- stories-end -->";
const START_LINE = /^<!-- stories-start\b[^\n]*-->[ \t]*$/u;
const END_LINE = /^<!-- stories-end -->[ \t]*$/u;

type Stories = Pick<Prd, "stories">;

/**
 * The section of `prd.md` that people read the stories in, with its marks; ends with a line end. It says nothing of how
 * far they are, so that it changes only when they are edited.
 */
export function renderStories({ stories }: Stories): string {
  const parts = stories.map((story) => storyText(story));
  return [START, "## Stories", ...(parts.length === 0 ? ["There is none yet."] : parts), `${END}\n`].join("\n\n");
}

/** A document with that section in place of its own, or at its end; the lines of the rest end as they did. */
export function withStories(markdown: string, prd: Stories): string {
  const section = renderStories(prd);
  const found = sectionOf(markdown);
  const [before, after] = found.kind === "section" ? found.around : [`${unmarked(markdown).trimEnd()}\n`, ""];
  const head = before.trim() === "" ? "" : `${before.trimEnd()}\n\n`;
  const tail = after.trim() === "" ? "" : `\n${after.replace(/^\s*\n/u, "")}`;
  const whole = `${head}${section}${tail}`;
  return markdown.includes("\r\n") ? whole.replaceAll(/\r?\n/gu, "\r\n") : whole;
}

/**
 * Whether `prd.md` says the same of the stories as `prd.json`, which leads. Another section is an error; without a
 * section there is nothing that could differ.
 *
 * @param markdown undefined: there is none
 */
export function driftOf(markdown: string | undefined, prd: Prd): readonly PrdIssue[] {
  const write = `smithers prd edit ${prd.name} writes the section`;
  const warning = (reason: string, cure: string): readonly PrdIssue[] => [
    { severity: "warning", file: "prd.md", line: null, path: "", reason, cure },
  ];
  const drift = (line: number, reason: string): readonly PrdIssue[] => {
    const cure = `${write} again from prd.json, which leads; what only prd.md says has to go into prd.json first.`;
    return [{ severity: "error", file: "prd.md", line, path: "", reason, cure, code: "PRD_DRIFT" }];
  };
  if (markdown === undefined) return warning("there is no prd.md", `${write}, and the file.`);
  const found = sectionOf(markdown);
  if (found.kind === "none") return warning("it does not show the stories of prd.json", `${write}.`);
  if (found.kind === "damaged") {
    const reason = "the marks around the stories are damaged: each of the two has to stand once, on a line of its own";
    return drift(found.line, reason);
  }
  const wanted = renderStories(prd).trimEnd().split("\n");
  const lines = found.text.split(/\r?\n/u);
  const different = wanted.findIndex((line, index) => line.trimEnd() !== lines[index]?.trimEnd());
  const at = different === -1 && lines.length > wanted.length ? wanted.length : different;
  if (at === -1) return [];
  return drift(found.line + at, "from here on, it says something else of the stories than prd.json");
}

type Section =
  | { readonly kind: "none" }
  /** `line` is that of the first mark, from 1 */
  | { readonly kind: "damaged"; readonly line: number }
  /** `text` has both marks, and no line end behind the last one */
  | {
      readonly kind: "section";
      readonly line: number;
      readonly text: string;
      readonly around: readonly [string, string];
    };

function sectionOf(markdown: string): Section {
  const lines = markdown.split("\n");
  const starts = placesOf(lines, START_LINE);
  const ends = placesOf(lines, END_LINE);
  const [start, end] = [starts[0], ends[0]];
  if (start === undefined && end === undefined) return { kind: "none" };
  if (start === undefined || end === undefined || starts.length > 1 || ends.length > 1 || end < start) {
    return { kind: "damaged", line: Math.min(start ?? Infinity, end ?? Infinity) + 1 };
  }
  const around = [lines.slice(0, start).join("\n"), lines.slice(end + 1).join("\n")] as const;
  return { kind: "section", line: start + 1, text: lines.slice(start, end + 1).join("\n"), around };
}

function placesOf(lines: readonly string[], mark: RegExp): readonly number[] {
  return lines.flatMap((line, index) => (mark.test(line.replace(/\r$/u, "")) ? [index] : []));
}

/** What stands between damaged marks may be a person's words, and stays. */
function unmarked(markdown: string): string {
  const lines = markdown.split("\n");
  const marks = new Set([...placesOf(lines, START_LINE), ...placesOf(lines, END_LINE)]);
  return lines.filter((_, index) => !marks.has(index)).join("\n");
}

function storyText({ id, title, description, criteria }: Story): string {
  const paragraphs = description.split(/(?:\r\n?|\n)[ \t]*(?:\r\n?|\n)\s*/u).map((paragraph) =>
    paragraph
      .split(/[\r\n]+/u)
      .map((line) => plain(line))
      .filter((line) => line !== "")
      .join("\n"),
  );
  const list = criteria.map((criterion) => `- ${plain(criterion)}`).join("\n");
  return [`### ${plain(id)} ${plain(title)}`, ...paragraphs.filter((text) => text !== ""), list].join("\n\n");
}

/**
 * A line of anybody's text that Markdown shows as it is. By hand: the library that writes Markdown takes half a second for
 * a thousand stories.
 */
function plain(text: string): string {
  return seenOnOneLine(text, Number.MAX_SAFE_INTEGER)
    .replaceAll(/\p{Surrogate}/gu, "\uFFFD")
    .replaceAll(/[\\`*_[\]<>&|~$]/gu, String.raw`\$&`)
    .replace(/^(?:[#+=-]|\d+(?=[.)]))/u, (sign) => (/\d/u.test(sign) ? `${sign}\\` : `\\${sign}`));
}
