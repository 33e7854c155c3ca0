import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { OperationalError } from "../core/errors.ts";
import { isLoopId } from "../core/names.ts";
import { sha256 } from "../os/digest.ts";
import { hasCode, unlessMissing } from "../os/file-errors.ts";
import { isOutOfReach } from "../os/holder.ts";
import { makeOwnFolder } from "../os/own-file.ts";
import { acquireLock, type Lock, LOCK_FOLDER, lockHolder } from "./lock.ts";

/** A loop that is at work in a git work tree. */
export interface LoopAtWork {
  readonly loopId: string;
  /** whether it commits stories, and so has to have the work tree for itself */
  readonly isPrd: boolean;
  /** of its state file's path: two workspaces may have loops of one id */
  readonly digest: string;
}

export function loopAtWork(loopId: string, stateFile: string, isPrd: boolean): LoopAtWork {
  return { loopId, isPrd, digest: sha256(stateFile).slice(0, 8) };
}

/** In a git directory: a folder with a lock for each loop at work. Turns and checks cannot change it. */
export const LOOPS_AT_WORK = "smithers";

/**
 * Notes that a loop is at work in a work tree. Each says so first and looks at the others then, so that of two that
 * begin at once and may not share it never both go on. What a killed loop has left is for its own next run: to remove it
 * would stand in the way of one that begins.
 *
 * @param gitDir of that work tree alone, absolute: all workspaces in it share it, and other work trees do not
 * @returns what to remove when it has ended, or the loop with which it cannot share the work tree. Undefined: nothing can
 * be written there, so nothing can be committed either
 */
export async function enterWorkTree(
  gitDir: string,
  loop: LoopAtWork,
): Promise<{ readonly entered: Lock } | { readonly refusedBy: LoopAtWork } | undefined> {
  const folder = noteOf(gitDir, loop);
  const makeFolder = async (): Promise<void> => {
    await makeOwnFolder({ root: gitDir, path: folder });
    await removeOwnOutOfReach(folder);
  };
  const lock = await acquireLock(folder, makeFolder).catch((error: unknown) => {
    if (error instanceof OperationalError && error.code === "LOOP_BUSY") return "busy";
    if (hasCode(error, "EACCES", "EPERM", "EROFS")) return undefined;
    throw error;
  });
  if (lock === undefined) return undefined;
  if (lock === "busy") return { refusedBy: loop };
  const others = (await loopsAtWork(gitDir)).filter((one) => nameOf(one) !== nameOf(loop));
  const refusedBy = others.find(({ isPrd }) => isPrd || loop.isPrd);
  if (refusedBy === undefined) return { entered: lock };
  await lock.remove();
  return { refusedBy };
}

/**
 * Removes the loop's own note where its holder is out of reach, such as a job's container that is gone. Between two runs of
 * one loop the lock in its own folder decides, which is looked at before and taken afterwards.
 */
async function removeOwnOutOfReach(folder: string): Promise<void> {
  const holder = await lockHolder(folder);
  if (holder !== undefined && (await isOutOfReach(holder)))
    await rm(path.join(folder, LOCK_FOLDER), { recursive: true, force: true });
}

/** Whether a killed run has left its loop's note in a work tree, or a part of it. @param gitDir as above */
export async function isNoteLeft(gitDir: string, loop: LoopAtWork): Promise<boolean> {
  const folder = noteOf(gitDir, loop);
  const isThere = (await unlessMissing(readdir(folder))) !== undefined;
  return isThere && (await lockHolder(folder)) === undefined;
}

/** The folder of a loop's note, with its lock. @param gitDir as above */
export function noteOf(gitDir: string, loop: LoopAtWork): string {
  return path.join(gitDir, LOOPS_AT_WORK, nameOf(loop));
}

/** The ids of the other loops that are at work in a work tree now. @param gitDir as above */
export async function othersAtWork(gitDir: string, loop: LoopAtWork): Promise<readonly string[]> {
  const others = (await loopsAtWork(gitDir)).filter((one) => nameOf(one) !== nameOf(loop));
  return [...new Set(others.map(({ loopId }) => loopId))];
}

/** The loops that are at work in a work tree now. What killed ones have left is passed over. @param gitDir as above */
export async function loopsAtWork(gitDir: string): Promise<readonly LoopAtWork[]> {
  const folder = path.join(gitDir, LOOPS_AT_WORK);
  const found = [];
  for (const entry of (await unlessMissing(readdir(folder, { withFileTypes: true }))) ?? []) {
    const { name } = entry;
    const { kind, id = "", digest = "" } = NAME.exec(name)?.groups ?? {};
    if (!entry.isDirectory() || !isLoopId(id)) continue;
    const isAtWork = (await lockHolder(path.join(folder, name))) !== undefined;
    if (isAtWork) found.push({ loopId: id, isPrd: kind === "prd", digest });
  }
  return found;
}

const NAME = /^(?<kind>prd|loop)\.(?<id>.+)\.(?<digest>[0-9a-f]{8})$/u;

function nameOf({ loopId, isPrd, digest }: LoopAtWork): string {
  return `${isPrd ? "prd" : "loop"}.${loopId}.${digest}`;
}
