import { readdir } from "node:fs/promises";
import path from "node:path";
import { OperationalError } from "../core/errors.ts";
import type { LoopState } from "../core/state.ts";
import { unlessMissing } from "../os/file-errors.ts";
import { readState } from "./state-file.ts";

/** A loop that lies in a folder: its state, or why that cannot be read. */
export type ListedLoop =
  | { readonly id: string; readonly stateFile: string; readonly state: LoopState }
  | { readonly id: string; readonly stateFile: string; readonly problem: OperationalError };

const STATE_EXTENSION = ".json";

/** The loops whose state files `<loop-id>.json` lie in this folder, by id. Archived generations are not among them. */
export async function listLoops(folder: string): Promise<readonly ListedLoop[]> {
  const names = (await unlessMissing(readdir(folder))) ?? [];
  const files = names.filter((name) => name.endsWith(STATE_EXTENSION) && !name.startsWith(".")).toSorted();
  const loops: ListedLoop[] = [];
  for (const name of files) {
    const loop = await look(path.join(folder, name), path.basename(name, STATE_EXTENSION));
    if (loop !== undefined) loops.push(loop);
  }
  return loops;
}

async function look(stateFile: string, id: string): Promise<ListedLoop | undefined> {
  try {
    const state = await readState(stateFile);
    return state?.loop_id === id ? { id, stateFile, state } : undefined;
  } catch (problem) {
    if (!(problem instanceof OperationalError)) throw problem;
    return { id, stateFile, problem };
  }
}
