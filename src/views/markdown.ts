import type { AlignType, Paragraph, PhrasingContent, RootContent } from "mdast";
import { gfmTableToMarkdown } from "mdast-util-gfm-table";
import { toMarkdown } from "mdast-util-to-markdown";
import { inert, shortened } from "./inert.ts";

/** A paragraph, a list, a table and the like. */
export type Block = RootContent;
/** A piece of text inside a block. */
export type Piece = PhrasingContent;

/** Text of anybody, on one line; shown as it is, and nothing more. */
export function text(value: string): Piece {
  return { type: "text", value: inert(value) };
}

/** A command, a path or the like, on one line. */
export function code(value: string): Piece {
  return { type: "inlineCode", value: shortened(value) };
}

export function strong(value: string): Piece {
  return { type: "strong", children: [text(value)] };
}

/** @param url our own: it is not looked at */
export function link(value: string, url: string): Piece {
  return { type: "link", url, children: [text(value)] };
}

export function heading(depth: 2 | 3, value: string): Block {
  return { type: "heading", depth, children: [text(value)] };
}

/** Pieces one after the other, a space between them. */
export function paragraph(...pieces: Piece[]): Paragraph {
  return {
    type: "paragraph",
    children: pieces.flatMap((piece, index) => (index === 0 ? [piece] : [{ type: "text", value: " " }, piece])),
  };
}

export function bullets(items: readonly (readonly Piece[])[]): Block {
  return {
    type: "list",
    spread: false,
    children: items.map((item) => ({
      type: "listItem",
      spread: false,
      children: [paragraph(...item)],
    })),
  };
}

/** A table; `align` has one entry for each column. */
export function table(align: AlignType[], rows: readonly (readonly Piece[])[]): Block {
  return {
    type: "table",
    align,
    children: rows.map((row) => ({
      type: "tableRow",
      children: row.map((cell) => ({ type: "tableCell", children: [cell] })),
    })),
  };
}

/** Lines as they are; the fence is longer than any inside. */
export function fence(language: "text" | "mermaid", value: string): Block {
  return { type: "code", lang: language, value };
}

/** An alert of GitHub's, one line below the other. */
export function alert(kind: "NOTE" | "IMPORTANT" | "WARNING" | "CAUTION", lines: readonly (readonly Piece[])[]): Block {
  const title = { type: "html" as const, value: `[!${kind}]` };
  return {
    type: "blockquote",
    children: [
      {
        type: "paragraph",
        children: [
          title,
          ...lines.flatMap((line) => [{ type: "text" as const, value: "\n" }, ...paragraph(...line).children]),
        ],
      },
    ],
  };
}

export function caution(items: readonly string[]): Block {
  return alert(
    "CAUTION",
    items.map((item) => [text(item)]),
  );
}

/** Blocks behind a title that unfolds them. */
export function folded(
  title: "Changed files" | "Last output of the failing check" | "The whole task" | "The agent's last words",
  inside: readonly Block[],
): Block[] {
  return [
    { type: "html", value: `<details>\n<summary>${title}</summary>` },
    ...inside,
    { type: "html", value: "</details>" },
  ];
}

/** The text of blocks; ends with a line end. */
export function markdown(blocks: readonly Block[]): string {
  return toMarkdown(
    { type: "root", children: [...blocks] },
    { bullet: "-", extensions: [gfmTableToMarkdown({ tablePipeAlign: false })] },
  );
}
