import { DONE, done, failed, type Result, type Trouble } from "../core/result.ts";
import { type BranchRepository, fetchHere, isAncestor } from "./branch-repository.ts";
import { writePatch } from "./change-guard.ts";
import { squashedMessage } from "./commit.ts";
import { decoded, type FileChange, isFile, isSubmodule } from "./diff.ts";
import { checkedId } from "./git.ts";
import { commitOf, type TrueCommit } from "./true-trees.ts";

/** What a path becomes in a commit. */
export interface EntryChange {
  /** a byte string, relative to the repository's top */
  readonly path: string;
  /** the blob that was there; null: none, or no file */
  readonly replaced: string | null;
  /** null: nothing is there any more. `mode` as in `100755`; `size` in bytes, null for a submodule */
  readonly entry: { readonly mode: string; readonly object: string; readonly size: number | null } | null;
}

/** A commit to make again on the remote; its changes since the one before it, a rename being two. */
export interface CommitToMake extends Omit<Stored, "parents"> {
  readonly changes: readonly EntryChange[];
}

/** The commits that lead from one to another. */
export interface CommitsSince {
  readonly baseTree: string;
  /** oldest first */
  readonly commits: readonly CommitToMake[];
  /** how many commits became one, and why: there is a merge among them, or there are too many; null: none did */
  readonly squashed: { readonly from: number; readonly because: "merge" | "many" } | null;
}

/** `because` is part of a sentence; `rewritten`: the commit does not hold the base. */
export interface CommitsTrouble extends Trouble {
  readonly kind: "rewritten" | "failed";
}

/** From where to where, and how many commits that may be. */
export interface Stretch {
  /** a commit that is on the remote, with all that it holds */
  readonly base: string;
  readonly commit: string;
  /** more than these become one */
  readonly most: number;
}

interface Stored extends TrueCommit {
  readonly id: string;
}

/** See `WorkBranch.commitsSince`. */
export async function commitsSince(
  repository: BranchRepository,
  { base, commit, most }: Stretch,
): Promise<Result<CommitsSince, CommitsTrouble>> {
  if (!(await isAncestor(repository, checkedId(base), checkedId(commit)))) {
    return failed({ kind: "rewritten", because: "history was rewritten" });
  }
  const stored = await storedBetween(repository, base, commit);
  const follows = (i: number): string => stored[i - 1]?.id ?? base;
  const isLine = stored.every(({ parents }, i) => parents.length === 1 && parents[0] === follows(i));
  const baseTree = await treeOf(repository, base);
  if (isLine && stored.length <= most) {
    const commits = await Promise.all(stored.map(async (one, i) => toMake(repository, one, follows(i))));
    return done({ baseTree, commits, squashed: null });
  }
  const message = squashedMessage(stored.map((one) => one.message));
  const whole = await toMake(repository, { id: commit, tree: await treeOf(repository, commit), message }, base);
  return done({ baseTree, commits: [whole], squashed: { from: stored.length, because: isLine ? "many" : "merge" } });
}

/** The contents of blobs by their ids; all of them are held in memory. */
export async function contentsOf(
  { remote }: BranchRepository,
  blobs: readonly string[],
): Promise<ReadonlyMap<string, Buffer>> {
  const read = await remote.trueObjects(blobs, { online: true });
  const missing = blobs.find((blob) => read.get(blob)?.type !== "blob");
  if (missing !== undefined) throw new Error(`git does not have ${missing}`);
  return new Map([...read].map(([id, { content = "" }]) => [id, Buffer.from(content, "latin1")]));
}

/** The commits of `base..commit` as their contents have them, oldest first. */
async function storedBetween({ remote }: BranchRepository, base: string, commit: string): Promise<readonly Stored[]> {
  const online = { online: true };
  const listed = await remote.run(["rev-list", "--reverse", "--topo-order", `${base}..${commit}`, "--"], online);
  const ids = listed.split("\n").filter(Boolean);
  const found = await remote.trueObjects(ids, online);
  return [...found].map(([id, one]) => ({ id, ...commitOf(id, one) }));
}

async function toMake(
  { remote }: BranchRepository,
  { id, tree, message }: Omit<Stored, "parents">,
  parent: string,
): Promise<CommitToMake> {
  // The folders of a partial clone may have to be fetched.
  const changes = await trueChanges(remote, parent, id);
  const blobs = changes.filter(({ after }) => isFile(after)).map(({ after }) => after.object);
  const sizes = await remote.sizes([...new Set(blobs)], { online: true });
  return {
    id,
    tree,
    message,
    changes: changes.map(({ path, before, after }): EntryChange => {
      const replaced = isFile(before) ? before.object : null;
      if (!isFile(after) && !isSubmodule(after)) return { path, replaced, entry: null };
      const { mode, object } = after;
      return { path, replaced, entry: { mode, object, size: sizes.get(object) ?? null } };
    }),
  };
}

