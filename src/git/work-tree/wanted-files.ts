import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";

/** Folders of installed packages: thousands of files, among them packages' own instructions, which no agent begins in. */
const PACKAGES: ReadonlySet<string> = new Set(["node_modules", "site-packages", "vendor"]);

interface Walk {
  /** of the work tree, absolute */
  readonly top: string;
  /** where to begin, relative to the top; `""` or with a slash at its end */
  readonly from: string;
  /** @param name relative to the top */
  readonly isWanted: (name: string) => boolean;
  /** whether a folder is passed over, unless it is wanted itself */
  readonly isLeftOut: (folder: string) => boolean | Promise<boolean>;
}

/**
 * The files and links of a work tree that are wanted, whatever git tracks or ignores: what is ignored is said by files
 * that anybody can write. Follows no link, and looks neither into git's own folders nor, where they are not wanted
 * themselves, into those of installed packages. What cannot be listed has no files.
 *
 * @returns names relative to the top, with `/`, sorted
 */
export async function wantedFiles({ top, from, isWanted, isLeftOut }: Walk): Promise<readonly string[]> {
  const found: string[] = [];
  const folders = [from];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of await entriesOf(path.join(top, folder))) {
      const name = `${folder}${entry.name}`;
      if (!entry.isDirectory()) {
        if (isWanted(name)) found.push(name);
      } else if (entry.name.toLowerCase() !== ".git") {
        const isPassed = PACKAGES.has(entry.name) || (await isLeftOut(name));
        if (!isPassed || isWanted(name)) folders.push(`${name}/`);
      }
    }
  }
  return found.toSorted();
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch(() => []);
}
