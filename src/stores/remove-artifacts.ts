import { lstat, readdir, rm, rmdir } from "node:fs/promises";
import path from "node:path";
import { CONTROL_FOLDER, EVENTS_FILE, PROGRESS_FILE, PROMPT_FILE, SUMMARY_FILE } from "../core/files.ts";
import { hasCode, unlessMissing } from "./file-errors.ts";
import { acquireLock, LOCK_FOLDER } from "./lock.ts";

/** What a clean-up did; whole paths. */
export interface RemovedArtifacts {
  readonly removed: readonly string[];
  /** what lies in the loop's folder and is not the loop's own */
  readonly left: readonly string[];
}

const OWN_NAMES: ReadonlySet<string> = new Set([
  EVENTS_FILE,
  PROGRESS_FILE,
  PROMPT_FILE,
  SUMMARY_FILE,
  CONTROL_FOLDER,
  "index",
  "index.lock",
]);
const OWN_PATTERN = /^(?:events_iter_\d+\.jsonl|last_message_iter_\d+\.txt|\.(?:prompt\.txt|summary\.json)\..*\.tmp)$/u;

/**
 * Deletes what smithers made in a loop's folder, and the folder when nothing else is in it (W-33, W-47). The state file
 * stays: it says that the loop was cancelled.
 *
 * Only names that smithers itself gives are deleted, directly in the folder. Symbolic links are never followed: one in
 * the folder is deleted as a link, and a folder that is itself a link is left alone.
 *
 * @throws OperationalError `LOOP_BUSY` while the loop runs; nothing is deleted then
 */
export async function removeArtifacts(folder: string): Promise<RemovedArtifacts> {
  const found = await unlessMissing(lstat(folder));
  if (found === undefined) return { removed: [], left: [] };
  if (!found.isDirectory()) return { removed: [], left: [folder] };

  await acquireLock(folder);
  try {
    return await removeOwn(folder);
  } finally {
    // the lock goes last: until then nobody else can begin
    await rm(path.join(folder, LOCK_FOLDER), { recursive: true, force: true });
    await removeIfEmpty(folder);
  }
}

async function removeOwn(folder: string): Promise<RemovedArtifacts> {
  const removed: string[] = [];
  const left: string[] = [];
  for (const name of (await readdir(folder)).toSorted()) {
    if (name === LOCK_FOLDER) continue;
    const target = path.join(folder, name);
    const isOwn = OWN_NAMES.has(name) || OWN_PATTERN.test(name);
    // `rm` looks at links themselves, never at what they point to
    if (isOwn) await rm(target, { recursive: true, force: true });
    (isOwn ? removed : left).push(target);
  }
  return { removed, left };
}

async function removeIfEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (error) {
    if (!hasCode(error, "ENOTEMPTY", "EEXIST", "ENOENT")) throw error;
  }
}
