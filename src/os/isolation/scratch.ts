import { chmodSync, lstatSync, mkdtempSync, readdirSync, readlinkSync, renameSync, rmSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { isRunning } from "../process-tree.ts";

/** Folders for what isolated commands write. Each ends with the process that made it. */

const PREFIX = "smithers-isolation-";
const scratches = new Set<string>();

/** @param parent an existing folder on a disk; without it a folder for temporary files */
export async function makeScratch(parent: string | undefined): Promise<string> {
  const within = parent ?? (await diskFolder());
  await removeForsaken(within);
  const scratch = await mkdtemp(path.join(within, `${PREFIX}${owner(process.pid)}-`));
  if (scratches.size === 0) process.once("exit", () => scratches.forEach(remove));
  scratches.add(scratch);
  return scratch;
}

/** A folder with exactly this mode. @returns its path */
export async function own(parent: string, name: string, mode: number): Promise<string> {
  const folder = path.join(parent, name);
  await mkdir(folder, { recursive: true });
  await chmod(folder, mode);
  return folder;
}

/** Removes a folder of ours with all that is in it. What resists stays, in a folder for temporary files. */
export function remove(folder: string): void {
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

/**
 * Takes a file or folder out of a folder that commands could write and no longer do; the way to it is followed through
 * folders alone, and what else stands there goes in its place.
 *
 * @param name relative, below the folder
 * @throws when it resists
 */
export function takeOut(folder: string, name: string): void {
  let file = folder;
  for (const part of name.split("/")) {
    file = path.join(file, part);
    const info = lstatSync(file, { throwIfNoEntry: false });
    if (info === undefined) return;
    // A folder that its owner may not write cannot be moved.
    if (info.isDirectory()) chmodSync(file, 0o700);
    else break;
  }
  // Moved as a whole, it is gone however long the paths in it are.
  const gone = mkdtempSync(path.join(path.dirname(folder), "gone-"));
  renameSync(file, path.join(gone, "it"));
  remove(gone);
}

function allow(folder: string): void {
  chmodSync(folder, 0o700);
  for (const name of readdirSync(folder)) {
    const inside = path.join(folder, name);
    if (lstatSync(inside).isDirectory()) allow(inside);
  }
}

/** Removes what processes of this user that were killed have left on this machine, among folders for temporary files. */
export async function removeLeftScratch(): Promise<void> {
  await removeForsaken(await diskFolder());
}

/** What a process left that was killed. */
async function removeForsaken(parent: string): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  for (const name of names.filter((one) => one.startsWith(PREFIX))) {
    const pid = Number(name.slice(PREFIX.length).split("-")[1]);
    const folder = path.join(parent, name);
    if (!name.startsWith(`${PREFIX}${owner(pid)}-`) || pid <= 0 || isRunning(pid)) continue;
    // Another run may be removing it at this moment.
    if (lstatSync(folder, { throwIfNoEntry: false })?.uid === process.getuid?.()) remove(folder);
  }
}

/** A process by its number and the namespace that it counts in: other containers may share the folder. */
function owner(pid: number): string {
  return `${/\d+/u.exec(readlinkSync("/proc/self/ns/pid"))?.[0] ?? "0"}-${pid}`;
}

/** The system's folder for temporary files may be memory; what commands write may be large. */
async function diskFolder(): Promise<string> {
  const folder = "/var/tmp";
  return (await stat(folder).catch(() => undefined))?.isDirectory() === true ? folder : tmpdir();
}
