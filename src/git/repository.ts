import { readFile, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { exists } from "../os/file-errors.ts";

/** The person's git repository around a workspace. All paths are absolute. */
export interface Repository {
  /** the work tree's top folder */
  readonly top: string;
  /** this work tree's git directory: HEAD, index */
  readonly gitDir: string;
  /** what all its work trees share: objects, refs, info */
  readonly commonDir: string;
  /** the workspace's root below the top, `""` or `packages/a/` */
  readonly prefix: string;
}

/**
 * The repository that `root` lies in; undefined when there is none.
 *
 * Looks for itself instead of asking git, so that nothing that the repository's configuration says (`core.worktree`)
 * and nobody who owns it (`safe.directory`) has a say.
 */
export async function findRepository(root: string): Promise<Repository | undefined> {
  const start = await realpath(root);
  for (let top = start; ; top = path.dirname(top)) {
    const gitDir = await gitDirOf(top);
    if (gitDir !== undefined) {
      const below = path.relative(top, start).split(path.sep).join("/");
      return { top, gitDir, commonDir: await commonDirOf(gitDir), prefix: below === "" ? "" : `${below}/` };
    }
    if (top === path.dirname(top)) return undefined;
  }
}

/** Whether `root` lies in the work tree of a git repository (W-25). */
export async function isGitRepository(root: string): Promise<boolean> {
  return (await findRepository(root)) !== undefined;
}

async function gitDirOf(top: string): Promise<string | undefined> {
  const entry = path.join(top, ".git");
  const info = await stat(entry).catch(() => undefined);
  if (info === undefined) return undefined;
  const gitDir = info.isFile() ? await readPointer(entry, /^gitdir: (.+?)\n?$/su) : entry;
  if (gitDir === undefined || !(await exists(path.join(gitDir, "HEAD")))) return undefined;
  return gitDir;
}

async function commonDirOf(gitDir: string): Promise<string> {
  return (await readPointer(path.join(gitDir, "commondir"), /^(.+?)\n?$/su)) ?? gitDir;
}

/** The folder that a file names, relative to its own. */
async function readPointer(file: string, pattern: RegExp): Promise<string | undefined> {
  const text = await readFile(file, "utf8").catch(() => "");
  const target = pattern.exec(text)?.[1];
  return target === undefined ? undefined : path.resolve(path.dirname(file), target);
}
