import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { unlessMissing } from "../../os/file-errors.ts";
import { type Holder, mayBeAlive, parseHolder } from "../../os/holder.ts";
import { OWN_FOLDER } from "./locks.ts";

/** One of our own git commands takes no longer than this; what is younger than its note by more is somebody else's. */
const LONGEST_MS = 60_000;
/** By how much the clock of the file system may lag behind. */
const SLACK_MS = 2_000;

/**
 * Lets `use` look at each note of what git was about to do for a run that was killed since, and removes it then. Those of
 * a process that lives, or that cannot be asked, stay.
 *
 * @param gitDir of the work tree alone
 * @param prefix of the notes' names
 */
export async function forLeftNotes(
  gitDir: string,
  prefix: string,
  use: (note: string, holder: Holder) => Promise<unknown>,
): Promise<void> {
  const folder = path.join(gitDir, OWN_FOLDER);
  for (const name of (await unlessMissing(readdir(folder))) ?? []) {
    const holder = name.startsWith(prefix) ? parseHolder(name.slice(prefix.length)) : undefined;
    if (holder === undefined || (await mayBeAlive(holder))) continue;
    const note = path.join(folder, name);
    await use(note, holder);
    await rm(note, { force: true });
  }
}

/** Whether a file of that time may come from the command that a note of the other announces. Both in milliseconds. */
export function isOfNote(fileMs: number, noteMs: number): boolean {
  return fileMs >= noteMs - SLACK_MS && fileMs <= noteMs + LONGEST_MS;
}
