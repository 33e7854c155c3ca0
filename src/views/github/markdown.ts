import type { AlignType, Paragraph, PhrasingContent, RootContent } from "mdast";
import { gfmTableToMarkdown } from "mdast-util-gfm-table";
import { toMarkdown } from "mdast-util-to-markdown";
import { grouped } from "../amounts.ts";
import { cut, oneLine } from "../plain-text.ts";

/** Text of others is cut here where one line of it is shown (UTF-16 units). */
const TEXT_LIMIT = 1_000;

/** An invisible character between two others. */
const BREAK = "\u200B";

/**
 * How GitHub reads text besides Markdown: `@name` mentions people, `#1`, `GH-1` and addresses refer to issues, which a
 * word like `fixes` before them closes, and a bare address becomes a link.
 */
const MAGIC = /@(?=[\w-])|#(?=\d)|\bGH-(?=\d)|:(?=\/\/)|\bwww(?=\.)/giu;

/**
 * Somebody else's text on one line, in which nothing mentions, closes or links. Does not escape Markdown and HTML: it
 * has to become a text node.
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

/** A paragraph, a list, a table and the like. */
export type Block = RootContent;
/** A piece of text inside a block. */
export type Piece = PhrasingContent;

/** Text of anybody, on one line; shown as it is, and nothing more. */
function text(value: string): Piece {
  return { type: "text", value: inert(value) };
}

/** A command, a path or the like, on one line. */
export function code(value: string): Piece {
  return { type: "inlineCode", value: shortened(value) };
}

/** @param url our own: it is not looked at */
export function link(value: string, url: string): Piece {
  return { type: "link", url, children: [text(value)] };
}

export function heading(depth: 2 | 3, value: string): Block {
  return { type: "heading", depth, children: [text(value)] };
}

/** Text of anybody, on one line, shown as it is and nothing more; a number; or pieces. */
export type Hole = string | number | Piece | readonly Piece[];

/**
 * A line of Markdown as it reads: `**Next:** ${advice}`. Two asterisks in the template begin and end what is bold;
 * whatever fills a hole is only text, whoever wrote it, unless it is made of pieces.
 */
export function inline(words: TemplateStringsArray, ...holes: readonly Hole[]): Piece[] {
  const line: Piece[] = [];
  let bold: Piece[] | undefined;
  for (const [index, part] of words.entries()) {
    for (const [at, value] of part.split("**").entries()) {
      if (at > 0) bold = bold === undefined ? boldIn(line) : undefined;
      if (value !== "") (bold ?? line).push({ type: "text", value });
    }
    (bold ?? line).push(...piecesOf(holes[index]));
  }
  return line;
}

function boldIn(line: Piece[]): Piece[] {
  const children: Piece[] = [];
  line.push({ type: "strong", children });
  return children;
}

function piecesOf(hole: Hole = []): readonly Piece[] {
  if (typeof hole !== "object") return [text(String(hole))];
  return "type" in hole ? [hole] : hole;
}

/** A paragraph of one line, written as with `inline`. */
export function paragraph(words: TemplateStringsArray, ...holes: readonly Hole[]): Paragraph {
  return { type: "paragraph", children: inline(words, ...holes) };
}

/** One item for each line. */
export function bullets(lines: readonly Hole[]): Block {
  return {
    type: "list",
    spread: false,
    children: lines.map((line) => ({ type: "listItem", spread: false, children: [paragraph`${line}`] })),
  };
}

/** A table; `align` and `heads` have one entry for each column. */
export function table(align: AlignType[], heads: readonly string[], rows: readonly (readonly Hole[])[]): Block {
  return {
    type: "table",
    align,
    children: [heads.map((head) => inline`**${head}**`), ...rows].map((row) => ({
      type: "tableRow",
      children: row.map((cell) => ({ type: "tableCell", children: [...piecesOf(cell)] })),
    })),
  };
}

/** Lines as they are; the fence is longer than any inside. */
export function fence(language: "text" | "mermaid", value: string): Block {
  return { type: "code", lang: language, value };
}

/**
 * The beginning of somebody else's text, as it is. A pull request's text may become a commit message, in which a fence
 * means nothing: so it mentions nobody and closes nothing.
 */
