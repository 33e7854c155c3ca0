import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { type Comment, parseSync, type Program } from "oxc-parser";

/** A file of a source tree, read and parsed. */
export interface SourceFile {
  /** relative to the tree, with forward slashes */
  readonly file: string;
  readonly text: string;
  readonly program: Program;
  readonly comments: readonly Comment[];
}

/** @throws Error when it is not TypeScript */
export function parsed(file: string, text: string): SourceFile {
  const { program, comments, errors } = parseSync(file, text);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${file}: ${error.message}`);
  return { file, text, program, comments };
}

/** Every TypeScript file under a folder, sorted by name. */
export async function readTree(folder: string): Promise<readonly SourceFile[]> {
  const names = await readdir(folder, { recursive: true });
  const files = names.filter((name) => name.endsWith(".ts")).toSorted();
  return await Promise.all(
    files.map(async (name) => parsed(name.replaceAll(path.sep, "/"), await readFile(path.join(folder, name), "utf8"))),
  );
}

/** How many lines a text has; the end of the last line begins none. */
export function linesOf(text: string): number {
  return text === "" ? 0 : text.replace(/\n$/u, "").split("\n").length;
}

/** The line, from 1, on which a position of the text lies. */
export function lineAt(text: string, position: number): number {
  return text.slice(0, position).split("\n").length;
}

/** The text with each of `ranges` made blank; lines and positions stay. */
export function blanked(text: string, ranges: readonly { readonly start: number; readonly end: number }[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of ranges.toSorted((one, other) => one.start - other.start)) {
    parts.push(text.slice(at, start), text.slice(start, end).replaceAll(/[^\n]/gu, " "));
    at = end;
  }
  return [...parts, text.slice(at)].join("");
}
