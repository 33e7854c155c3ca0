import { lstat, rmdir } from "node:fs/promises";
import path from "node:path";

/** Folders that Codex's sandbox makes in the workspace, and leaves there when it is interrupted. */
const LITTER = [".codex", ".agents", ".aws"];

/**
 * Notes which of the folders are not there yet.
 *
 * @returns what removes them again, as far as they are empty
 */
export async function watchLitter(workspaceRoot: string): Promise<() => Promise<void>> {
  const folders = LITTER.map((name) => path.join(workspaceRoot, name));
  const there = await Promise.all(folders.map(exists));
  const absent = folders.filter((_, index) => there[index] === false);
  return async () => {
    for (const folder of absent) await rmdir(folder).catch(() => {});
  };
}

async function exists(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false,
  );
}