export function verbatim(value: string, length: number): Block {
  return fence("text", quieted(cut(value, length)));
}

/** An alert of GitHub's, one line below the other. */
export function alert(kind: "NOTE" | "IMPORTANT" | "WARNING" | "CAUTION", lines: readonly Hole[]): Block {
  const title: Piece = { type: "html", value: `[!${kind}]` };
  const below = lines.flatMap((line): Piece[] => [{ type: "text", value: "\n" }, ...piecesOf(line)]);
  return { type: "blockquote", children: [{ type: "paragraph", children: [title, ...below] }] };
}

/** Blocks behind a title that unfolds them. */
export function folded(
  title:
    | "Changed files"
    | "Commits since the workflow was green last"
    | "Last output of the failing check"
    | "The green output"
    | "The other red output"
    | "The red output"
    | "The whole task"
    | "The agent's last words"
    | "What the job printed",
  inside: readonly Block[],
): Block[] {
  const begin: Block = { type: "html", value: `<details>\n<summary>${title}</summary>` };
  return [begin, ...inside, { type: "html", value: "</details>" }];
}

/** The text of blocks; ends with a line end. */
export function markdown(blocks: readonly Block[]): string {
  const extensions = [gfmTableToMarkdown({ tablePipeAlign: false })];
  return toMarkdown({ type: "root", children: [...blocks] }, { bullet: "-", extensions });
}

/**
 * At most `most` items, one below the other, and how many are not shown.
 *
 * @param elsewhere where those are
 */
export function listed(items: readonly Hole[], most: number, elsewhere: string): Block {
  const rest = items.length - most;
  const more = rest > 0 ? [`${grouped(rest)} more: ${elsewhere}.`] : [];
  return bullets([...items.slice(0, most), ...more]);
}

/** Blocks below one another; the first is the most important one. A part that can be cut gets the UTF-8 bytes that are left. */
type Parts = readonly (readonly [name: string, blocks: readonly Block[] | ((room: number) => readonly Block[])])[];

/**
 * The items for which there is room, in their order.
 *
 * @param room UTF-8 bytes
 * @param rankOf the lowest is kept longest; of equals, the first
 * @param blockOf the list or table of some of them
 */
export function fitting<Item>(
  items: readonly Item[],
  room: number,
  rankOf: (item: Item) => number,
  blockOf: (some: readonly Item[]) => Block,
): readonly Item[] {
  const empty = bytesOf(markdown([blockOf([])]));
  let left = room - empty;
  const kept = new Set<Item>();
  for (const item of items.toSorted((a, b) => rankOf(a) - rankOf(b))) {
    left -= bytesOf(markdown([blockOf([item])])) - empty;
    if (left < 0) break;
    kept.add(item);
  }
  return items.filter((item) => kept.has(item));
}

function bytesOf(value: string): number {
  return new TextEncoder().encode(value).length;
}

/** Kept free for the line that says what was left out. */
const NOTE_BYTES = 500;

/** GitHub takes 65,536 characters in a comment, a review and the text of a pull request; bytes are never fewer. */
export const COMMENT_BYTES = 60_000;

/**
 * The parts as one Markdown text.
 *
 * @param limit UTF-8 bytes; a part that does not fit is left out, and a line at the end says so
 */
export function assembled(parts: Parts, limit: number): string {
  const kept: string[] = [];
  const cut: string[] = [];
  let left = limit - NOTE_BYTES;
  for (const [name, made] of parts) {
    const blocks = typeof made === "function" ? made(left) : made;
    if (blocks.length === 0) continue;
    const part = markdown(blocks);
    const bytes = bytesOf(part) + 1;
    if (bytes > left) cut.push(name);
    else kept.push(part);
    left -= bytes > left ? 0 : bytes;
  }
  if (cut.length > 0) kept.push(markdown([paragraph`Left out for lack of room: ${cut.join(", ")}.`]));
  return kept.join("\n");
}

/** The parts below an invisible marker, in the size of a comment. */
export function marked(marker: string, parts: Parts): string {
  return `${marker}\n\n${assembled(parts, COMMENT_BYTES - bytesOf(marker))}`;
}
