import type { TextChange } from "../../../src/core/judges/bend.ts";
import { ruleBends } from "../../../src/core/judges/rule-bends.ts";

/** What it is, path, before and after. */
export type HonestRow = readonly [string, string, string | null, string | null];
/** The same, and the kinds of bends that are found, with blanks between them. */
export type BentRow = readonly [...HonestRow, string];

/** The kinds of bends in the change of one file, with blanks between them. */
export function bent(path: string, before: string | null, after: string | null): string {
  return kinds([{ path, before, after }]);
}

export function kinds(changes: readonly TextChange[]): string {
  return ruleBends(changes)
    .map(({ kind }) => kind)
    .join(" ");
}
