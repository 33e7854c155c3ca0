import { lstat, rm } from "node:fs/promises";
import path from "node:path";
import { nulFields, nulTerminated } from "../git.ts";
import { oneLine } from "../../views/plain-text.ts";
import { changesBetween, indexLine, isAbsent, isSubmodule, type Side, type TreeChange } from "./tree-changes.ts";
import type { PersonsWorkTree, OwnRepository } from "./own-repository.ts";

/** What became of a work tree that was to be laid over what is checked out. */
export type Laid =
  | { readonly laid: "nothing" | "applied" }
  /** nothing was changed */
  | { readonly laid: "conflict"; readonly where: string }
  /** it broke off midway: the disk is full */
  | { readonly laid: "failed"; readonly why: string };

/** Work as it was kept: the tree, and the one that it began with. */
export interface Work {
  readonly base: string;
  readonly tree: string;
}

const SAID_LIMIT = 300;

/**
 * Changes the person's work tree by what lies between `work.base` and `work.tree`; `head` is the tree that is checked
 * out. Where that is another than the work began with, the two are merged first. All of it or nothing, as far as git
 * can tell before; files that the work does not touch are not looked at. The person's index stays as it is.
 */
async function layOver(
  git: OwnRepository,
  workTree: PersonsWorkTree,
  work: Work,
  head: string,
  signal: AbortSignal,
): Promise<Laid> {
  if (work.base === head) return bringFrom(git, workTree, head, work.tree, signal);
  const merged = await merge(git, work, head, signal);
  return "tree" in merged
    ? bringFrom(git, workTree, head, merged.tree, signal)
    : { laid: "conflict", where: merged.conflicts };
}

/** Lays work over what is checked out, and lets the workspace compare with it. */
export async function restoreWork(
  git: OwnRepository,
  workTree: PersonsWorkTree,
  work: Work,
  signal: AbortSignal,
): Promise<Laid> {
  const head = await git.rootOf(await workTree.head(), signal);
  // Without the objects the workspace cannot compare, which is no reason to lose the work.
  await shareObjects(git, workTree, work, signal).catch(() => undefined);
  return layOver(git, workTree, work, head, signal);
}

/** Gives the workspace the objects of a tree that it may want to compare with; what `base` has, it has. */
async function shareObjects(
  git: OwnRepository,
  workTree: PersonsWorkTree,
  { base, tree }: Work,
  signal: AbortSignal,
): Promise<void> {
  const pack = path.join(workTree.privateObjects, "pack/pack");
  await git.run(["pack-objects", "--quiet", "--revs", pack], { signal, input: `${tree}\n^${base}\n` });
}

/** Merges the work with what is checked out, as trees: no file is touched. */
async function merge(
  git: OwnRepository,
  { base, tree }: Work,
  head: string,
  signal: AbortSignal,
): Promise<{ tree: string } | { conflicts: string }> {
  const commit = async (of: string, parent?: string) => {
    const args = ["commit-tree", of, "-m", "merge", ...(parent === undefined ? [] : ["-p", parent])];
    return (await git.run(args, { signal })).trim();
  };
  const from = await commit(base);
  const args = ["merge-tree", "--write-tree", "--name-only", "-z", await commit(head, from), await commit(tree, from)];
  const { exitCode, stdout, stderr } = await git.try(args, { signal });
  signal.throwIfAborted();
  const [merged = "", ...paths] = nulFields(stdout);
  if (exitCode === 0) return { tree: merged };
  if (exitCode !== 1) return { conflicts: `this git cannot merge them: ${said(stderr)}` };
  const conflicting = paths.slice(0, paths.indexOf("")).map(printable);
  return { conflicts: `both have changed ${conflicting.slice(0, 10).join(", ")}` };
}

