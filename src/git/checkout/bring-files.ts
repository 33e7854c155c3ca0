import { copyFile, mkdir, stat } from "node:fs/promises";
import path from "node:path";
import { done, failed, type Result, type Trouble } from "../../core/result.ts";
import { type FileChange, isFile, isSubmodule, printableList } from "../diff.ts";
import { filteredAmong, isUnchangedLargeFile } from "../filters.ts";
import { personalGitEnvironment, startGit } from "../git.ts";
import { heldLock, heldWords, locking } from "../locks/locks.ts";
import type { PrivateGit } from "../private-git.ts";
import { copyTheirIndex } from "../snapshot.ts";
import { applyTree } from "../work-tree/apply-tree.ts";
import { inTheWay, kindOf } from "../work-tree/in-the-way.ts";

/** Whole sentences: why the workspace is not on the branch, and what is unharmed. */
export interface CheckoutTrouble extends Trouble {
  /**
   * `dirty`: tracked files have changes; `in_the_way`: untracked files are where the branch has files; `diverged`: the
   * local branch has commits that the remote's has not; `busy`: a merge or the like is in progress; `taken`: another work
   * tree has the branch
   */
  readonly kind: "dirty" | "in_the_way" | "diverged" | "busy" | "taken" | "unreachable" | "failed";
}

/** How files come to what a branch holds. */
export interface Bringing {
  readonly git: PrivateGit;
  readonly branch: string;
  /** breaks off what has not begun to write */
  readonly signal: AbortSignal;
  /** What differs between two commits; undefined: not all of it is here. */
  readonly differing: (from: string, to: string) => Promise<readonly FileChange[] | undefined>;
  /** Fetches what of the files is not here. */
  readonly fetch: (changes: readonly FileChange[]) => Promise<void>;
}

export function refused(
  branch: string,
  kind: CheckoutTrouble["kind"],
  because: string,
): Result<never, CheckoutTrouble> {
  return failed({ kind, because: `The branch ${branch} cannot be checked out: ${because}. Nothing was changed.` });
}

/** Brings index and work tree from HEAD to `tip`; HEAD itself stays. What was changed, or why nothing was. */
export async function bringFilesTo(
  bringing: Bringing,
  tip: string,
): Promise<Result<readonly FileChange[], CheckoutTrouble>> {
  const { git, branch, signal } = bringing;
  const held = await heldLock(git.repository, ["index"]);
  if (held !== undefined) return refused(branch, "busy", heldWords(held));
  await copyTheirIndex(git);
  const head = (await git.head()) ?? (await git.emptyTree());
  const dirty = await dirtyPaths(git, head);
  if (dirty.length > 0) {
    // A run that was killed between the files and HEAD.
    if ((await dirtyPaths(git, tip)).length === 0) return done([]);
    const have = dirty.length === 1 ? "has" : "have";
    return refused(branch, "dirty", `${printableList(dirty)} ${have} changes that are not committed`);
  }
  const changes = await bringing.differing(head, tip);
  if (changes === undefined) throw new Error(`git does not have all of ${head} and ${tip}`);
  const submodules = await populatedSubmodules(git, changes);
  if (submodules.length > 0) {
    const why = `${printableList(submodules)} would have to be at another commit, and submodules are left alone`;
    return refused(branch, "in_the_way", why);
  }
  const names = await inTheWay(git, changes);
  if (names.length > 0) return refused(branch, "in_the_way", `${printableList(names)} would be written over`);
  await bringing.fetch(changes);
  const settings = await sparseSettings(git);
  const step = { from: head, to: tip, trial: git.index, index: git.theirIndex, settings, signal };
  const applied = await locking(git.repository, ["index"], () => applyTree(git, step), "checked out");
  if (applied.ok) return done(changes);
  const { kind, because } = applied.trouble;
  if (kind === "refused") return refused(branch, "failed", because);
  const torn = `The branch ${branch} was not checked out completely: ${because}.`;
  const next = "HEAD is where it was; `git reset --hard` brings its files back.";
  return failed({ kind: "failed", because: `${torn} ${next}` });
}

/** A checkout that leaves files out goes on leaving them out. */
async function sparseSettings(git: PrivateGit): Promise<readonly string[]> {
  const { gitDir, top } = git.repository;
  const patterns = path.join(gitDir, "info/sparse-checkout");
  if ((await stat(patterns).catch(() => undefined))?.isFile() !== true) return [];
  const env = { ...personalGitEnvironment(), GIT_DIR: gitDir };
  const asked = await startGit(["config", "--type=bool", "--get", "core.sparseCheckout"], { cwd: top, env });
  if (asked.stdout.trim() !== "true") return [];
  await mkdir(path.join(git.folder, "info"), { recursive: true });
  await copyFile(patterns, path.join(git.folder, "info/sparse-checkout"));
  return ["-c", "core.sparseCheckout=true"];
}

/** Filters are not run: files behind one are as git stores them. */
export async function noticesOf(git: PrivateGit, changes: readonly FileChange[]): Promise<readonly string[]> {
  const written = changes.filter(({ after }) => isFile(after)).map((change) => change.path);
  const filtered = [...(await filteredAmong(git, written))];
  if (filtered.length === 0) return [];
  return [
    `${printableList(filtered)} ${filtered.length === 1 ? "belongs" : "belong"} to a git filter such as LFS, which is never run here: the work tree has what git stores for it.`,
  ];
}

/** Tracked paths whose index or file is otherwise than in `commit`; our index is a copy of the person's. */
async function dirtyPaths(git: PrivateGit, commit: string): Promise<readonly string[]> {
  // A submodule counts by its commit; to look into it, git would obey its configuration.
  const how = "--ignore-submodules=dirty";
  await git.try(["update-index", "-q", "--refresh"]);
  const staged = await git.changes(["diff-index", "--cached", "-r", "--ita-visible-in-index", how, commit]);
  const dirty = new Set(staged.map((change) => change.path));
  for (const change of await git.changes(["diff-files", how])) {
    if (!isFile(change.after) || !(await isUnchangedLargeFile(git, change))) dirty.add(change.path);
  }
  return [...dirty];
}

/** Submodules whose files are here and that the changes would have at another commit. */
async function populatedSubmodules(git: PrivateGit, changes: readonly FileChange[]): Promise<readonly string[]> {
  const submodules = changes.filter(({ before, after }) => isSubmodule(before) || isSubmodule(after));
  const names = submodules.map((change) => change.path);
  const kinds = await Promise.all(names.map((name) => kindOf(git, `${name}/.git`)));
  return names.filter((_name, i) => kinds[i] !== "none");
}
