import { readdir } from "node:fs/promises";
import path from "node:path";
import { OperationalError } from "../core/errors.ts";
import { isLoopId } from "../core/names.ts";
import { sha256 } from "../os/digest.ts";
import { hasCode, unlessMissing } from "../os/file-errors.ts";
import { makeOwnFolder } from "../os/own-file.ts";
import { acquireLock, type Lock, lockHolder } from "./lock.ts";

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
 * begin at once never both go on.
 *
 * @param gitDir of that work tree alone, absolute: all workspaces in it share it, and other work trees do not
 * @returns what to remove when it has ended, or the loop with which it cannot share the work tree. Undefined: nothing can
 * be written there, so nothing can be committed either
 */
export async function enterWorkTree(
  gitDir: string,
  loop: LoopAtWork,
): Promise<{ readonly entered: Lock } | { readonly refusedBy: LoopAtWork } | undefined> {
  const folder = path.join(gitDir, LOOPS_AT_WORK, nameOf(loop));
  const makeFolder = () => makeOwnFolder({ root: gitDir, path: folder });
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

/** The loops that are at work in a work tree now. What killed ones have left is passed over. @param gitDir as above */
export async function loopsAtWork(gitDir: string): Promise<readonly LoopAtWork[]> {
  const folder = path.join(gitDir, LOOPS_AT_WORK);
  const found: LoopAtWork[] = [];
  for (const entry of (await unlessMissing(readdir(folder, { withFileTypes: true }))) ?? []) {
    const { name } = entry;
    const { kind, id = "", digest = "" } = NAME.exec(name)?.groups ?? {};
    const isOne = entry.isDirectory() && isLoopId(id) && (await lockHolder(path.join(folder, name))) !== undefined;
    if (isOne) found.push({ loopId: id, isPrd: kind === "prd", digest });
  }
  return found;
}

const NAME = /^(?<kind>prd|loop)\.(?<id>.+)\.(?<digest>[0-9a-f]{8})$/u;

function nameOf({ loopId, isPrd, digest }: LoopAtWork): string {
  return `${isPrd ? "prd" : "loop"}.${loopId}.${digest}`;
}
