import { testBends } from "../../../src/core/judges/test-bends.ts";

/** An edit of a text: a piece and what stands there instead. */
export type Edit = readonly [piece: string | RegExp, instead: string];

/** A text after edits. @throws Error when a piece is not there */
function edited(text: string, edits: readonly Edit[]): string {
  let result = text;
  for (const [piece, instead] of edits) {
    const next = result.replace(piece, () => instead);
    if (next === result) throw new Error(`not there: ${String(piece)}`);
    result = next;
  }
  return result;
}

/** The bends of one edited file, as `kind line`. */
export function bendsOf(path: string, before: string, edits: readonly Edit[]): readonly string[] {
  const bends = testBends([{ path, before, after: edited(before, edits) }]);
  return bends.map(({ kind, line }) => `${kind} ${line}`);
}
