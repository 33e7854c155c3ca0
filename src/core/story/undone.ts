import { z } from "zod";
import type { Stored } from "../schema.ts";
import { seenOnOneLine } from "../text.ts";

/** A document of the PRD that somebody has changed while a run went on, which put it back. */
export const undone = z.looseObject({
  /** seen from the workspace */
  file: z.string(),
  /** what it said then: a file of the loop's folder; null: it was gone, or no plain file that could be kept */
  kept: z.string().nullable(),
});
export type Undone = Stored<typeof undone>;

const PATH_LENGTH = 500;

/** Where what it said is now, as the end of a sentence. @param folder the loop's, for people */
export function keptText({ kept }: Undone, folder: string): string {
  if (kept === null) return "it was deleted, or no plain file that could be kept";
  return `what it said is kept in ${seenOnOneLine(`${folder}/${kept}`, PATH_LENGTH)}`;
}
