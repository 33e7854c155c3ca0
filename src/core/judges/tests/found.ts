import { seenOnOneLine } from "../../text.ts";
import type { Bend, BendKind } from "../bend.ts";

/** A place of a bend by the lines of the text before and after, from 1; null: there is none. */
export interface Place {
  readonly path: string;
  readonly was: number | null;
  readonly now: number | null;
}

/** The lines of a file before and after. */
export interface Lines {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

const LONGEST = 160;

/** A bend as it is told: with its line before and after, at most 160 UTF-16 units each. */
export function bendAt(kind: BendKind, { path, was, now }: Place, lines: Lines): Bend {
  return { kind, path, line: now ?? was, was: shown(lines.before, was), now: shown(lines.after, now) };
}

function shown(lines: readonly string[], line: number | null): string | null {
  const text = line === null ? undefined : lines[line - 1];
  return text === undefined ? null : seenOnOneLine(text.slice(0, LONGEST * 4), LONGEST);
}