/** Brings the work tree from one tree to another, in a minimal index that knows only the paths that differ. */
async function bringFrom(
  git: OwnRepository,
  workTree: PersonsWorkTree,
  from: string,
  to: string,
  signal: AbortSignal,
): Promise<Laid> {
  const all = await changesBetween(git, from, to, signal);
  const changes = all.filter(({ before, after }) => !isSubmodule(before) && !isSubmodule(after));
  if (changes.length === 0) return { laid: "nothing" };
  const link = await linkInTheWay(workTree, changes);
  if (link !== undefined) return { laid: "conflict", where: `${printable(link)} is a symbolic link here` };
  const index = path.join(git.place.folder, "restore-index");
  const after = await treeOf(git, workTree, index, changes, (change) => change.after, signal);
  const before = await treeOf(git, workTree, index, changes, (change) => change.before, signal);
  await git.try(["update-index", "-q", "--refresh"], { signal, index, inWorkTree: true });
  const protect = ["-c", "core.protectNTFS=true", "-c", "core.protectHFS=true"];
  const bring = ["-m", "-u", before, after];
  const tried = await git.try([...protect, "read-tree", "-n", ...bring], { signal, index, inWorkTree: true });
  signal.throwIfAborted();
  if (tried.exitCode !== 0) {
    const isThere = await agrees(git, workTree, index, after, changes, signal);
    return isThere ? { laid: "applied" } : { laid: "conflict", where: said(tried.stderr) };
  }
  // Once files are being written, time does not break it off.
  const done = await git.try([...protect, "read-tree", ...bring], {
    signal: new AbortController().signal,
    index,
    inWorkTree: true,
  });
  return done.exitCode === 0 ? { laid: "applied" } : { laid: "failed", why: said(done.stderr) };
}

/** The tree that holds one side of the changes and nothing else, relative to the top; `index` holds the same. */
async function treeOf(
  git: OwnRepository,
  workTree: PersonsWorkTree,
  index: string,
  changes: readonly TreeChange[],
  side: (change: TreeChange) => Side,
  signal: AbortSignal,
): Promise<string> {
  const prefix = Buffer.from(workTree.prefix).toString("latin1");
  const present = changes.filter((change) => !isAbsent(side(change)));
  const input = nulTerminated(present.map((change) => indexLine(`${prefix}${change.path}`, side(change))));
  await Promise.all([index, `${index}.lock`].map((file) => rm(file, { force: true })));
  await git.run(["read-tree", "--empty"], { signal, index });
  const added = await git.try(["update-index", "--add", "-z", "--index-info"], { signal, index, input });
  // Names that git never writes, such as `.git`, are passed over with no more than a word.
  if (added.exitCode !== 0 || added.stderr !== "")
    throw new Error(`git does not take all of it: ${said(added.stderr)}`);
  return (await git.run(["write-tree"], { signal, index })).trim();
}

/** Whether the work tree holds the changes already. */
async function agrees(
  git: OwnRepository,
  workTree: PersonsWorkTree,
  index: string,
  after: string,
  changes: readonly TreeChange[],
  signal: AbortSignal,
): Promise<boolean> {
  const use = { signal, index, inWorkTree: true };
  await git.run(["read-tree", after], use);
  if ((await git.try(["update-index", "-q", "--refresh"], use)).exitCode !== 0) return false;
  const top = Buffer.from(`${workTree.top}/${workTree.prefix}`);
  const gone = changes.filter((change) => isAbsent(change.after));
  const left = await Promise.all(
    gone.map(({ path: name }) => lstat(Buffer.concat([top, Buffer.from(name, "latin1")])).catch(() => undefined)),
  );
  return left.every((info) => info === undefined || info.isDirectory());
}

/** A symbolic link that git would replace by a folder, though the work knows nothing of it. A byte string. */
async function linkInTheWay(workTree: PersonsWorkTree, changes: readonly TreeChange[]): Promise<string | undefined> {
  const known = new Set(changes.flatMap(({ path: name, before }) => (isAbsent(before) ? [] : [name])));
  const folders = new Set(changes.flatMap(({ path: name, after }) => (isAbsent(after) ? [] : foldersOf(name))));
  const top = Buffer.from(`${workTree.top}/${workTree.prefix}`);
  for (const folder of folders) {
    const info = await lstat(Buffer.concat([top, Buffer.from(folder, "latin1")])).catch(() => undefined);
    if (info?.isSymbolicLink() === true && !known.has(folder)) return folder;
  }
  return undefined;
}

function foldersOf(name: string): readonly string[] {
  const parts = name.split("/").slice(0, -1);
  return parts.map((_part, i) => parts.slice(0, i + 1).join("/"));
}

/** A path, a byte string, for the eyes of people. */
export function printable(name: string): string {
  const text = Buffer.from(name, "latin1").toString("utf8");
  return oneLine(text.replaceAll("\n", String.raw`\n`)).slice(0, 200);
}

function said(stderr: string): string {
  return oneLine(stderr).slice(0, SAID_LIMIT);
}
