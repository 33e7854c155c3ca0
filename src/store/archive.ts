import { mkdir, readdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { OperationalError } from "../core/errors.ts";
import { CONTROL_FOLDER } from "../core/files.ts";
import { syncFolder } from "../os/atomic-file.ts";
import { LOCK_FOLDER } from "./lock.ts";
import { readState } from "./state-file.ts";

/** Where a loop is kept (W-18, W-42). */
export interface LoopFiles {
  /** `<loop-id>.json` */
  readonly stateFile: string;
  /** the folder of the loop's other files, `<loop-id>/` */
  readonly folder: string;
}

/** Where the workspace keeps its own git directory, inside the loop's folder. */
export const GIT_FOLDER = "git";

/** What belongs to whoever works on the loop now, whatever its generation. */
const STAYS: ReadonlySet<string> = new Set([LOCK_FOLDER, CONTROL_FOLDER, GIT_FOLDER]);

/**
 * Moves a loop's record to `<loop-id>.g<N>.json` and `<loop-id>.g<N>/`, N being its generation, so that the loop can
 * begin anew (C25). To be called under the loop's lock, which stays where it is.
 *
 * Idempotent: the state file is moved last, so that a call that was cut off is completed by the next one.
 *
 * @throws OperationalError `ARCHIVE_TAKEN` when another loop's files stand there
 */
export async function archiveRecord(files: LoopFiles): Promise<void> {
  const state = await readState(files.stateFile);
  if (state === undefined) return;
  const to = archiveOf(files, state.generation);
  const other = await readState(to.stateFile);
  if (other !== undefined && other.loop_id !== state.loop_id) throw taken(to, state.loop_id, other.loop_id);

  await mkdir(to.folder, { recursive: true });
  for (const name of await readdir(files.folder)) {
    if (!STAYS.has(name)) await replace(path.join(files.folder, name), path.join(to.folder, name));
  }
  await syncFolder(to.folder);
  await syncFolder(files.folder);
  await rename(files.stateFile, to.stateFile);
  await syncFolder(path.dirname(to.stateFile));
}

/** Where generation `generation` of a loop is kept once it is over. */
export function archiveOf(files: LoopFiles, generation: number): LoopFiles {
  const { dir, name, ext } = path.parse(files.stateFile);
  return { stateFile: path.join(dir, `${name}.g${generation}${ext}`), folder: `${files.folder}.g${generation}` };
}

/** An older copy in the way is of the same generation of the same loop; a folder would not give way by itself. */
async function replace(from: string, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true });
  await rename(from, to);
}

function taken(to: LoopFiles, loopId: string, otherId: string): OperationalError {
  return new OperationalError({
    code: "ARCHIVE_TAKEN",
    what: `The finished record of loop ${loopId} would go to ${to.stateFile}, where loop ${otherId} is kept. Nothing was moved.`,
    next: "Start the loop with another --loop-id.",
  });
}
