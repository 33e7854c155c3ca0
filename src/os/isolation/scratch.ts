import { chmodSync, lstatSync, mkdtempSync, renameSync } from "node:fs";
import { chmod, mkdir } from "node:fs/promises";
import path from "node:path";
import { removeTree } from "../temp-folder.ts";

/** A folder with exactly this mode. @returns its path */
export async function own(parent: string, name: string, mode: number): Promise<string> {
  const folder = path.join(parent, name);
  await mkdir(folder, { recursive: true });
  await chmod(folder, mode);
  return folder;
}

/**
 * Takes a file or folder out of a folder that commands could write and no longer do; the way to it is followed through
 * folders alone, and what else stands there goes in its place.
 *
 * @param name relative, below the folder
 * @throws when it resists
 */
export function takeOut(folder: string, name: string): void {
  let file = folder;
  for (const part of name.split("/")) {
    file = path.join(file, part);
    const info = lstatSync(file, { throwIfNoEntry: false });
    if (info === undefined) return;
    // A folder that its owner may not write cannot be moved.
    if (info.isDirectory()) chmodSync(file, 0o700);
    else break;
  }
  // Moved as a whole, it is gone however long the paths in it are.
  const gone = mkdtempSync(path.join(path.dirname(folder), "gone-"));
  renameSync(file, path.join(gone, "it"));
  removeTree(gone);
}
