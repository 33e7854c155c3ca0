import { rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { OperationalError } from "../../core/errors.ts";
import { hasCode, unlessMissing } from "../../os/file-errors.ts";
import { nameOfHolder, thisHolder } from "../../os/holder.ts";
import { makeOwnFolder } from "../../os/own-file.ts";
import { duration } from "../../views/amounts.ts";
import { printable } from "../diff.ts";
import type { Repository } from "../repository.ts";

/** In a work tree's git directory; turns and checks cannot change it. */
export const OWN_FOLDER = "smithers";
/** What a process is about to lock is in a file of this name and its own. */
export const NOTE_PREFIX = "git.";

const WAIT_MS = 3_000;
const PAUSE_MS = 50;

/**
 * The file by which git locks what it changes. References are shared by all work trees of a repository, and so is where
 * its history is cut off.
 *
 * @param locked `index`, `HEAD`, `shallow`, or the whole name of a reference, as in `refs/heads/main`
 */
export function lockFile({ gitDir, commonDir }: Pick<Repository, "gitDir" | "commonDir">, locked: string): string {
  const isShared = locked.startsWith("refs/") || locked === "shallow";
  return path.join(isShared ? commonDir : gitDir, `${locked}.lock`);
}

/**
 * Changes what git locks in the person's repository: once no other git command holds it, and with a note of what is
 * locked, by which the next run knows the locks of one that was killed (`sweepLocks`).
 *
 * @param names as `lockFile` takes them
 * @param done what cannot be done with the work while they are held
 * @throws OperationalError `GIT_BUSY` when they are held for longer than 3 s
 */
export async function locking<T>(
  repository: Repository,
  names: readonly string[],
  change: () => Promise<T>,
  done = "committed",
): Promise<T> {
  await waitForLocks(repository, names, done);
  const note = await noteOf(repository, names);
  try {
    return await change();
  } finally {
    if (note !== undefined) await rm(note, { force: true });
  }
}

/** Another git command of the person is at work, or was killed, for as long as there is a lock. */
export async function waitForLocks(
  repository: Repository,
  names: readonly string[],
  done = "committed",
): Promise<void> {
  const held = await heldLock(repository, names);
  if (held !== undefined) throw busy(held, done);
}

/** A lock that was held for as long as it was waited for. */
interface HeldLock {
  /** whose it may be, and how old it is, as part of a sentence */
  readonly because: string;
  /** the command that removes it */
  readonly remove: string;
}

/** Waits until nobody holds one of these locks. @param names as `lockFile` takes them @returns the one that is held on */
export async function heldLock(repository: Repository, names: readonly string[]): Promise<HeldLock | undefined> {
  for (const name of names) {
    const file = lockFile(repository, name);
    let found = await unlessMissing(stat(file));
    for (let waitedMs = 0; found !== undefined; waitedMs += PAUSE_MS) {
      if (waitedMs >= WAIT_MS) {
        const age = duration(Math.max(0, Date.now() - found.mtimeMs));
        const because = `another git command holds ${printable(name)}.lock, or was killed and has left it (it is ${age} old)`;
        return { because, remove: `rm -f -- '${printable(file).replaceAll("'", String.raw`'\''`)}'` };
      }
      await sleep(PAUSE_MS);
      found = await unlessMissing(stat(file));
    }
  }
  return undefined;
}

/** Where nothing can be written, nothing can be locked either. */
async function noteOf({ gitDir }: Repository, names: readonly string[]): Promise<string | undefined> {
  const folder = path.join(gitDir, OWN_FOLDER);
  const file = path.join(folder, `${NOTE_PREFIX}${nameOfHolder(await thisHolder())}`);
  try {
    await makeOwnFolder({ root: gitDir, path: folder });
    await writeFile(file, JSON.stringify(names), { flag: "wx" });
    return file;
  } catch (error) {
    if (hasCode(error, "EACCES", "EPERM", "EROFS")) return undefined;
    throw error;
  }
}

/** As part of a sentence. */
export function heldWords({ because, remove }: HeldLock): string {
  return `${because}; where there is no such command, ${remove} removes its lock`;
}

function busy({ because, remove }: HeldLock, done: string): OperationalError {
  return new OperationalError({
    code: "GIT_BUSY",
    what: `The loop's work cannot be ${done}: ${because}. The work is in your work tree, unharmed.`,
    next: `Wait for that command to end; where there is none, remove its lock: ${remove}. Then resume the loop.`,
  });
}
