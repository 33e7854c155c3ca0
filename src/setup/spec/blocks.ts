import type { List, ListItem, RootContent } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmTaskListItemFromMarkdown } from "mdast-util-gfm-task-list-item";
import { gfmTaskListItem } from "micromark-extension-gfm-task-list-item";

/** An item of a list, as its author wrote it. */
export interface SpecItem {
  /** null: no checkbox */
  readonly ticked: boolean | null;
  /** without bullet and checkbox; what belongs to the item keeps its depth below the first line */
  readonly lines: readonly string[];
}

/** A piece of a spec; `lines` are the source's own. */
export type SpecBlock =
  | { readonly is: "heading"; readonly depth: number; readonly title: string; readonly lines: readonly string[] }
  | { readonly is: "list"; readonly items: readonly SpecItem[]; readonly lines: readonly string[] }
  | { readonly is: "paragraph" | "other"; readonly lines: readonly string[] };

/** Only reads blocks: what is within a line is kept as it is, and cannot make the parser slow. */
const INLINE = [
  ...["attention", "autolink", "characterEscape", "characterReference", "codeText", "hardBreakEscape", "htmlText"],
  ...["labelEnd", "labelStartImage", "labelStartLink"],
];
const OPTIONS = {
  extensions: [gfmTaskListItem(), { disable: { null: INLINE } }],
  mdastExtensions: [gfmTaskListItemFromMarkdown()],
};

/** The blocks of a Markdown text from top to bottom: every line is in one, except blank ones and rules between them. */
export function blocksOf(markdown: string): readonly SpecBlock[] {
  const lines = markdown.split("\n");
  return fromMarkdown(markdown, OPTIONS)
    .children.filter(({ type }) => type !== "thematicBreak")
    .map((node) => toBlock(node, lines));
}

function toBlock(node: RootContent, source: readonly string[]): SpecBlock {
  const lines = linesOf(node, source);
  if (node.type === "heading") {
    const texts = node.children.filter((child) => child.type === "text").map(({ value }) => value);
    return { is: "heading", depth: node.depth, title: texts.join("").replaceAll(/\s+/gu, " ").trim(), lines };
  }
  if (node.type === "list") return { is: "list", items: itemsOf(node, source), lines };
  return { is: node.type === "paragraph" ? "paragraph" : "other", lines };
}

/** Whatever was parsed has a position. */
function linesOf({ position }: RootContent | ListItem, source: readonly string[]): readonly string[] {
  return source.slice(Number(position?.start.line) - 1, Number(position?.end.line));
}

function itemsOf(list: List, source: readonly string[]): readonly SpecItem[] {
  return list.children.map((item) => ({ ticked: item.checked ?? null, lines: contentOf(item, source) }));
}

const MARKER = /^[ \t]*(?:[-+*]|\d{1,9}[.)])/u;
const BOX = /^\[[ \txX]\](?=\s|$)/u;

/** The text of an item; none when it is empty. One that begins with something other than text gets a line before that. */
function contentOf(item: ListItem, source: readonly string[]): readonly string[] {
  const [first = "", ...others] = linesOf(item, source);
  const rest = first.replace(MARKER, "");
  const marker = first.slice(0, first.length - rest.length);
  const gap = leadingSpace(rest);
  const width = columnsOf(marker + gap) - columnsOf(marker);
  const beginsWithCode = width > 4;
  const depth = columnsOf(marker) + (gap === rest || beginsWithCode ? 1 : width);
  const own = beginsWithCode ? rest.slice(1) : rest.trimStart();
  const lines = withoutBlanks([own, ...others.map((line) => outdented(line, depth))]);
  const [beginning] = item.children;
  if (beginning?.type !== "paragraph" && beginning?.type !== "heading")
    return lines.length === 0 ? [] : ["As follows:", ...lines];
  const [start = "", ...below] = lines;
  const text = withoutBlanks([start.trimStart().replace(BOX, ""), ...below]);
  return text.map((line, index) => (index === 0 ? line.trimStart() : line));
}

function withoutBlanks(lines: readonly string[]): readonly string[] {
  const from = lines.findIndex((line) => line.trim() !== "");
  return from === -1 ? [] : lines.slice(from, lines.findLastIndex((line) => line.trim() !== "") + 1);
}

/** A line without up to `columns` columns of white space in front. */
function outdented(line: string, columns: number): string {
  const space = leadingSpace(line);
  return " ".repeat(Math.max(0, columnsOf(space) - columns)) + line.slice(space.length);
}

function leadingSpace(line: string): string {
  return line.slice(0, line.search(/[^ \t]|$/u));
}

/** How many columns a text takes; a tab reaches to the next multiple of four. */
function columnsOf(text: string): number {
  return Array.from(text).reduce((column, character) => column + (character === "\t" ? 4 - (column % 4) : 1), 0);
}
