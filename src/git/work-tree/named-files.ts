import { lstat } from "node:fs/promises";
import path from "node:path";
import { isInside } from "../../os/own-file.ts";
import { hasCode } from "../../os/file-errors.ts";
import { decoded, nulFields } from "../diff.ts";
import type { PrivateGit } from "../private-git.ts";

/** See `Workspace.named`. */
type Found = "changed" | "unchanged" | "missing" | "unknown";

/**
 * What became of the files that somebody names, between two trees. A name is the end of a path, in any case: the top of
 * the repository, the workspace or a folder below it may be meant. Outside of the trees it looks for what git ignores and
 * for what lies in a nested repository.
 *
 * @returns null: a tree is lost
 */
export async function namedFiles(
  git: PrivateGit,
  root: string,
  [before, now]: readonly [before: string, now: string],
  names: readonly string[],
): Promise<ReadonlyMap<string, Found> | null> {
  const [changes, listing] = await Promise.all([
    git.try(["diff-tree", "-r", "-z", "--name-only", "--no-renames", before, now]),
    git.try(["ls-tree", "-r", "-z", now]),
  ]);
  if (changes.exitCode !== 0 || listing.exitCode !== 0) return null;
  const entries = nulFields(listing.stdout);
  const changed = ended(nulFields(changes.stdout));
  const there = ended(entries.map((entry) => entry.slice(entry.indexOf("\t") + 1)));
  const hasNested = entries.some((entry) => entry.startsWith("160000 "));
  const found = new Map<string, Found>();
  for (const name of names) {
    // One that is gone was changed: it may have been moved, or made to be thrown away.
    const known = changed(name) ? "changed" : there(name) ? "unchanged" : undefined;
    found.set(name, known ?? (hasNested || (await isOnDisk(git, root, name)) ? "unknown" : "missing"));
  }
  return found;
}

/** Whether one of the paths, byte strings, ends in a name. */
function ended(paths: readonly string[]): (name: string) => boolean {
  const folded = paths.map((one) => `/${decoded(one).toLowerCase()}`);
  return (name) => {
    const end = `/${name.toLowerCase()}`;
    return folded.some((one) => one.endsWith(end));
  };
}

/** What git does not show: ignored files, wherever they lie, and what is left out of what is measured. */
async function isOnDisk(git: PrivateGit, root: string, name: string): Promise<boolean> {
  for (const folder of [root, git.repository.top]) {
    const file = path.resolve(folder, name);
    if (isInside(folder, file) && (await exists(file))) return true;
  }
  const args = ["ls-files", "--others", "--ignored", "--exclude-standard", "-z", "--", `:(glob,icase)**/${name}`];
  const ignored = await git.try(args);
  return ignored.exitCode !== 0 || ignored.stdout !== "";
}

async function exists(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    // What cannot be looked at may be there.
    (error: unknown) => !hasCode(error, "ENOENT", "ENOTDIR"),
  );
}