/** What differs, whatever the agent wrote under the names of trees and commits. @throws Error when one is not here */
async function trueChanges(
  remote: BranchRepository["remote"],
  from: string,
  to: string,
): Promise<readonly FileChange[]> {
  const changes = await remote.differing(from, to, { online: true });
  if (changes !== undefined) return changes;
  throw new Error(`git cannot compare ${from.slice(0, 12)} and ${to.slice(0, 12)}: a tree of them is not here`);
}

async function treeOf({ remote }: BranchRepository, commit: string): Promise<string> {
  const found = (await remote.trueObjects([checkedId(commit)], { online: true })).get(commit);
  if (found === undefined) throw new Error(`${commit.slice(0, 12)} is not here`);
  return commitOf(commit, found).tree;
}

/** A path relative to the repository's top, as people read it. */
interface ChangedPath {
  readonly path: string;
  readonly change: "added" | "modified" | "deleted";
}

/** Files that differ, renames being two changes; `more`: how many others there are. */
export interface ChangedPaths {
  readonly paths: readonly ChangedPath[];
  readonly more: number;
}

const CHANGES: Readonly<Record<string, ChangedPath["change"]>> = { A: "added", D: "deleted" };

/** See `WorkBranch.changedPaths`. */
export async function pathsBetween(
  repository: BranchRepository,
  base: string,
  head: string,
  limit: number,
): Promise<Result<ChangedPaths>> {
  const brought = await bringHere(repository, [base, head]);
  if (!brought.ok) return brought;
  const changes = await trueChanges(repository.remote, base, head);
  const paths = changes.slice(0, limit).map(({ path, status }): ChangedPath => {
    return { path: decoded(path), change: CHANGES[status] ?? "modified" };
  });
  return done({ paths, more: changes.length - paths.length });
}

/** See `WorkBranch.changedBytes`. */
export async function changedBytes(
  { remote }: BranchRepository,
  base: string,
  head: string,
  paths: readonly string[],
): Promise<number> {
  const wanted = new Set(paths);
  const changes = await trueChanges(remote, checkedId(base), checkedId(head));
  const files = changes.filter(({ path, after }) => isFile(after) && wanted.has(decoded(path)));
  const blobs = [...new Set(files.map(({ after }) => after.object))];
  return [...(await remote.trueSizes(blobs, { online: true })).values()].reduce((sum, bytes) => sum + bytes, 0);
}

/** See `WorkBranch.bring`. */
export async function bringHere(repository: BranchRepository, commits: readonly string[]): Promise<Result> {
  const here = await repository.remote.find(commits.map((commit) => `${checkedId(commit)}^{tree}`));
  for (const commit of commits.filter((_, at) => here[at] === undefined)) {
    const fetched = await fetchHere(repository, commit, 1);
    if (!fetched.ok) return failed({ because: `${commit.slice(0, 12)} is not here: ${fetched.trouble.because}` });
  }
  return DONE;
}

/** First and last of some lines, 1-based. */
export interface Lines {
  readonly from: number;
  readonly to: number;
}

/** By path, the lines that a later commit has otherwise; a path that is not there is the same in both. */
export type ChangedLines = ReadonlyMap<string, readonly Lines[]>;

const ALL_LINES: readonly Lines[] = [{ from: 1, to: Number.MAX_SAFE_INTEGER }];
const PLAIN = ["--unified=0", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames"];
const HUNK = /^@@ -(?<at>\d+)(?:,(?<count>\d+))? \+/gmu;

/** See `WorkBranch.changedLines`. */
export async function linesBetween(
  repository: BranchRepository,
  base: string,
  head: string,
  paths: ReadonlySet<string>,
): Promise<Result<ChangedLines>> {
  const brought = await bringHere(repository, [base, head]);
  if (!brought.ok) return brought;
  const { remote } = repository;
  const changed = new Map<string, readonly Lines[]>();
  for (const { path, before, after } of await trueChanges(remote, base, head)) {
    const name = decoded(path);
    if (!paths.has(name)) continue;
    if (!isFile(before) || !isFile(after)) {
      changed.set(name, ALL_LINES);
      continue;
    }
    // What the agent wrote under these names is found out before git compares it.
    await contentsOf(repository, [before.object, after.object]);
    const patch = await remote.run(["diff", ...PLAIN, before.object, after.object], { online: true });
    const hunks = [...patch.matchAll(HUNK)].map(({ groups }) => linesOf(Number(groups?.["at"]), groups?.["count"]));
    // Of a file that is no text git shows no lines.
    changed.set(name, hunks.length === 0 ? ALL_LINES : hunks);
  }
  return done(changed);
}

/** What is put between two lines changes both. */
function linesOf(at: number, count = "1"): Lines {
  return { from: at, to: count === "0" ? at + 1 : at + Number(count) - 1 };
}

/** See `WorkBranch.keepPatch`. */
export async function keptPatch(
  { remote }: BranchRepository,
  file: string,
  from: string,
  to: string,
): Promise<Result<boolean>> {
  return done(await writePatch(remote, file, checkedId(from), checkedId(to)));
}
