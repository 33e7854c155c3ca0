import { markdown, paragraph, text, type Block } from "./markdown.ts";

/** What stands under one another; the first is the most important one. */
export type Parts = readonly (readonly [name: string, blocks: readonly Block[]])[];

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
  for (const [name, blocks] of parts) {
    if (blocks.length === 0) continue;
    const part = markdown(blocks);
    const bytes = new TextEncoder().encode(part).length + 1;
    if (bytes > left) cut.push(name);
    else kept.push(part);
    left -= bytes > left ? 0 : bytes;
  }
  if (cut.length > 0) kept.push(markdown([paragraph(text(`Left out for lack of room: ${cut.join(", ")}.`))]));
  return kept.join("\n");
}

/** The parts below a marker that nobody sees, in the size of a comment. */
export function marked(marker: string, parts: Parts): string {
  return `${marker}\n\n${assembled(parts, COMMENT_BYTES - new TextEncoder().encode(marker).length)}`;
}
