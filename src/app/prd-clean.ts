import { lstat, rm } from "node:fs/promises";
import path from "node:path";
import { messageOf, OperationalError } from "../core/errors.ts";
import { DONE, failed, type Result } from "../core/result.ts";
import { isGitRepository } from "../git/repository.ts";
import { trackedAmong } from "../git/status.ts";
import { unlessMissing } from "../os/file-errors.ts";
import { inOwnFolderIfThere } from "../os/own-file.ts";
import { machineFolder } from "../store/consents.ts";
import { removeArtifacts } from "../store/loop-files.ts";
import { lockHolder } from "../store/lock.ts";
import { type LoopPlace, shownPath } from "../store/place.ts";
import { readState } from "../store/state-file.ts";
import { refuseOurWorktree, removableWorktree, removeWorktree } from "./checkout/worktree.ts";
import { isOver } from "./loops/stored-loop.ts";

/** Something that the work on a PRD has left. */
export interface PrdRemnant {
  readonly kind: "worktree" | "notes" | "loop";
  /** where it is, as people read paths */
  readonly name: string;
  /** why it may go, or has to stay */
  readonly why: string;
  /** Removes it, after looking again; absent: it stays. */
  readonly remove?: () => Promise<Result>;
}

/** What we write into a PRD's folder and nobody commits; the documents stay. */
const NOTES = ["progress.md", "agent.log", "events.jsonl"];

interface Cleaning {
  /** of the person's checkout */
  readonly place: LoopPlace;
  /** the PRD's name, which its work tree has as well */
  readonly name: string;
  /** the PRD's folder, seen from the root, with `/` */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** whether the person has agreed that a work tree goes whose branch is not merged; its branch stays */
  readonly unmerged: boolean;
}

/**
 * What the work on a PRD has left on this machine: its work tree, its notes, its loop's folder. Only looks. Never names the
 * PRD's documents, a branch, a loop that can go on, or work that is not committed as something to remove.
 */
export async function prdRemnants(cleaning: Cleaning): Promise<readonly PrdRemnant[]> {
  const { place } = cleaning;
  await refuseOurWorktree(place.root, cleaning.env);
  const [running, state] = await Promise.all([lockHolder(place.folder), readState(place.stateFile)]);
  const stays =
    running !== undefined
      ? "the loop is running"
      : state !== undefined && !isOver(state)
        ? `the loop is ${state.status} and can go on`
        : undefined;
  const found = [await worktreeOf(cleaning), ...(await notesOf(cleaning)), await loopOf(place)];
  return found
    .filter((one) => one !== undefined)
    .map((one) => (stays === undefined ? one : { kind: one.kind, name: one.name, why: stays }));
}

async function worktreeOf({ place, name, env, unmerged }: Cleaning): Promise<PrdRemnant | undefined> {
  const wanted = { root: place.root, name, env };
  if (machineFolder(env) === undefined || !(await isGitRepository(place.root))) return undefined;
  const found = await removableWorktree(wanted).catch((error: unknown) => {
    if (!(error instanceof OperationalError)) throw error;
    return error.message;
  });
  if (found === undefined) return undefined;
  if (typeof found === "string") return { kind: "worktree", name, why: found };
  const { folder, branch, loses, isMerged } = found;
  const one = { kind: "worktree", name: folder } as const;
  if (loses !== "") return { ...one, why: loses };
  if (!isMerged && !unmerged) return { ...one, why: `its branch ${branch} is not merged` };
  const why = isMerged ? `its branch ${branch} is merged` : `its branch ${branch} is not merged, and stays`;
  return { ...one, why, remove: () => tried(() => removeWorktree(wanted, { unmerged })) };
}

async function notesOf({ place: { root }, folder }: Cleaning): Promise<readonly PrdRemnant[]> {
  const tracked = await trackedAmong(
    root,
    NOTES.map((name) => `${folder}/${name}`),
  );
  const own = { root, path: path.join(root, folder) };
  const there = await inOwnFolderIfThere(own, (at) =>
    Promise.all(NOTES.map(async (name) => (await unlessMissing(lstat(path.join(at, name))))?.isFile() === true)),
  );
  return NOTES.filter((_name, i) => there?.[i] === true).map((file): PrdRemnant => {
    const name = `${folder}/${file}`;
    if (tracked.includes(name)) return { kind: "notes", name, why: "git tracks it" };
    const remove = () =>
      tried(async () => {
        await inOwnFolderIfThere(own, (at) => rm(path.join(at, file), { force: true }));
      });
    return { kind: "notes", name, why: "written by smithers, and not committed", remove };
  });
}

async function loopOf({ root, folder }: LoopPlace): Promise<PrdRemnant | undefined> {
  if ((await unlessMissing(lstat(folder)))?.isDirectory() !== true) return undefined;
  const remove = () =>
    tried(async () => {
      const { left } = await removeArtifacts(folder);
      return left.length === 0 ? DONE : failed({ because: `smithers did not make ${left.join(", ")}` });
    });
  return { kind: "loop", name: shownPath(root, folder), why: "its loop is over; the state stays", remove };
}

async function tried(work: () => Promise<Result | void>): Promise<Result> {
  try {
    return (await work()) ?? DONE;
  } catch (error) {
    return failed({ because: messageOf(error) });
  }
}
