import { lstat } from "node:fs/promises";
import { type FileChange, fileBelow, foldersOf, isFile, isSubmodule, nulFields } from "../diff.ts";
import type { PrivateGit } from "../private-git.ts";

/**
 * Untracked paths, ignored ones too, where the changes would write a file. Git itself refuses only what is not ignored.
 *
 * @param git whose index knows what is tracked
 */
export async function inTheWay(git: PrivateGit, changes: readonly FileChange[]): Promise<readonly string[]> {
  const tracked = new Set(changes.flatMap(({ path: name, before }) => (isFile(before) ? [name] : [])));
  const added = changes.filter(({ before, after }) => isFile(after) && !isFile(before) && !isSubmodule(before));
  const found = new Set<string>();
  for (const { path: name } of added) {
    for (const folder of foldersOf(name)) {
      if (!tracked.has(folder) && (await kindOf(git, folder)) === "file") found.add(folder);
    }
    const kind = await kindOf(git, name);
    if (kind === "file") found.add(name);
    if (kind === "folder") {
      const untracked = await git.run(["ls-files", "--others", "-z", "--", `:(literal)${name}`]);
      for (const file of nulFields(untracked)) found.add(file);
    }
  }
  return [...found];
}

/** What lies at a path, a byte string relative to the top; a link is a file. */
export async function kindOf(git: PrivateGit, name: string): Promise<"none" | "file" | "folder"> {
  const info = await lstat(fileBelow(git.repository.top, name)).catch(() => undefined);
  if (info === undefined) return "none";
  return info.isDirectory() ? "folder" : "file";
}
