import { lstat } from "node:fs/promises";
import { nulFields } from "./git.ts";
import { isSubmodule, type Side } from "./difference.ts";
import { isUnchangedLargeFile } from "./filtered-paths.ts";
import { type PrivateGit, succeeded } from "./private-git.ts";
import type { Reach } from "./work-branch-reach.ts";

interface BranchSide extends Side {
  /** a file or a symbolic link, not a submodule and not nothing */
  readonly isFile: boolean;
}

/** Where the branch's tip differs from what is checked out. `path` is a byte string, relative to the top. */
export interface BranchChange {
  readonly path: string;
  readonly before: BranchSide;
  readonly after: BranchSide;
}

/** What differs between two commits or trees. */
export async function changesBetween(
  { remote, signal }: Reach,
  from: string,
  to: string,
): Promise<readonly BranchChange[]> {
  const args = ["diff-tree", "-r", "-z", "--raw", "--no-renames", from, to];
  // The folders of a partial clone may have to be fetched.
  return rawChanges(succeeded(args, await remote.try(args, { signal, online: true })));
}

/** Tracked paths whose index or file is otherwise than in `commit`; our index is a copy of the person's. */
export async function dirtyPaths(git: PrivateGit, commit: string): Promise<readonly string[]> {
  // A submodule counts by the commit it is at; to look into it, git would obey its configuration.
  const how = ["--raw", "-z", "--no-renames", "--ignore-submodules=dirty"];
  await git.try(["update-index", "-q", "--refresh"]);
  const staged = rawChanges(await git.run(["diff-index", "--cached", "-r", "--ita-visible-in-index", ...how, commit]));
  const changed = rawChanges(await git.run(["diff-files", ...how]));
  const dirty = new Set(staged.map((change) => change.path));
  for (const { path, before, after } of changed) {
    const isLarge = after.isFile && (await isUnchangedLargeFile(git, { path, committed: before, indexed: after }));
    if (!isLarge) dirty.add(path);
  }
  return [...dirty];
}

/** Submodules whose files are here and that the changes would have at another commit. */
export async function populatedSubmodules(
  git: PrivateGit,
  changes: readonly BranchChange[],
): Promise<readonly string[]> {
  const names = changes
    .filter(({ before, after }) => isSubmodule(before) || isSubmodule(after))
    .map(({ path }) => path);
  const populated = await Promise.all(names.map(async (name) => (await kindOf(git, `${name}/.git`)) !== "none"));
  return names.filter((_name, i) => populated[i]);
}

/**
 * Untracked paths, ignored ones too, where the changes would write a file. Git itself refuses only what is not ignored.
 */
export async function inTheWay(git: PrivateGit, changes: readonly BranchChange[]): Promise<readonly string[]> {
  const tracked = new Set(changes.flatMap(({ path, before }) => (before.isFile ? [path] : [])));
  const added = changes.filter(({ before, after }) => after.isFile && !before.isFile && !isSubmodule(before));
  const found = new Set<string>();
  for (const { path } of added) {
    for (const folder of foldersOf(path)) {
      const kind = tracked.has(folder) ? "none" : await kindOf(git, folder);
      if (kind === "file") found.add(folder);
    }
    const kind = await kindOf(git, path);
    if (kind === "file") found.add(path);
    if (kind === "folder") for (const name of await untrackedBelow(git, path)) found.add(name);
  }
  return [...found];
}

async function untrackedBelow(git: PrivateGit, folder: string): Promise<readonly string[]> {
  return nulFields(await git.run(["ls-files", "--others", "-z", "--", `:(literal)${folder}`]));
}

async function kindOf(git: PrivateGit, name: string): Promise<"none" | "file" | "folder"> {
  const file = Buffer.concat([Buffer.from(`${git.repository.top}/`), Buffer.from(name, "latin1")]);
  const info = await lstat(file).catch(() => undefined);
  if (info === undefined) return "none";
  return info.isDirectory() ? "folder" : "file";
}

function foldersOf(name: string): readonly string[] {
  const parts = name.split("/").slice(0, -1);
  return parts.map((_part, i) => parts.slice(0, i + 1).join("/"));
}

function rawChanges(bytes: string): readonly BranchChange[] {
  const fields = nulFields(bytes);
  const changes: BranchChange[] = [];
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const [oldMode = "", newMode = "", oldObject = "", newObject = ""] = (fields[i] ?? "").slice(1).split(" ");
    changes.push({ path: fields[i + 1] ?? "", before: side(oldMode, oldObject), after: side(newMode, newObject) });
  }
  return changes;
}

function side(mode: string, object: string): BranchSide {
  return { mode, object, isFile: !/^0+$/u.test(mode) && mode !== "160000" };
}
