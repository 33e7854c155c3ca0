import path from "node:path";
import { access, mkdir, mkdtemp, readdir, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { OperationalError } from "../core/errors.ts";
import { hasCode, unlessMissing } from "../os/file-errors.ts";
import { type Holder, mayBeAlive, nameOfHolder, parseHolder, thisHolder } from "../os/holder.ts";

/**
 * One writer for each loop, without native code (W-08, W-62).
 *
 * The lock is a folder that always holds one empty file, whose *name* is the lock's value: `free`, or the holder.
 * Renaming it from the value that was read to one's own name is a compare-and-swap: of all who saw a free lock or a
 * dead holder, one rename finds its source, and only that one wins. So a takeover can never remove the lock of somebody
 * who was faster.
 */
export interface Lock {
  /** whether its last holder died without letting go, as a killed run does */
  readonly isTakenOver: boolean;
  /**
   * Makes sure of the lock. Somebody may have deleted its file, as `git clean -fdx` does; then takes it again.
   *
   * @returns false when it had to be taken again, so that what was read under it may be out of date
   * @throws OperationalError `LOOP_BUSY` when somebody else has it now
   */
  keep(): Promise<boolean>;
  /** Lets go. The end of the process does so too. */
  release(): Promise<void>;
  /** Lets go and leaves nothing: the lock goes, then the folder if nothing else is in it. @returns whether that went */
  remove(): Promise<boolean>;
}

export const LOCK_FOLDER = "lock";
const FREE = "free";
const UNFINISHED_PREFIX = ".lock-";
const ATTEMPTS = 200;

/**
 * Takes the lock of the loop in this folder; makes the folder if it is missing.
 *
 * @param makeFolder makes the folder, or refuses to: before the lock is taken, and taken again
 * @throws OperationalError `LOOP_BUSY` while another process has it, `LOCK_BROKEN` when the lock is malformed
 */
export async function acquireLock(
  folder: string,
  makeFolder: () => Promise<unknown> = () => mkdir(folder, { recursive: true }),
): Promise<Lock> {
  const mine = nameOfHolder(await thisHolder());
  const register = path.join(folder, LOCK_FOLDER);
  await makeFolder();
  const isTakenOver = await take(folder, mine);
  return {
    isTakenOver,
    async keep() {
      if ((await unlessMissing(access(path.join(register, mine)).then(() => true))) === true) return true;
      await makeFolder();
      await take(folder, mine);
      return false;
    },
    async release() {
      await swap(register, mine, FREE);
    },
    async remove() {
      // Until it is gone, nobody else can begin.
      await rm(register, { recursive: true, force: true });
      return removeIfEmpty(folder);
    },
  };
}

/** @returns whether it was removed */
export async function removeIfEmpty(folder: string): Promise<boolean> {
  try {
    await rmdir(folder);
    return true;
  } catch (error) {
    if (hasCode(error, "ENOTEMPTY", "EEXIST", "ENOENT")) return false;
    throw error;
  }
}

/** @throws OperationalError `LOOP_BUSY` while another process has the lock of the loop in this folder */
export async function refuseBusy(folder: string): Promise<void> {
  const holder = await lockHolder(folder);
  if (holder !== undefined) throw busy(folder, holder);
}

/** Who works on the loop in this folder; undefined: nobody. */
export async function lockHolder(folder: string): Promise<Holder | undefined> {
  const holder = await holderIn(folder);
  return holder !== undefined && (await mayBeAlive(holder)) ? holder : undefined;
}

/** Whether the last run of the loop in this folder was killed, and none has begun since. */
export async function wasKilled(folder: string): Promise<boolean> {
  const holder = await holderIn(folder);
  return holder !== undefined && !(await mayBeAlive(holder));
}

async function holderIn(folder: string): Promise<Holder | undefined> {
  const register = path.join(folder, LOCK_FOLDER);
  const names = await readdir(register).catch((error: unknown) => {
    // Nobody holds what is no folder, as where something else has taken its place.
    if (hasCode(error, "ENOENT", "ENOTDIR")) return [];
    throw error;
  });
  return names.map(parseHolder).find((found) => found !== undefined);
}

/** @returns whether it was a dead holder's */
async function take(folder: string, mine: string): Promise<boolean> {
  const register = path.join(folder, LOCK_FOLDER);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const value = await valueOf(register);
    const holder = value === undefined ? undefined : parseHolder(value);
    if (holder !== undefined && (await mayBeAlive(holder))) throw busy(folder, holder);
    if (value === undefined) await makeRegister(folder);
    else if (await swap(register, value, mine)) {
      await removeUnfinished(folder);
      return holder !== undefined;
    }
  }
  throw new OperationalError({
    code: "LOCK_BROKEN",
    what: `The lock ${register} of this loop cannot be taken. The loop's state is unharmed.`,
    next: `Make sure that no other smithers runs this loop, then delete ${register}.`,
  });
}

/** The lock's value; undefined when it does not exist yet, or during a rename. */
async function valueOf(register: string): Promise<string | undefined> {
  try {
    const names = await readdir(register);
    return names.find((name) => name === FREE || parseHolder(name) !== undefined);
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return undefined;
    throw error;
  }
}

async function swap(register: string, from: string, to: string): Promise<boolean> {
  const moved = rename(path.join(register, from), path.join(register, to)).then(() => true);
  return (await unlessMissing(moved)) === true;
}

/** Makes a free lock in one step: a folder cannot replace another one that is not empty, so only the first counts. */
async function makeRegister(folder: string): Promise<void> {
  const unfinished = await mkdtemp(path.join(folder, UNFINISHED_PREFIX));
  try {
    await writeFile(path.join(unfinished, FREE), "");
    await rename(unfinished, path.join(folder, LOCK_FOLDER));
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    if (!hasCode(error, "ENOTEMPTY", "EEXIST", "ENOENT", "ENOTDIR")) throw error;
  }
}

/** What killed processes left. Somebody who is just making one of these finds it gone, and then this lock. */
async function removeUnfinished(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.startsWith(UNFINISHED_PREFIX)) await rm(path.join(folder, name), { recursive: true, force: true });
  }
}

function busy(folder: string, holder: Holder): OperationalError {
  const loop = path.basename(folder);
  return new OperationalError({
    code: "LOOP_BUSY",
    what: `Loop ${loop} is being run by process ${holder.pid} on ${holder.host}. It was not touched.`,
    next: `Watch it with "smithers status --loop-id ${loop}", end it with "smithers stop --loop-id ${loop}". Should that machine or container be gone, delete ${path.join(folder, LOCK_FOLDER)}.`,
  });
}
