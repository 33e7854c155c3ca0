import { lstat, mkdir, readdir, readFile, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { OperationalError } from "../core/errors.ts";
import { exists } from "../os/file-errors.ts";
import { encoded } from "./diff.ts";
import { type GitResult, isObjectId, personalGitEnvironment, startGit } from "./git.ts";

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
 * The repository that contains `root`; undefined: none.
 *
 * Looks itself instead of asking git, so that neither the repository's configuration (`core.worktree`) nor its owner
 * (`safe.directory`) matters. Its folders are open to the agent: one that lies elsewhere is believed only where it says
 * itself that it belongs to this work tree (T12).
 *
 * @throws OperationalError `GIT_FOLDER_UNTRUSTED`
 */
export async function findRepository(root: string): Promise<Repository | undefined> {
  const start = await realpath(root);
  for (let top = start; ; top = path.dirname(top)) {
    const gitDir = await gitDirOf(top);
    if (gitDir !== undefined) {
      const below = path.relative(top, start).split(path.sep).join("/");
      const commonDir = (await readPointer(path.join(gitDir, "commondir"), /^(.+?)\n?$/su)) ?? gitDir;
      await refuseForeign(top, gitDir, commonDir);
      return { top, gitDir, commonDir, prefix: below === "" ? "" : `${below}/` };
    }
    if (top === path.dirname(top)) return undefined;
  }
}

/** The branch that the work tree around `root` is on, without `refs/heads/`; null: none. @throws as `findRepository` */
export async function checkedOutBranch(root: string): Promise<string | null> {
  const repository = await findRepository(root);
  return repository === undefined ? null : branchOf(repository);
}

/** The branch that HEAD is on, without `refs/heads/`; null: none. */
export async function branchOf({ gitDir }: Repository): Promise<string | null> {
  return /^ref: refs\/heads\/(.+?)\n?$/su.exec(await readText(path.join(gitDir, "HEAD")))?.[1] ?? null;
}

/** Whether `root` is in the work tree of a git repository (W-25). */
export async function isGitRepository(root: string): Promise<boolean> {
  return (await findRepository(root)) !== undefined;
}

async function gitDirOf(top: string): Promise<string | undefined> {
  const entry = path.join(top, ".git");
  const gitDir = (await readPointer(entry, /^gitdir: (.+?)\n?$/su)) ?? entry;
  return (await exists(path.join(gitDir, "HEAD"))) ? gitDir : undefined;
}

/** Refuses folders that somebody else than git may have named. */
async function refuseForeign(top: string, gitDir: string, commonDir: string): Promise<void> {
  const [real, common] = await Promise.all([gitDir, commonDir].map((folder) => realpath(folder).catch(() => folder)));
  if (real === undefined || common === undefined) return;
  const isOwn = real === path.join(top, ".git");
  // What lies in the work tree is open to whoever can write that.
  const isInside = [real, common].every((folder) => folder.startsWith(`${top}/`));
  if (isOwn ? common === real : isInside || (await belongsTo(top, real, common))) return;
  const named = isOwn ? path.join(gitDir, "commondir") : path.join(top, ".git");
  throw new OperationalError({
    code: "GIT_FOLDER_UNTRUSTED",
    what: `${named} leads to ${isOwn ? common : `${real} and ${common}`}, which does not say that it belongs to the work tree ${top}: the agent may have written that. Nothing was opened there; your files are unharmed.`,
    next: `If git made this (a work tree that was moved), give git worktree repair. Else ${isOwn ? "remove that file" : "put that file right"}, then start again.`,
  });
}

/** Whether a git directory elsewhere is one that git made for this work tree. */
async function belongsTo(top: string, gitDir: string, commonDir: string): Promise<boolean> {
  const own = path.join(top, ".git");
  const back = await readPointer(path.join(gitDir, "gitdir"), /^(.+?)\n?$/su);
  if (back !== undefined) {
    const isLinked = path.basename(path.dirname(gitDir)) === "worktrees" && path.resolve(gitDir, "../..") === commonDir;
    return isLinked && (await isGitFolder(commonDir)) && (await isSame(back, own));
  }
  if (commonDir !== gitDir || !(await isGitFolder(gitDir))) return false;
  const config = path.join(gitDir, "config");
  const asked = (key: string) =>
    startGit(["config", "--file", config, "--get", key], { cwd: top, env: personalGitEnvironment() });
  const [bare, workTree] = await Promise.all([asked("core.bare"), asked("core.worktree")]);
  if (workTree.exitCode === 0) return isSame(path.resolve(gitDir, workTree.stdout.trim()), top);
  // Of `git init --separate-git-dir`, which says nothing. `.git` is that of another work tree.
  return path.basename(gitDir) !== ".git" && bare.stdout.trim() !== "true";
}

/** Whether a folder is itself what git keeps a repository in: a bare one, or the `.git` of another. */
export async function isGitFolder(folder: string): Promise<boolean> {
  const kinds = ["objects", "refs"].map((name) => stat(path.join(folder, name)).then((info) => info.isDirectory()));
  const all = await Promise.all([...kinds, exists(path.join(folder, "HEAD"))]).catch(() => [false]);
  return all.every(Boolean);
}

async function isSame(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([one, other].map((file) => realpath(file).catch(() => undefined)));
  return a !== undefined && a === b;
}

/**
 * Refuses what appeared since the repository was found, and would bring git to other folders.
 *
 * @throws OperationalError `GIT_FOLDER_UNTRUSTED`
 */
export async function refuseNewPointer({ top, gitDir, commonDir }: Repository): Promise<void> {
  if (gitDir !== commonDir) return;
  const found = await lstat(path.join(gitDir, "commondir")).catch(() => undefined);
  if (found !== undefined) await refuseForeign(top, gitDir, path.join(gitDir, "commondir"));
}

/** The folder that a file names, relative to its own. */
async function readPointer(file: string, pattern: RegExp): Promise<string | undefined> {
  const target = pattern.exec(await readText(file))?.[1];
  return target === undefined ? undefined : path.resolve(path.dirname(file), target);
}

/** What makes git run programs, or look elsewhere, in a git directory. */
const STEERING = ["config", "config.worktree", "commondir", "gitdir", "hooks", "info"];
/** Submodules lie in folders of their names, which may have slashes, and in each other. */
const MODULE_LEVELS = 6;
const MOST_MODULES = 300;

/**
 * The files and folders of the repository by which whoever writes them makes a person's git run programs: they are no
 * links, and nothing that git writes in order to commit. Makes missing folders, which cannot be kept as they are otherwise.
 */
export async function steeringIn({ top, gitDir, commonDir }: Repository): Promise<readonly string[]> {
  await Promise.all(["hooks", "info"].map((name) => mkdir(path.join(commonDir, name)).catch(() => {})));
  const others = await Promise.all(["modules", "worktrees"].map((name) => gitFoldersIn(path.join(commonDir, name))));
  const folders = [...new Set([gitDir, commonDir, ...others.flat().slice(0, MOST_MODULES)])];
  const named = folders.flatMap((folder) => STEERING.map((name) => path.join(folder, name)));
  // As a folder it has to stay open.
  const pointer = path.join(top, ".git");
  const kept = await Promise.all(
    [...named, pointer].map(async (file) => {
      const info = await lstat(file).catch(() => undefined);
      return info?.isFile() === true || (info?.isDirectory() === true && file !== pointer) ? [file] : [];
    }),
  );
  return kept.flat();
}

/** The git directories below a folder. */
async function gitFoldersIn(folder: string, levels = MODULE_LEVELS): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const isOne = entries.some(({ name }) => name === "HEAD");
  const inside = isOne ? entries.filter(({ name }) => name === "modules") : entries;
  const below = inside.filter((entry) => entry.isDirectory() && levels > 0);
  const found = await Promise.all(below.map(({ name }) => gitFoldersIn(path.join(folder, name), levels - 1)));
  return [...(isOne ? [folder] : []), ...found.flat()];
}

