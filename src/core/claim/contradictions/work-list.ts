import { z } from "zod";
import type { Stored } from "../../schema.ts";

/** A file in which the work is listed, as it is now. */
export interface WorkListFile {
  /** relative to the workspace, as its setting names it */
  readonly path: string;
  /** its beginning; "": there is no such file */
  readonly text: string;
}

/** What a plan or todo file had to be done as the loop began; follows what is ticked and reworded since. */
export const workList = z.looseObject({
  path: z.string(),
  items: z.array(
    z.looseObject({
      /** see `ChecklistItem` */
      id: z.string(),
      /** its beginning */
      text: z.string(),
      /** it has to be done, and has not been ticked since */
      open: z.boolean(),
    }),
  ),
});
export type WorkList = Stored<typeof workList>;
export type WorkListItem = WorkList["items"][number];
