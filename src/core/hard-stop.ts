import { z } from "zod";
import { count, type Stored, type Digest } from "./schema.ts";
import { occurrenceIds } from "./text.ts";

/** A line of the todo file that holds the HARD STOP token (W-43, C10). */
export const hardStopHit = z.looseObject({
  /** digest of the line's text, without its checkbox, and its occurrence number: what an acknowledgement names */
  id: z.string(),
  /** 1-based, as it was when the hit was last seen */
  line: count,
  /** the line without its indentation, at most 120 characters */
  text: z.string(),
  /** no unchecked item is above it */
  reached: z.boolean(),
  /** the line was there earlier in this loop and is gone without anybody's acknowledgement */
  vanished: z.literal(true).exactOptional(),
});
export type HardStopHit = Stored<typeof hardStopHit>;

const UNCHECKED = /^\s*(?:[-*+]|\d+[.)])\s+\[ \]/u;
const CHECKBOX = /^(?:[-*+]|\d+[.)])\s+\[[ xX]\]\s*/u;
const TEXT_LIMIT = 120;

/**
 * Finds the HARD STOP lines of a todo file. A checkpoint that is itself a checkbox item does not count as work before
 * the next checkpoint, and ticking it does not make a new one.
 */
export function scanHardStops(text: string, token: string, digest: Digest): readonly HardStopHit[] {
  const hits: HardStopHit[] = [];
  const idOf = occurrenceIds(digest);
  let reached = true;
  for (const [index, raw] of text.split(/\r\n|\r|\n/u).entries()) {
    if (raw.includes(token)) {
      const line = raw.trim();
      hits.push({ id: idOf(line.replace(CHECKBOX, "")), line: index + 1, text: line.slice(0, TEXT_LIMIT), reached });
    } else if (UNCHECKED.test(raw)) {
      reached = false;
    }
  }
  return hits;
}