const BRANCH = /^ref: (refs\/heads\/[^\s.~^:?*[\\][^\s~^:?*[\\]*)$/u;

/**
 * Reads the commit that HEAD names from the repository's files, which is far cheaper than starting git.
 *
 * @returns undefined when the files do not name it plainly: no commit yet, references kept in some other way, a
 * reference to a reference; then git has to be asked
 */
export async function readHead(repository: Repository): Promise<string | undefined> {
  const head = (await readText(path.join(repository.gitDir, "HEAD"))).trim();
  if (isObjectId(head)) return head;
  const branch = BRANCH.exec(head)?.[1];
  if (branch === undefined || branch.includes("..")) return undefined;
  const loose = (await readText(path.join(repository.commonDir, branch))).trim();
  const packed = loose === "" ? await readText(path.join(repository.commonDir, "packed-refs")) : "";
  const line = packed.split("\n").find((one) => one.endsWith(` ${branch}`));
  const commit = line?.slice(0, -branch.length - 1) ?? loose;
  return isObjectId(commit) ? commit : undefined;
}

async function readText(file: string): Promise<string> {
  return readFile(file, "utf8").catch(() => "");
}

/** The commit that is checked out at `root`; null: none, or no repository. */
export async function checkedOut(root: string): Promise<string | null> {
  const repository = await findRepository(root);
  return repository === undefined ? null : ((await readHead(repository)) ?? null);
}

/**
 * What of the repository is the workspace: everything below its root except the excluded paths, as pathspecs that are
 * relative to the top.
 */
export interface Scope {
  /** the root without the excluded paths */
  readonly included: readonly string[];
  /** only the excluded paths; empty: none */
  readonly excluded: readonly string[];
  /** whether it contains a path, a byte string relative to the top */
  holds(name: string): boolean;
}

/** @param excluded paths relative to the workspace's root; those outside the root are outside the scope anyway */
export function scopeOf(repository: Repository, excluded: readonly string[]): Scope {
  const inside = excluded
    .map((name) => path.posix.normalize(name).replace(/\/$/u, ""))
    .filter((name) => name !== "." && name !== ".." && !name.startsWith("../") && !path.posix.isAbsolute(name));
  // The exclude magic needs something to exclude from, hence "." for the whole.
  const root = repository.prefix === "" ? "." : `:(literal)${repository.prefix}`;
  const below = encoded(repository.prefix);
  const folders = inside.map((name) => encoded(`${repository.prefix}${name}`));
  return {
    holds: (name) =>
      name.startsWith(below) && !folders.some((folder) => name === folder || name.startsWith(`${folder}/`)),
    included: [root, ...inside.map((name) => `:(exclude,literal)${repository.prefix}${name}`)],
    excluded: inside.map((name) => `:(literal)${repository.prefix}${name}`),
  };
}

/** @throws OperationalError `GIT_NOT_STARTED` when git is not installed */
export async function gitVersion(folder: string): Promise<string> {
  return (await asPerson(folder, "--version")).stdout;
}

/** The person's `origin`, as they have written it; "" when not set. */
export async function originUrl(folder: string): Promise<string> {
  return (await asPerson(folder, "config", "--get", "remote.origin.url")).stdout.trim();
}

/** Makes a folder a repository, the way the person has configured it. @returns what git said */
export function initRepository(folder: string): Promise<GitResult> {
  return asPerson(folder, "init", "-q");
}

function asPerson(folder: string, ...args: readonly string[]): Promise<GitResult> {
  return startGit(args, { cwd: folder, env: personalGitEnvironment() });
}
