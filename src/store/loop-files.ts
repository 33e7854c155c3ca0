import path from "node:path";
import { readdir, rename, rm, lstat, readFile, stat } from "node:fs/promises";
import { OperationalError } from "../core/errors.ts";
import type { LoopState } from "../core/state.ts";
import { unlessMissing } from "../os/file-errors.ts";
import { readState, writeState } from "./state-file.ts";
import {
  AGENT_LOG_FILE,
  CONTROL_FOLDER,
  DOCUMENTS_FILE,
  EVENTS_FILE,
  PATCH_FILE,
  PROGRESS_FILE,
  PROMPT_FILE,
  REPORT_FILE,
  STORY_PATCH,
  SUMMARY_FILE,
  TESTS_FILE,
  UNDONE_FILE,
} from "../core/names.ts";
import { syncFolder } from "../os/atomic-file.ts";
import { eachInBatches } from "../os/concurrency.ts";
import { inOwnFolder, type OwnFolder, ownFolder, workspaceFolder } from "../os/own-file.ts";
import { LOCK_FOLDER, acquireLock, removeIfEmpty } from "./lock.ts";
import type { ControlRequest, TokensOfOthers } from "../core/ports.ts";
import { tokensOn } from "../core/stop/limits.ts";

/** A loop in a folder: its state, or why that cannot be read. */
export type ListedLoop =
  | { readonly id: string; readonly stateFile: string; readonly state: LoopState }
  | { readonly id: string; readonly stateFile: string; readonly problem: OperationalError };

const STATE_EXTENSION = ".json";

/** Which of a folder's loops are looked at, and what is known of them. */
export interface LoopsWanted {
  /** what their ids begin with; absent: all of them */
  readonly prefix?: string | undefined;
  /** for who looks again and again; absent: every file is read */
  readonly seen?: SeenStates;
}

/** The loops whose state files `<loop-id>.json` are in this folder, by id. Archived generations are not among them. */
export async function listLoops(folder: string, wanted: LoopsWanted = {}): Promise<readonly ListedLoop[]> {
  const loops: ListedLoop[] = [];
  for await (const loop of eachLoop(folder, wanted)) loops.push(loop);
  return loops;
}

/** The same one by one: there may be thousands, and nobody has to hold all their states. */
export async function* eachLoop(folder: string, { prefix = "", seen }: LoopsWanted = {}): AsyncGenerator<ListedLoop> {
  const idOf = (name: string): string => path.basename(name, STATE_EXTENSION);
  const files = (await stateFilesIn(folder)).filter((name) => idOf(name).startsWith(prefix)).toSorted();
  const look = async (name: string) => loopIn(path.join(folder, name), idOf(name), seen);
  for await (const loop of eachInBatches(files, look)) if (loop !== undefined) yield loop;
}

/** The names of the files in this folder that loops may be in; those of archived generations are among them. */
export async function stateFilesIn(folder: string): Promise<readonly string[]> {
  const names = (await unlessMissing(readdir(folder))) ?? [];
  return names.filter((name) => name.endsWith(STATE_EXTENSION) && !name.startsWith("."));
}

/** What a look at loops has read of their state files: the next one reads no file again that is the same. */
export class SeenStates {
  #before: ReadonlyMap<string, SeenState> = new Map();
  #now = new Map<string, SeenState>();

  /** Begins a look. What the one before has not found is forgotten. */
  lookAgain(): void {
    this.#before = this.#now;
    this.#now = new Map();
  }

  /** files that this look has found so far */
  get size(): number {
    return this.#now.size;
  }

  /** @throws as `readState` */
  async stateIn(stateFile: string): Promise<LoopState | undefined> {
    // Before it is read: what is put in its place meanwhile is another file the next time.
    const identity = await identityOf(stateFile);
    const known = this.#before.get(stateFile);
    const state = known?.identity === identity ? known.state : await readState(stateFile);
    this.#now.set(stateFile, { identity, state });
    return state;
  }
}

interface SeenState {
  readonly identity: string;
  readonly state: LoopState | undefined;
}

