import { withoutAnsi } from "../text.ts";
import { blockLines } from "./status-block.ts";

/** A fence of backticks has none in its info string: three around a word are inline code. */
const FENCE = /^\s{0,3}(`{3,}(?=[^`]*$)|~{3,})/u;
const INLINE_CODE = /(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/gu;
const EMPTY_FENCE = /^[ \t]*(?:`{3,}|~{3,})\w*[ \t]*\n(?:[ \t]*\n)*[ \t]*(?:`{3,}|~{3,})[ \t]*$/gmu;

/** Unix line ends; without ANSI codes, zero-width characters and byte order marks (section 5.1). */
export function normalised(message: string): string {
  return withoutAnsi(message.replaceAll(/\r\n?/gu, "\n")).replaceAll(/[\u200B-\u200D\u2060\uFEFF]/gu, "");
}

/**
 * Drops what is quoted rather than said: fenced code, inline code and block quotes. An unclosed fence runs to the end
 * of the text, an unclosed backtick is just a backtick.
 */
export function withoutCodeAndQuotes(text: string): string {
  return saidLines(text)
    .filter((line) => line !== null)
    .join("\n");
}

/** The lines of a text without inline code; null stands for one of code or of a block quote. */
export function saidLines(text: string): readonly (string | null)[] {
  return saidWithCode(text).map((line) => line?.replaceAll(INLINE_CODE, "") ?? null);
}

/** The same with inline code, in which names of files stand. */
export function saidWithCode(text: string): readonly (string | null)[] {
  const kept: (string | null)[] = [];
  let fence: string | undefined;
  for (const line of text.split("\n")) {
    const mark = FENCE.exec(line)?.[1];
    const isSaid = fence === undefined && mark === undefined && !/^\s{0,3}>/u.test(line);
    if (fence === undefined) fence = mark;
    else if (mark?.startsWith(fence) === true && line.trim() === mark) fence = undefined;
    kept.push(isSaid ? line : null);
  }
  return kept;
}

/** Drops status blocks, which may follow the promise (P15). */
export function withoutStatusBlocks(text: string): string {
  const kept = text.split("\n");
  for (const { from, to } of blockLines(text).toReversed()) kept.splice(from, to - from);
  return kept.join("\n").replaceAll(EMPTY_FENCE, "");
}

export function lastLine(text: string): string {
  const trimmed = text.trimEnd();
  return trimmed.slice(trimmed.lastIndexOf("\n") + 1).trimStart();
}
