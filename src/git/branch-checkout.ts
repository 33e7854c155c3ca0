import { copyFile, lstat, mkdir, readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { done, failed, type Result, type Trouble } from "../core/result.ts";
import { applyTree, said } from "./work-tree/apply-tree.ts";
import { type BranchRepository, fetchHere, isAncestor } from "./branch-repository.ts";
import { operationInProgress, waitForIndexLock } from "./busy.ts";
import { type FileChange, fileBelow, foldersOf, isFile, isSubmodule, nulFields, printableList } from "./diff.ts";
import { filteredAmong, isUnchangedLargeFile } from "./filters.ts";
import { personalGitEnvironment, startGit } from "./git.ts";
import type { PrivateGit } from "./private-git.ts";
import { copyTheirIndex } from "./snapshot.ts";

/** A workspace that is on the branch. */
export interface CheckedOut {
  /**
   * `moved`: files were brought to the remote's tip; `begun`: the remote does not have the branch, and the local one
   * begins here; `there`: nothing to do
   */
  readonly how: "moved" | "begun" | "there";
  /** the remote's tip, which `push` expects; null: none */
  readonly tip: string | null;
  /** what is checked out now: the tip, or the person's own commits on top of it; null before the first commit */
  readonly head: string | null;
  /** what a person has to know of it, in whole sentences */
  readonly notices: readonly string[];
}

/** Whole sentences: why the workspace is not on the branch, and what is unharmed. */
export interface CheckoutTrouble extends Trouble {
  /**
   * `dirty`: tracked files have changes; `in_the_way`: untracked files are where the branch has files; `diverged`: the
   * local branch has commits that the remote's has not; `busy`: a merge or the like is in progress, or another work tree
   * has the branch
   */
  readonly kind: "dirty" | "in_the_way" | "diverged" | "busy" | "unreachable" | "failed";
}

/** Where the fetched tip is noted in our own directory. */
const TIP = "refs/taken/tip";

/** See `WorkBranch.checkOut`. */
export async function checkOutBranch(repository: BranchRepository): Promise<Result<CheckedOut, CheckoutTrouble>> {
  const { git, remote, ref, branch } = repository;
  const operation = await operationInProgress(git.repository);
  if (operation !== undefined) return refused(branch, "busy", `a ${operation} is in progress`);
  const where = await elsewhere(repository);
  if (where !== undefined) return refused(branch, "busy", `${where} has it checked out`);
  const fetched = await fetchHere(repository, `+${ref}:${TIP}`);
  if (!fetched.ok) {
    const { kind, because } = fetched.trouble;
    return kind === "absent" ? begin(repository) : refused(branch, "unreachable", because);
  }
  const { exitCode, stdout } = await remote.try(["rev-parse", "--verify", "--quiet", `${TIP}^{commit}`]);
  if (exitCode !== 0) return refused(branch, "failed", "what was fetched is no commit");
  const tip = stdout.trim();
  const local = await localBranch(repository, tip);
  if (local.relation === "ahead" && local.isCheckedOut)
    return done({ how: "there", tip, head: local.commit, notices: [] });
  if (local.relation === "ahead" || local.relation === "diverged")
    return refused(branch, "diverged", `the local branch has commits that the remote's has not`);
  const isThere = (await git.head()) === tip;
  const obstacle = await obstacleTo(repository, local, tip);
  if (obstacle !== undefined) return refused(branch, "failed", obstacle);
  const applied = isThere ? done([]) : await bringFilesTo(repository, tip);
  if (!applied.ok) return applied;
  // From here on the time limit does not abort: HEAD has to match the files.
  const why = await putLocalOn(repository, local, tip);
  if (why !== undefined) {
    const half = `The files are those of the branch ${branch} already, and HEAD could not be put on it: ${why}.`;
    return failed({ kind: "failed", because: `${half} Checking it out again completes it.` });
  }
  if (isThere && local.isCheckedOut) return done({ how: "there", tip, head: tip, notices: [] });
  return done({ how: "moved", tip, head: tip, notices: await noticesOf(git, applied.value) });
}

/** The remote does not have the branch: the local one begins at the checkout, and no file changes. */
async function begin(repository: BranchRepository): Promise<Result<CheckedOut, CheckoutTrouble>> {
  const { git, branch } = repository;
  const head = await git.head();
  const local = await localBranch(repository, head);
  if (local.relation === "ahead" || local.relation === "diverged")
    return refused(branch, "diverged", "the local branch has commits that what is checked out has not");
  const why = head === null ? await putHead(repository, local.isCheckedOut) : await putLocalOn(repository, local, head);
  if (why !== undefined) return refused(branch, "failed", why);
  return done({ how: local.isCheckedOut ? "there" : "begun", tip: null, head, notices: [] });
}

export function refused(
  branch: string,
  kind: CheckoutTrouble["kind"],
  because: string,
): Result<never, CheckoutTrouble> {
  return failed({ kind, because: `The branch ${branch} cannot be checked out: ${because}. Nothing was changed.` });
}

/** Brings index and work tree from HEAD to `tip`; HEAD itself stays. What was changed, or why nothing was. */
async function bringFilesTo(
  repository: BranchRepository,
  tip: string,
): Promise<Result<readonly FileChange[], CheckoutTrouble>> {
  const { git, remote, branch } = repository;
  try {
    await waitForIndexLock(git.repository);
  } catch {
    return refused(branch, "busy", "another git command holds index.lock");
  }
  await copyTheirIndex(git);
  const head = (await git.head()) ?? (await git.emptyTree());
  const dirty = await dirtyPaths(git, head);
  if (dirty.length > 0) {
    // A run that was killed between the files and HEAD.
    if ((await dirtyPaths(git, tip)).length === 0) return done([]);
    const have = dirty.length === 1 ? "has" : "have";
    return refused(branch, "dirty", `${printableList(dirty)} ${have} changes that are not committed`);
  }
  // The folders of a partial clone may have to be fetched.
  const changes = await remote.differing(head, tip, { online: true });
  if (changes === undefined) throw new Error(`git does not have all of ${head} and ${tip}`);
  const submodules = await populatedSubmodules(git, changes);
  if (submodules.length > 0) {
    const why = `${printableList(submodules)} would have to be at another commit, and submodules are left alone`;
    return refused(branch, "in_the_way", why);
  }
  const names = await inTheWay(git, changes);
  if (names.length > 0) return refused(branch, "in_the_way", `${printableList(names)} would be written over`);
  await fetchFilesOf(repository, changes);
  const settings = await sparseSettings(git);
  const step = { from: head, to: tip, trial: git.index, index: git.theirIndex, settings, signal: remote.signal };
  const applied = await applyTree(git, step);
  if (applied.ok) return done(changes);
  const { kind, because } = applied.trouble;
  if (kind === "refused") return refused(branch, "failed", because);
  const torn = `The branch ${branch} was not checked out completely: ${because}.`;
  const next = "HEAD is where it was; `git reset --hard` brings its files back.";
  return failed({ kind: "failed", because: `${torn} ${next}` });
}

/** What of the files is not here yet, because the clone is a partial one. */
async function fetchFilesOf({ git, remote }: BranchRepository, changes: readonly FileChange[]): Promise<void> {
  const blobs = [...new Set(changes.filter(({ after }) => isFile(after)).map(({ after }) => after.object))];
  const here = await git.sizes(blobs);
  const missing = blobs.filter((blob) => !here.has(blob));
  if (missing.length === 0) return;
  const fetched = await remote.fetchMissing(missing);
  if (!fetched.ok) throw new Error(`its files cannot be fetched: ${fetched.trouble.because}`);
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
async function noticesOf(git: PrivateGit, changes: readonly FileChange[]): Promise<readonly string[]> {
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

/**
 * Untracked paths, ignored ones too, where the changes would write a file. Git itself refuses only what is not ignored.
 */
async function inTheWay(git: PrivateGit, changes: readonly FileChange[]): Promise<readonly string[]> {
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

async function kindOf(git: PrivateGit, name: string): Promise<"none" | "file" | "folder"> {
  const info = await lstat(fileBelow(git.repository.top, name)).catch(() => undefined);
  if (info === undefined) return "none";
  return info.isDirectory() ? "folder" : "file";
}

/** How the local branch of that name relates to a commit. */
interface LocalBranch {
  /** `ahead`: it holds the commit and more; `behind`: the commit holds it and more */
  readonly relation: "absent" | "same" | "behind" | "ahead" | "diverged";
  /** null: none yet */
  readonly commit: string | null;
  /** whether HEAD is on it */
  readonly isCheckedOut: boolean;
}

/** @param commit null: nothing is checked out yet */
async function localBranch(repository: BranchRepository, commit: string | null): Promise<LocalBranch> {
  const { git, ref } = repository;
  const on = await git.tryTheirs(["symbolic-ref", "--quiet", "HEAD"]);
  const isCheckedOut = on.stdout.trim() === ref;
  const found = await git.tryTheirs(["rev-parse", "--verify", "--quiet", `${ref}^{commit}`]);
  if (found.exitCode !== 0) return { relation: "absent", commit: null, isCheckedOut };
  const local = found.stdout.trim();
  return { relation: await relationOf(repository, local, commit), commit: local, isCheckedOut };
}

async function relationOf(repository: BranchRepository, local: string, commit: string | null) {
  if (local === commit) return "same";
  if (commit === null) return "diverged";
  if (await isAncestor(repository, local, commit)) return "behind";
  return (await isAncestor(repository, commit, local)) ? "ahead" : "diverged";
}

/** The other work tree that has the branch checked out. */
async function elsewhere({ git, ref }: BranchRepository): Promise<string | undefined> {
  const { gitDir, commonDir } = git.repository;
  const linked = await readdir(path.join(commonDir, "worktrees")).catch(() => []);
  for (const other of [commonDir, ...linked.map((name) => path.join(commonDir, "worktrees", name))]) {
    if (path.resolve(other) === path.resolve(gitDir)) continue;
    const head = await readFile(path.join(other, "HEAD"), "utf8").catch(() => "");
    if (head.trim() === `ref: ${ref}`)
      return other === commonDir ? "the main work tree" : `another work tree (${path.basename(other)})`;
  }
  return undefined;
}

/** Why git would not put the local branch on `tip`, before any file is touched: another branch's name is in the way. */
async function obstacleTo(
  { git, ref }: BranchRepository,
  local: LocalBranch,
  tip: string,
): Promise<string | undefined> {
  if (local.relation === "same") return undefined;
  const update = `update ${ref} ${tip} ${local.commit ?? "0".repeat(tip.length)}`;
  const input = ["start", update, "prepare", "abort", ""].join("\n");
  const tried = await git.tryTheirs(["update-ref", "--stdin"], { input });
  return tried.exitCode === 0 ? undefined : said(tried.stderr);
}

/** Puts the local branch, and HEAD, on `tip`. @returns why not, where it cannot be done */
async function putLocalOn(repository: BranchRepository, local: LocalBranch, tip: string): Promise<string | undefined> {
  if (local.relation === "same") return putHead(repository, local.isCheckedOut);
  const { git, ref } = repository;
  const from = local.commit ?? "0".repeat(tip.length);
  const moved = await git.tryTheirs(["update-ref", "-m", NOTE, ref, tip, from], { env: await git.committer() });
  return moved.exitCode === 0 ? putHead(repository, local.isCheckedOut) : said(moved.stderr);
}

async function putHead({ git, ref }: BranchRepository, isThere: boolean): Promise<string | undefined> {
  if (isThere) return undefined;
  const put = await git.tryTheirs(["symbolic-ref", "-m", NOTE, "HEAD", ref], { env: await git.committer() });
  return put.exitCode === 0 ? undefined : said(put.stderr);
}

/** In the person's reflog. */
const NOTE = "smithers: on the work branch";