async function loopIn(stateFile: string, id: string, seen?: SeenStates): Promise<ListedLoop | undefined> {
  try {
    const state = await (seen === undefined ? readState(stateFile) : seen.stateIn(stateFile));
    return state?.loop_id === id ? { id, stateFile, state } : undefined;
  } catch (problem) {
    if (!(problem instanceof OperationalError)) throw problem;
    return { id, stateFile, problem };
  }
}

/** What is another as soon as a state file is: it is replaced with every event. */
export async function identityOf(stateFile: string): Promise<string> {
  const file = await lstat(stateFile).catch(() => undefined);
  return `${file?.ino}:${file?.mtimeMs}:${file?.size}`;
}

/**
 * What the loops beside this one, and earlier generations of all of them, have used on a day. What was not written to
 * since then is not read; what cannot be read has used nothing.
 */
export function tokensBeside({ stateFile }: Pick<LoopFiles, "stateFile">): TokensOfOthers {
  const folder = path.dirname(stateFile);
  const usedBy = async (name: string, now: number): Promise<number> => {
    const file = path.join(folder, name);
    if (!name.endsWith(STATE_EXTENSION) || file === stateFile) return 0;
    const { mtimeMs } = await stat(file);
    const state = now - mtimeMs < DAY_MS ? await readState(file) : undefined;
    return state === undefined ? 0 : tokensOn(state, now);
  };
  return async (now) => {
    const names = await readdir(folder).catch(() => []);
    const used = await Promise.all(names.map(async (name) => usedBy(name, now).catch(() => 0)));
    return used.reduce((sum, tokens) => sum + tokens, 0);
  };
}

const DAY_MS = 86_400_000;

/** Where a loop is kept (W-18, W-42). */
export interface LoopFiles {
  /** the workspace, absolute: no link in it is followed; undefined: the files are not for a workspace */
  readonly root?: string;
  readonly stateFile: string;
  readonly folder: string;
}

/** The loop's folder, as one in which no link is followed (T14). */
export async function folderOf({ root, folder }: LoopFiles): Promise<OwnFolder> {
  return ownFolder(root ?? path.dirname(folder), folder);
}

/** The same for the folder of its state file; where a person named it outside of the workspace, links are theirs. */
export async function stateFolderOf({ root, stateFile }: LoopFiles): Promise<OwnFolder> {
  const folder = path.dirname(stateFile);
  return (await workspaceFolder(root ?? folder, folder)) ?? { root: folder, path: folder };
}

/** Replaces a loop's state file, without following a link on the way there; durable when resolved. @throws as `inOwnFolder` */
export async function replaceState(files: LoopFiles, state: LoopState): Promise<void> {
  const name = path.basename(files.stateFile);
  await inOwnFolder(await stateFolderOf(files), (at) => writeState(path.join(at, name), state, Promise.resolve()));
}

/** Where the workspace keeps its own git directory, inside the loop's folder. */
export const GIT_FOLDER = "git";

/** What belongs to the run that works on the loop now, whatever its generation. */
const STAYS: ReadonlySet<string> = new Set([LOCK_FOLDER, CONTROL_FOLDER, GIT_FOLDER]);

/**
 * Moves a loop's record to `<loop-id>.g<N>.json` and `<loop-id>.g<N>/`, N being its generation, so that the loop can
 * begin again (C25). Call it under the loop's lock, which stays where it is.
 *
 * Idempotent: the state file is moved last, so the next call completes one that was cut off.
 *
 * @throws OperationalError `ARCHIVE_TAKEN` when another loop's files are there
 */
export async function archiveRecord(files: LoopFiles): Promise<void> {
  const state = await readState(files.stateFile);
  if (state === undefined) return;
  const to = archiveOf(files, state.generation);
  const other = await readState(to.stateFile);
  if (other !== undefined && other.loop_id !== state.loop_id) {
    throw new OperationalError({
      code: "ARCHIVE_TAKEN",
      what: `The finished record of loop ${state.loop_id} would go to ${to.stateFile}, where loop ${other.loop_id} is kept. Nothing was moved.`,
      next: "Start the loop with another --loop-id.",
    });
  }

  await inOwnFolder(await folderOf(files), async (from) =>
    inOwnFolder(await folderOf(to), async (into) => {
      for (const name of await readdir(from)) {
        if (STAYS.has(name)) continue;
        // An older copy in the way is of the same generation of the same loop; a folder would not give way by itself.
        await rm(path.join(into, name), { recursive: true, force: true });
        await rename(path.join(from, name), path.join(into, name));
      }
      await syncFolder(into);
      await syncFolder(from);
    }),
  );
  await inOwnFolder(await stateFolderOf(files), async (at) => {
    await rename(path.join(at, path.basename(files.stateFile)), path.join(at, path.basename(to.stateFile)));
    await syncFolder(at);
  });
}

