import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import type { Stored } from "../core/schema.ts";
import { writeFileDurably } from "../os/atomic-file.ts";

/** What a run of the loop starts from. */
export type StartingPoint = Pick<CarryNote, "base" | "branch">;

/** What post has to know of main's progress; in a file, so that it outlives a kill. */
const carryNote = z.object({
  /** the ref's commit as this job last left or found it; null: none, or it could not be read */
  follows: z.string().nullable(),
  /** whether this job could read or write the ref at all */
  seen: z.boolean(),
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

/** Undefined where no job has come so far, or where the file cannot be read. */
export async function readCarryNote(file: string): Promise<CarryNote | undefined> {
  try {
    return carryNote.parse(JSON.parse(await readFile(file, "utf8")));
  } catch {
    return undefined;
  }
}

/** What writes the note of a run that starts there. */
export type WriteCarryNote = (note: Omit<CarryNote, keyof StartingPoint>) => Promise<void>;

/** Each note replaces the one before, durably. @throws the file system's own error */
export function carryNoteWriter(file: string, from: StartingPoint): WriteCarryNote {
  const { base, branch } = from;
  return async (note) => {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFileDurably(file, JSON.stringify({ ...note, base, branch }));
  };
}
