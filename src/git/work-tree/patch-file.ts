import { lstat, rename } from "node:fs/promises";
import path from "node:path";
import { writeFileDurably } from "../../os/atomic-file.ts";
import { unlessMissing } from "../../os/file-errors.ts";
import { inOwnFolder, ownFolder, readOwnBytes } from "../../os/own-file.ts";

/** Where a patch goes. */
export interface PatchPlace {
  /** of the workspace, absolute */
  readonly root: string;
  /** absolute; the loop's */
  readonly folder: string;
  /** a name in that folder */
  readonly file: string;
}

/** More is kept in memory by nobody, and read by nobody. */
export const PATCH_BYTES = 200_000_000;

/**
 * Writes the patch, and keeps what an earlier one held: as it is, where that has all of this one, as when a run was killed
 * while files were put back; else under another name.
 */
export async function keepPatch({ root, folder, file }: PatchPlace, patch: string): Promise<void> {
  const own = await ownFolder(root, folder);
  await inOwnFolder(own, async (at) => {
    const target = path.join(at, file);
    const old = await unlessMissing(readOwnBytes(target, 2 * PATCH_BYTES));
    if (old !== undefined) {
      const earlier = old.toString("latin1");
      if (holdsAll(earlier, patch)) return;
      if (!holdsAll(patch, earlier)) await rename(target, await freeName(target));
    }
    await writeFileDurably(target, Buffer.from(patch, "latin1"));
  });
}

/** Whether one patch says all that the other does. */
function holdsAll(patch: string, other: string): boolean {
  const known = new Set(sectionsOf(patch));
  return sectionsOf(other).every((section) => known.has(section));
}

/** What a patch says of each file; no line of a file's content begins like that. */
function sectionsOf(patch: string): readonly string[] {
  return patch.split(/^(?=diff --git )/mu).filter((section) => section.startsWith("diff --git "));
}

async function freeName(file: string): Promise<string> {
  const { dir, name, ext } = path.parse(file);
  for (let n = 1; ; n += 1) {
    const free = path.join(dir, `${name}.${n}${ext}`);
    if ((await unlessMissing(lstat(free))) === undefined) return free;
  }
}
