import { lstat } from "node:fs/promises";
import path from "node:path";
import { done, failed, type Result, type Trouble } from "../../core/result.ts";
import { oneLine } from "../../views/plain-text.ts";
import { applyTree } from "./apply-tree.ts";
import { decoded, encoded, type FileChange, fileBelow, foldersOf, isAbsent, isSubmodule, type Side } from "../diff.ts";
import { mergeTrees } from "./merge-trees.ts";
import { partialTree } from "./partial-tree.ts";
import type { PersonsWorkTree, RefGit } from "./ref-git.ts";

/** `conflict`: nothing was changed, and `because` says where; `failed`: it broke off midway, as when the disk is full. */
interface RestoreTrouble extends Trouble {
  readonly kind: "conflict" | "failed";
}

/** What became of the work tree: `nothing`: it holds the work anyway. */
type WorkRestored = Result<"nothing" | "applied", RestoreTrouble>;

/** Work as it was kept: the tree, and the one that it began with. */
export interface Work {
  readonly base: string;
  readonly tree: string;
}

/**
 * Changes the person's work tree by the difference between `work.base` and `work.tree`, and lets the workspace compare
 * with it. Merges first if the checkout differs from the commit that the work began with. All of it or nothing, as far
 * as git can tell before; does not read files that the work does not touch. Leaves the person's index as it is.
 */
export async function restoreWork(git: RefGit, workTree: PersonsWorkTree, work: Work): Promise<WorkRestored> {
  const head = (await git.rootOf(await workTree.head())) ?? (await git.emptyTree());
  // Without the objects the workspace cannot compare, but that is not a reason to lose the work.
  await shareObjects(git, workTree, work).catch(() => undefined);
  const merged = work.base === head ? done(work.tree) : await merge(git, work, head);
  return merged.ok ? bringFrom(git, workTree, head, merged.value) : merged;
}

/** Gives the workspace the objects of a tree that it may want to compare with; what `base` has, it has. */
async function shareObjects(git: RefGit, { privateObjects }: PersonsWorkTree, { base, tree }: Work): Promise<void> {
  const pack = path.join(privateObjects, "pack/pack");
  await git.run(["pack-objects", "--quiet", "--revs", pack], { input: `${tree}\n^${base}\n` });
}

/** Merges the work with what is checked out, as trees: no file is touched. */
async function merge(git: RefGit, { base, tree }: Work, head: string): Promise<Result<string, RestoreTrouble>> {
  const merged = await mergeTrees(git, { base, ours: head, theirs: tree });
  git.signal.throwIfAborted();
  if (merged.ok) return merged;
  const { because, paths } = merged.trouble;
  return conflict(paths.length === 0 ? because : `both have changed ${paths.slice(0, 10).map(shown).join(", ")}`);
}

function conflict(because: string): Result<never, RestoreTrouble> {
  return failed({ kind: "conflict", because });
}

/** Brings the work tree from one tree to another, in a minimal index that knows only the paths that differ. */
async function bringFrom(git: RefGit, workTree: PersonsWorkTree, from: string, to: string): Promise<WorkRestored> {
  const all = from === to ? [] : await git.differing(from, to);
  if (all === undefined) throw new Error(`git does not have all of ${from} and ${to}`);
  const changes = all.filter(({ before, after }) => !isSubmodule(before) && !isSubmodule(after));
  if (changes.length === 0) return done("nothing");
  const link = await linkInTheWay(workTree, changes);
  if (link !== undefined) return conflict(`${shown(link)} is a symbolic link here`);
  const index = git.file("restore-index");
  const after = await treeOf(git, index, changes, (change) => change.after);
  const before = await treeOf(git, index, changes, (change) => change.before);
  await git.try(["update-index", "-q", "--refresh"], { index, inWorkTree: true });
  const applied = await applyTree(git, { from: before, to: after, trial: index, index, signal: git.signal });
  if (applied.ok) return done("applied");
  const { kind, because } = applied.trouble;
  if (kind === "torn") return failed({ kind: "failed", because });
  return (await agrees(git, workTree, index, after, changes)) ? done("applied") : conflict(because);
}

/** The tree with only one side of the changes, relative to the top; `index` holds the same. */
function treeOf(
  git: RefGit,
  index: string,
  changes: readonly FileChange[],
  side: (change: FileChange) => Side,
): Promise<string> {
  const prefix = encoded(git.prefix);
  return partialTree(
    git,
    index,
    changes.map((change) => [`${prefix}${change.path}`, side(change)]),
  );
}

/** Whether the work tree holds the changes already. */
async function agrees(
  git: RefGit,
  workTree: PersonsWorkTree,
  index: string,
  after: string,
  changes: readonly FileChange[],
): Promise<boolean> {
  const use = { index, inWorkTree: true };
  await git.run(["read-tree", after], use);
  if ((await git.try(["update-index", "-q", "--refresh"], use)).exitCode !== 0) return false;
  const gone = changes.filter((change) => isAbsent(change.after));
  const left = await Promise.all(gone.map((change) => lstat(fileIn(workTree, change.path)).catch(() => undefined)));
  return left.every((info) => info === undefined || info.isDirectory());
}

/** A symbolic link that git would replace by a folder, though the work knows nothing of it. A byte string. */
async function linkInTheWay(workTree: PersonsWorkTree, changes: readonly FileChange[]): Promise<string | undefined> {
  const known = new Set(changes.flatMap((change) => (isAbsent(change.before) ? [] : [change.path])));
  const folders = new Set(changes.flatMap((change) => (isAbsent(change.after) ? [] : foldersOf(change.path))));
  for (const folder of folders) {
    const info = await lstat(fileIn(workTree, folder)).catch(() => undefined);
    if (info?.isSymbolicLink() === true && !known.has(folder)) return folder;
  }
  return undefined;
}

/** A path below the workspace's root, a byte string, for Node. */
function fileIn({ top, prefix }: PersonsWorkTree, name: string): Buffer {
  return fileBelow(top, `${encoded(prefix)}${name}`);
}

/** A path, a byte string, for people to read. */
export function shown(name: string): string {
  return oneLine(decoded(name).replaceAll("\n", String.raw`\n`)).slice(0, 200);
}
