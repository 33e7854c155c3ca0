import { lstat, readdir, readFile, rm, rmdir } from "node:fs/promises";
import path from "node:path";
import { CONTROL_FOLDER, EVENTS_FILE, PROGRESS_FILE, PROMPT_FILE, SUMMARY_FILE, TESTS_FILE } from "../core/files.ts";
import type { ControlRequest } from "../core/ports.ts";
import { GIT_FOLDER } from "./archive.ts";
import { hasCode, unlessMissing } from "../os/file-errors.ts";
import { acquireLock, LOCK_FOLDER } from "./lock.ts";

/** What a clean-up did; whole paths. */
export interface RemovedArtifacts {
  readonly removed: readonly string[];
  /** what lies in the loop's folder and is not the loop's own */
  readonly left: readonly string[];
}

const OWN_FILES: ReadonlySet<string> = new Set([EVENTS_FILE, PROGRESS_FILE, PROMPT_FILE, SUMMARY_FILE, TESTS_FILE]);
const OWN_PATTERN =
  /^(?:events_iter_\d+\.jsonl|last_message_iter_\d+\.txt|\.(?:prompt\.txt|summary\.json|tests\.json)\..*\.tmp)$/u;
const REQUESTS = ["cancel", "stop", "pause"] as const satisfies readonly ControlRequest["kind"][];

/** What the `HEAD` of our git directory says; no repository that a person works in has it. */
const OWN_HEAD = "ref: refs/heads/none\n";

/**
 * Deletes what smithers made in a loop's folder, and the folder when nothing else is in it (W-33, W-47). The state file
 * stays: it says that the loop was cancelled.
 *
 * The folder may be one that a person uses as well, so only what bears a name or a mark of ours is deleted. Symbolic
 * links are never followed: one that bears a file's name is deleted as a link, every other one is left, and nothing is
 * touched where the folder itself is a link.
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
    ((await removeIfOwn(target, name)) ? removed : left).push(target);
  }
  return { removed, left };
}

async function removeIfOwn(target: string, name: string): Promise<boolean> {
  const found = await lstat(target);
  if (!found.isDirectory()) return (OWN_FILES.has(name) || OWN_PATTERN.test(name)) && (await removed(target));
  if (name === CONTROL_FOLDER) return await removeRequests(target);
  return name === GIT_FOLDER && (await isOwnGit(target)) && (await removed(target));
}

/** Looks at links themselves, never at what they point to. */
async function removed(target: string): Promise<true> {
  await rm(target, { recursive: true, force: true });
  return true;
}

async function removeRequests(control: string): Promise<boolean> {
  for (const kind of REQUESTS) {
    const file = path.join(control, kind);
    const found = await unlessMissing(lstat(file));
    if (found !== undefined && !found.isDirectory()) await rm(file, { force: true });
  }
  return await removeIfEmpty(control);
}

async function isOwnGit(folder: string): Promise<boolean> {
  const head = path.join(folder, "HEAD");
  const found = await unlessMissing(lstat(head));
  return found?.isFile() === true && (await readFile(head, "utf8")) === OWN_HEAD;
}

async function removeIfEmpty(folder: string): Promise<boolean> {
  try {
    await rmdir(folder);
    return true;
  } catch (error) {
    if (hasCode(error, "ENOTEMPTY", "EEXIST", "ENOENT")) return false;
    throw error;
  }
}
