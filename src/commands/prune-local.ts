import path from "node:path";
import { lstat } from "node:fs/promises";
import { unlessMissing } from "../os/file-errors.ts";
import { listLoops, removeArtifacts } from "../store/loop-files.ts";
import { lockHolder } from "../store/lock.ts";
import { isOver } from "../app/find-loop.ts";
import { messageOf } from "../core/errors.ts";
import { LOOPS_FOLDER, placeOf } from "../store/place.ts";
import type { Found, PruneItem } from "./prune-item.ts";

/**
 * The folders of loops of this workspace that are over. Their states stay: they say how the loops have ended.
 *
 * @param before loops that were at work later stay; milliseconds since the epoch
 */
export async function findInWorkspace(root: string, before: number): Promise<Found> {
  const items: PruneItem[] = [];
  const staying: { loopId: string; why: string }[] = [];
  for (const loop of await listLoops(path.join(root, LOOPS_FOLDER))) {
    const { id: loopId } = loop;
    const { folder } = placeOf(root, loopId, null);
    const stays = (why: string): unknown => staying.push({ loopId, why });
    if ("problem" in loop) stays(`cannot be read: ${loop.problem.message}`);
    else if ((await unlessMissing(lstat(folder)))?.isDirectory() !== true) continue;
    else if ((await lockHolder(folder)) !== undefined) stays("is running");
    else if (!isOver(loop.state)) stays(`is ${loop.state.status} and can go on`);
    else if (!(Date.parse(loop.state.updated_at) < before)) stays(`ended on ${loop.state.updated_at.slice(0, 10)}`);
    else items.push({ kind: "files", loopId, name: folder, why: loop.state.status, remove: () => clear(folder) });
  }
  return { items, staying };
}

async function clear(folder: string): Promise<string | null> {
  try {
    const { left } = await removeArtifacts(folder);
    return left.length === 0 ? null : `smithers did not make ${left.join(", ")}`;
  } catch (error) {
    return messageOf(error);
  }
}
