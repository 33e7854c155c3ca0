import { lstat, readdir, readFile, realpath, rm } from "node:fs/promises";
import path from "node:path";
import { OperationalError } from "../../core/errors.ts";
import { exists, unlessMissing } from "../../os/file-errors.ts";
import { nulFields } from "../diff.ts";
import { sweepLocks } from "../locks/left-locks.ts";
import { locking } from "../locks/locks.ts";
import { PrivateGit } from "../private-git.ts";
import { findRepository, type Repository } from "../repository.ts";
import { applyTree, said } from "../work-tree/apply-tree.ts";
import { noticesOf } from "./bring-files.ts";

/**
 * A work tree of the person's repository that we have made; undefined: nothing of ours is there, or what is there was
 * never finished.
 *
 * @param folder absolute
 * @throws OperationalError `WORKTREE_IN_THE_WAY` when something else is there
 */
export async function findWorktree(repository: Repository, folder: string): Promise<Repository | undefined> {
  const info = await unlessMissing(lstat(folder));
  if (info === undefined || (info.isDirectory() && (await readdir(folder)).length === 0)) return undefined;
  const found = info.isDirectory() ? await findRepository(folder).catch(() => undefined) : undefined;
  const isOurs = found?.top === (await realpath(folder)) && found.gitDir !== found.commonDir;
  if (!isOurs || (await realpath(found.commonDir)) !== (await realpath(repository.commonDir))) throw inTheWay(folder);
  // Git writes the index when all files are there.
  return (await exists(path.join(found.gitDir, "index"))) ? found : undefined;
}

function inTheWay(folder: string): OperationalError {
  return new OperationalError({
    code: "WORKTREE_IN_THE_WAY",
    what: `${folder} is where a work tree of this repository would be made, and what is there is none that was made for it. Nothing was changed.`,
    next: "Look what it is; move it away, or remove it, then give the command again.",
  });
}

/**
 * Makes a work tree of the person's repository on a branch. No hook or filter runs: what belongs to a filter is as git
 * stores it, and told. A call that is killed leaves what `findWorktree` does not find.
 *
 * @param git over the person's checkout, prepared
 * @param branch `commit`: where it is, or begins; `isNew`: there is none of that name yet
 * @param folder absolute; nothing is there, see `dropWorktree`
 * @param scratch a folder of our own, absolute, for the time of the call
 * @returns the work tree, and what a person has to know of it
 */
export async function makeWorktree(
  git: PrivateGit,
  branch: { readonly name: string; readonly commit: string; readonly isNew: boolean },
  { folder, scratch }: { readonly folder: string; readonly scratch: string },
): Promise<{ readonly repository: Repository; readonly notices: readonly string[] }> {
  const on = branch.isNew ? ["--no-track", "-b", branch.name, folder, branch.commit] : [folder, branch.name];
  const use = { env: await git.committer() };
  const locked = branch.isNew ? [`refs/heads/${branch.name}`] : [];
  const add = () => git.tryTheirs(["worktree", "add", "--quiet", "--no-checkout", ...on], use);
  const swept = await sweepLocks(git.repository);
  const added = await locking(git.repository, locked, add, "begun");
  const repository = added.exitCode === 0 ? await findRepository(folder) : undefined;
  if (repository === undefined) throw notMade(folder, said(added.stderr));
  const inside = new PrivateGit(repository, path.join(scratch, "worktree-git"));
  await inside.prepare();
  const from = await inside.emptyTree();
  const { index, theirIndex } = inside;
  await inside.run(["read-tree", "--empty"], { index });
  const signal = new AbortController().signal;
  const applied = await applyTree(inside, { from, to: branch.commit, trial: index, index: theirIndex, signal });
  if (!applied.ok) throw notMade(folder, applied.trouble.because);
  const written = (await inside.differing(null, branch.commit)) ?? [];
  return { repository, notices: [...swept, ...(await noticesOf(inside, written))] };
}

function notMade(folder: string, because: string): OperationalError {
  return new OperationalError({
    code: "WORKTREE_NOT_MADE",
    what: `The work tree ${folder} could not be made: ${because}. Your checkout is unharmed.`,
    next: "Put right what git complains about, then give the command again; it starts over.",
  });
}

/**
 * Why a work tree may not be removed, as what somebody would lose; "": nothing.
 *
 * @param git over the work tree, prepared
 * @param dirty what differs from its last commit
 */
export async function wouldLose(git: PrivateGit, dirty: readonly string[]): Promise<string> {
  const { gitDir } = git.repository;
  if (await exists(path.join(gitDir, "locked"))) return "it is locked (git worktree unlock)";
  if (await exists(path.join(gitDir, "modules"))) return "it has submodules of its own";
  const others = nulFields(await git.run(["ls-files", "--others", "--exclude-standard", "-z"]));
  const nested = others.filter((name) => name.endsWith("/"));
  if (dirty.length + nested.length === 0) return "";
  const names = [...dirty, ...nested];
  const more = names.length > 10 ? ` and ${names.length - 10} more` : "";
  return `it holds what is not committed: ${names.slice(0, 10).join(", ")}${more}`;
}

/**
 * Removes a folder that `findWorktree` has not refused, with what git ignores in it, then git's notes of it. Its branch
 * stays; other work trees are left alone. Idempotent.
 */
export async function dropWorktree({ commonDir }: Repository, folder: string): Promise<void> {
  // Git notes where it really is.
  const real = path.join(await realpath(path.dirname(folder)).catch(() => path.dirname(folder)), path.basename(folder));
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  const notes = path.join(commonDir, "worktrees");
  for (const name of await readdir(notes).catch(() => [])) {
    const named = (await readFile(path.join(notes, name, "gitdir"), "utf8").catch(() => "")).trim();
    if (named !== "" && path.resolve(notes, name, named) === path.join(real, ".git"))
      await rm(path.join(notes, name), { recursive: true, force: true });
  }
}
