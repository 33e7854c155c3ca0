import { chmodSync, lstatSync, readdirSync, rmSync } from "node:fs";
import { mkdir, mkdtemp, readdir, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { bootOf, isProcessAlive, namespace, thisHolder } from "./holder.ts";

/**
 * Folders for what is needed for a moment only. Each is marked with the process that made it: its number, the namespace
 * in which it is that process's, and its start, which names the boot on Linux. By that the next run knows those of a run
 * that was killed.
 */

const PREFIX = "smithers-";
const NAME = /^smithers-(?<space>\d+)-(?<pid>\d+)-(?<started>[\w-]+)-\w{6}$/u;

/** As long as systems leave `/tmp` alone. A process that cannot be asked is over by then. */
const LONGEST_MS = 10 * 24 * 3_600_000;

const made = new Set<string>();

/**
 * Makes one, which is gone with this process at the latest, and removes first what killed processes have left beside it.
 *
 * @param parent made when it is missing; without it the system's folder for temporary files
 * @returns its path, absolute
 */
export async function makeTempFolder(parent: string = tmpdir()): Promise<string> {
  await mkdir(parent, { recursive: true });
  await sweepTempFolders([parent]);
  const { space, pid, started } = await thisHolder();
  const folder = await mkdtemp(path.join(parent, `${PREFIX}${space}-${pid}-${started}-`));
  if (!process.listeners("exit").includes(removeMade)) process.once("exit", removeMade);
  made.add(folder);
  return folder;
}

/** Lets `work` use one that is gone afterwards. @param parent as above */
export async function inTempFolder<T>(work: (folder: string) => Promise<T>, parent?: string): Promise<T> {
  const folder = await makeTempFolder(parent);
  try {
    return await work(folder);
  } finally {
    removeTree(folder);
    made.delete(folder);
  }
}

/** Where such folders are made: the system's folder for temporary files, and the one that is on a disk. */
export async function tempParents(): Promise<readonly string[]> {
  return [...new Set([tmpdir(), await diskFolder()])];
}

/** The system's folder for temporary files may be memory; what commands write may be large. */
export async function diskFolder(): Promise<string> {
  const folder = "/var/tmp";
  return (await stat(folder).catch(() => undefined))?.isDirectory() === true ? folder : tmpdir();
}

/**
 * Removes what processes of this user have left that were killed. What is a living one's stays, and so does what belongs
 * to one that cannot be asked, in another container or before a restart, until it is ten days old. Never throws.
 *
 * @param now milliseconds since the epoch
 * @returns what resists, as whole paths
 */
export async function sweepTempFolders(parents: readonly string[], now = Date.now()): Promise<readonly string[]> {
  const left: string[] = [];
  for (const parent of parents) {
    for (const name of await readdir(parent).catch(() => [])) {
      const folder = path.join(parent, name);
      if (!(await isForsaken(folder, now))) continue;
      removeTree(folder);
      if (lstatSync(folder, { throwIfNoEntry: false }) !== undefined) left.push(folder);
    }
  }
  return left;
}

async function isForsaken(folder: string, now: number): Promise<boolean> {
  const { space, pid, started } = NAME.exec(path.basename(folder))?.groups ?? {};
  if (space === undefined || pid === undefined || started === undefined) return false;
  // Another run may be removing it at this moment; and a link is nobody's folder.
  const info = lstatSync(folder, { throwIfNoEntry: false });
  if (info?.isDirectory() !== true || info.uid !== process.getuid?.()) return false;
  const canBeAsked = space === namespace() && bootOf(started) === bootOf((await thisHolder()).started);
  if (canBeAsked) return !(await isProcessAlive({ pid: Number(pid), started }));
  return now - Math.max(info.mtimeMs, info.ctimeMs) > LONGEST_MS;
}

/** Removes a folder of ours with all that is in it. What resists stays. */
export function removeTree(folder: string): void {
  const options = { recursive: true, force: true };
  try {
    rmSync(folder, options);
  } catch {
    try {
      // overlayfs leaves a folder that its owner may not read, and a command may forbid more.
      allow(folder);
      rmSync(folder, options);
    } catch {
      // Somebody else's.
    }
  }
}

function allow(folder: string): void {
  chmodSync(folder, 0o700);
  for (const name of readdirSync(folder)) {
    const inside = path.join(folder, name);
    if (lstatSync(inside).isDirectory()) allow(inside);
  }
}

function removeMade(): void {
  made.forEach(removeTree);
}
