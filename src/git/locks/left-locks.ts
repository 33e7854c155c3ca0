import { readdir, readFile, rm, stat } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { unlessMissing } from "../../os/file-errors.ts";
import { duration } from "../../views/amounts.ts";
import type { PrivateGit } from "../private-git.ts";
import type { Repository } from "../repository.ts";
import { forLeftNotes, isOfNote } from "./left-notes.ts";
import { sweepObjects, UNFINISHED } from "./left-objects.ts";
import { lockFile, NOTE_PREFIX } from "./locks.ts";

/** Names that `lockFile` takes: no path out of the git directory. */
const note = z.array(z.string().regex(/^(?:index|HEAD|shallow|refs\/(?:(?!\.\.\/).)+)$/su));

/**
 * Removes the locks that git commands of killed runs have left in this work tree: those that such a run was about to take
 * when it died, and that are as old. Those of a process that lives, or may live on another machine, stay.
 *
 * @returns a sentence for each
 */
export async function sweepLocks(repository: Repository): Promise<readonly string[]> {
  const told: string[] = [];
  await forLeftNotes(repository.gitDir, NOTE_PREFIX, async (noted, { pid }) => {
    for (const [lock, ageMs] of await removeNoted(repository, noted)) {
      told.push(
        `${lock}.lock in the git directory was left ${duration(ageMs)} ago by process ${pid}, a run of ours that was killed, and is removed`,
      );
    }
  });
  return told;
}

/** @returns what was removed, and how old it was in milliseconds */
async function removeNoted(repository: Repository, noted: string): Promise<readonly (readonly [string, number])[]> {
  const removed: [string, number][] = [];
  for (const lock of await namedIn(noted)) {
    const ageMs = await removeIfAsOld(lockFile(repository, lock), noted);
    if (ageMs !== undefined) removed.push([lock, ageMs]);
  }
  return removed;
}

async function namedIn(file: string): Promise<readonly string[]> {
  try {
    return note.parse(JSON.parse(await readFile(file, "utf8")));
  } catch {
    // The run died before it had written what it was going to do, and so before it did it.
    return [];
  }
}

/** @returns how old it was; undefined: there is none, or it is somebody else's */
async function removeIfAsOld(lock: string, noted: string): Promise<number | undefined> {
  const [made, since] = await Promise.all([unlessMissing(stat(lock)), unlessMissing(stat(noted))]);
  if (made === undefined || since === undefined) return undefined;
  if (!isOfNote(made.mtimeMs, since.mtimeMs)) return undefined;
  await rm(lock, { force: true });
  return Math.max(0, Date.now() - made.mtimeMs);
}

/**
 * Removes what git commands of killed runs have left, the first time that it is called: their locks and unfinished objects
 * in the person's repository, as `sweepLocks` and `sweepObjects` know them, and in our own git directory every lock and
 * every object that is not complete.
 * Only the loop's one run may call it.
 *
 * @param git prepared; nothing works in it at the moment
 * @param notice gets a sentence for each lock of the person's repository
 */
export function sweepsLeftFiles(git: PrivateGit, notice: (text: string) => void = () => undefined) {
  let isSwept = false;
  return async (): Promise<void> => {
    if (isSwept) return;
    isSwept = true;
    for (const told of await sweepLocks(git.repository)) notice(told);
    await sweepObjects(git.repository);
    await removeIn(git.folder, (name) => name.endsWith(".lock"));
    const objects = path.join(git.folder, "objects");
    for (const name of await readdir(objects)) {
      await removeIn(path.join(objects, name), (file) => UNFINISHED.test(file));
    }
  };
}

async function removeIn(folder: string, isLeft: (name: string) => boolean): Promise<void> {
  // Beside folders there may be files.
  const names = await readdir(folder).catch(() => []);
  await Promise.all(names.filter(isLeft).map((name) => rm(path.join(folder, name), { force: true })));
}
