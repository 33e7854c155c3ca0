import { readdir, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { hasCode, unlessMissing } from "../../os/file-errors.ts";
import { nameOfHolder, thisHolder } from "../../os/holder.ts";
import { inOwnFolderIfThere, makeOwnFolder, type OwnFolder } from "../../os/own-file.ts";
import type { Repository } from "../repository.ts";
import { forLeftNotes, isOfNote } from "./left-notes.ts";
import { OWN_FOLDER } from "./locks.ts";

/** A process that is about to write objects into the person's repository says so in a file of this name and its own. */
const NOTE_PREFIX = "objects.";

/** As git names an object, a pack or its index that is not whole yet; one that was killed, or has no space, leaves it. */
export const UNFINISHED = /^tmp_(?:obj|pack|idx|rev)_/u;
const FOLDER = /^(?:[0-9a-f]{2}|pack)$/u;

/** Who is still writing an object has written more of it after that, or is done. */
const STILL_MS = 1_000;

/**
 * Writes objects into the person's repository, with a note by which the next run knows what a killed one has left there.
 * The note of a failure stays as well: on a full disk git leaves what it has begun.
 */
export async function writingObjects<T>({ gitDir }: Repository, write: () => Promise<T>): Promise<T> {
  const folder = path.join(gitDir, OWN_FOLDER);
  const file = path.join(folder, `${NOTE_PREFIX}${nameOfHolder(await thisHolder())}`);
  let isNoted = true;
  try {
    await makeOwnFolder({ root: gitDir, path: folder });
    await writeFile(file, "", { flag: "wx" });
  } catch (error) {
    // Nothing can be written there, or an earlier failure is noted.
    if (!hasCode(error, "EACCES", "EPERM", "EROFS", "EEXIST")) throw error;
    isNoted = false;
  }
  const written = await write();
  if (isNoted) await rm(file, { force: true });
  return written;
}

/**
 * Removes the unfinished objects that killed runs have left in the person's repository: those that were made when such a
 * run wrote objects, and that nobody goes on writing.
 */
export async function sweepObjects({ gitDir, commonDir }: Repository): Promise<void> {
  await forLeftNotes(gitDir, NOTE_PREFIX, async (note) => {
    // What cannot be looked at stays; after two weeks git itself removes it.
    await removeMadeAt((await unlessMissing(stat(note)))?.mtimeMs ?? 0, commonDir).catch(() => undefined);
  });
}

async function removeMadeAt(since: number, commonDir: string): Promise<void> {
  const objects = { root: commonDir, path: path.join(commonDir, "objects") };
  const found = await timesOf(objects);
  const left = [...found].filter(([, at]) => isOfNote(at, since));
  if (left.length === 0) return;
  await sleep(STILL_MS);
  const now = await timesOf(objects);
  const isLeft = (name: string): boolean => left.some(([one, at]) => one === name && now.get(one) === at);
  await eachUnfinished(objects, async (name, file) => {
    if (isLeft(name)) await rm(file, { force: true });
  });
}

/** When each unfinished object was last written to. */
async function timesOf(objects: OwnFolder): Promise<ReadonlyMap<string, number>> {
  const times = new Map<string, number>();
  await eachUnfinished(objects, async (name, file) => {
    const found = await unlessMissing(stat(file));
    if (found !== undefined) times.set(name, found.mtimeMs);
  });
  return times;
}

async function eachUnfinished(
  { root, path: objects }: OwnFolder,
  use: (name: string, file: string) => Promise<unknown>,
): Promise<void> {
  const folders = await inOwnFolderIfThere({ root, path: objects }, (at) => readdir(at));
  for (const folder of (folders ?? []).filter((name) => FOLDER.test(name))) {
    await inOwnFolderIfThere({ root, path: path.join(objects, folder) }, async (at) => {
      for (const name of await readdir(at)) if (UNFINISHED.test(name)) await use(name, path.join(at, name));
    });
  }
}
