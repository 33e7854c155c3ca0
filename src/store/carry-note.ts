import { z } from "zod";
import type { Stored } from "../core/schema.ts";

/** What a run of the loop starts from. */
export type StartingPoint = Pick<CarryNote, "base" | "branch">;

/** What post has to know of main's progress; handed over at each step, so that it outlives a kill. */
export const carryNote = z.object({
  /** the ref's commit as this job last left or found it; null: none, or it could not be read */
  follows: z.string().nullable(),
  /** whether this job could read or write the ref at all */
  seen: z.boolean(),
  /** the moment of the loop that this job went on from; null: it began the loop */
  since: z.object({ generation: z.number(), revision: z.number() }).nullable(),
  /** nonces of the records that were sent since: the ref may hold one of them, whether or not it was answered */
  sent: z.array(z.string()),
  /** the commit that was checked out when the loop began to work here; null: none */
  base: z.string().nullable(),
  /** the branch that the work goes to, where it was on GitHub and what was checked out then; null: none */
  branch: z.object({ name: z.string(), tip: z.string().nullable(), head: z.string().nullable() }).nullable(),
  /** the revision that every carrier was offered; null: none yet */
  carried: z.number().nullable(),
});
export type CarryNote = Stored<typeof carryNote>;

/** What writes the note of a run that starts there. Each note replaces the one before. */
export type WriteCarryNote = (note: Omit<CarryNote, keyof StartingPoint | "since">) => Promise<void>;