/** Where generation `generation` of a loop is kept once it is over. */
export function archiveOf(files: LoopFiles, generation: number): LoopFiles {
  const { dir, name, ext } = path.parse(files.stateFile);
  const root = files.root === undefined ? {} : { root: files.root };
  return {
    ...root,
    stateFile: path.join(dir, `${name}.g${generation}${ext}`),
    folder: `${files.folder}.g${generation}`,
  };
}

/** Whole paths: what a clean-up has removed, and what is in the loop's folder and is not the loop's own. */
type RemovedArtifacts = Readonly<Record<"removed" | "left", readonly string[]>>;

const OWN_FILES: ReadonlySet<string> = new Set([
  AGENT_LOG_FILE,
  DOCUMENTS_FILE,
  EVENTS_FILE,
  PATCH_FILE,
  PROGRESS_FILE,
  PROMPT_FILE,
  REPORT_FILE,
  SUMMARY_FILE,
  TESTS_FILE,
]);
const OWN_PATTERN =
  /^(?:(?:events|review)_iter_\d+\.jsonl|(?:(?:last|review)_message|prompt|checks)_iter_\d+\.txt|changes_iter_\d+\.patch|review-\d+(?:\.\d+)?\.patch|\.agent\.log\.smithers-tmp)$/u;
/** What a killed run was about to put in the place of a file of ours, or has tried the disk with; it goes when the next begins. */
export const UNFINISHED =
  /^(?:\.(?:probe|(?:prompt|(?:last|review)_message_iter_\d+)\.txt|(?:summary|tests|prd-documents)\.json|report\.html|(?:refused|review-\d+|US-[\d.-]+)\.patch|undone-\d+-prd[\d.]*\.(?:json|md))\.[^/]*\.tmp|\.(?:prompt_iter_\d+\.txt|changes_iter_\d+\.patch)\.smithers-tmp)$/u;
const REQUESTS: readonly ControlRequest["kind"][] = ["cancel", "stop", "pause"];

/** What the `HEAD` of our git directory says; no repository that a person works in has it. */
const OWN_HEAD = "ref: refs/heads/none\n";

/**
 * Deletes what smithers made in a loop's folder, and the folder when nothing else is in it (W-33, W-47). The state file
 * stays: it says that the loop was cancelled.
 *
 * A person may use the folder as well, so only deletes what has a name or a mark of ours. Never follows symbolic links:
 * deletes one with a file's name as a link, leaves every other one, and touches nothing when the folder itself is a
 * link.
 *
 * @throws OperationalError `LOOP_BUSY` while the loop runs; nothing is deleted then
 */
export async function removeArtifacts(folder: string): Promise<RemovedArtifacts> {
  const found = await unlessMissing(lstat(folder));
  if (found === undefined) return { removed: [], left: [] };
  if (!found.isDirectory()) return { removed: [], left: [folder] };

  const lock = await acquireLock(folder);
  try {
    return await removeOwn(folder);
  } finally {
    await lock.remove();
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
  // Links themselves are looked at, never what they point to.
  const isFolder = (await lstat(target)).isDirectory();
  if (isFolder && name === CONTROL_FOLDER) return await removeRequests(target);
  const isOwn = isFolder
    ? name === GIT_FOLDER && (await isOwnGit(target))
    : OWN_FILES.has(name) ||
      OWN_PATTERN.test(name) ||
      UNFINISHED.test(name) ||
      STORY_PATCH.test(name) ||
      UNDONE_FILE.test(name);
  if (isOwn) await rm(target, { recursive: true, force: true });
  return isOwn;
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
