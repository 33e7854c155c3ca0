import { nulFields } from "./git.ts";
import { squashedMessage } from "./commit-message.ts";
import { isSubmodule } from "./difference.ts";
import { succeeded } from "./private-git.ts";
import type { CommitsSince, CommitToMake, EntryChange } from "./work-branch-answers.ts";
import { changesBetween } from "./work-branch-changes.ts";
import { checkedCommit, isAncestor, type Reach } from "./work-branch-reach.ts";

/** From where to where, and how many commits that may be. */
export interface Stretch {
  /** a commit that is on the remote, with all that it holds */
  readonly base: string;
  readonly commit: string;
  /** more than these become one */
  readonly most: number;
}

/** A commit as git stores it. */
interface Stored {
  readonly id: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
}

/** See `WorkBranch.commitsSince`. */
export async function commitsSince(reach: Reach, { base, commit, most }: Stretch): Promise<CommitsSince> {
  if (!(await isAncestor(reach, checkedCommit(base), checkedCommit(commit)))) {
    return { known: false, because: "rewritten", why: "history was rewritten" };
  }
  const stored = await storedBetween(reach, base, commit);
  const follows = (i: number): string => stored[i - 1]?.id ?? base;
  const isLine = stored.every(({ parents }, i) => parents.length === 1 && parents[0] === follows(i));
  const baseTree = await treeOf(reach, base);
  if (isLine && stored.length <= most) {
    const commits = await Promise.all(stored.map(async (one, i) => toMake(reach, one, follows(i))));
    return { known: true, baseTree, commits, squashed: null };
  }
  const whole = { id: commit, tree: await treeOf(reach, commit), message: squashedMessage(stored.map(messageOf)) };
  return {
    known: true,
    baseTree,
    commits: [await toMake(reach, whole, base)],
    squashed: { from: stored.length, because: isLine ? "many" : "merge" },
  };
}

/** The contents of blobs by their ids; all of them are held in memory. */
export async function contentsOf(
  { remote, signal }: Reach,
  blobs: readonly string[],
): Promise<ReadonlyMap<string, Buffer>> {
  const contents = new Map<string, Buffer>();
  if (blobs.length === 0) return contents;
  const args = ["cat-file", "--batch=%(objectname) %(objectsize)"];
  const output = succeeded(args, await remote.try(args, { signal, online: true, input: lines(blobs) }));
  for (let at = 0; at < output.length;) {
    const end = output.indexOf("\n", at);
    const [id = "", size = ""] = output.slice(at, end).split(" ");
    const length = Number(size);
    if (!Number.isSafeInteger(length)) throw new Error(`git does not have ${id}`);
    contents.set(id, Buffer.from(output.slice(end + 1, end + 1 + length), "latin1"));
    at = end + 1 + length + 1;
  }
  return contents;
}

/** The commits of `base..commit`, oldest first. */
async function storedBetween({ remote, signal }: Reach, base: string, commit: string): Promise<readonly Stored[]> {
  const args = ["log", "-z", "--reverse", "--topo-order", "--encoding=UTF-8", "--format=tformat:%H %T %P%n%B"];
  const listed = succeeded(args, await remote.try([...args, `${base}..${commit}`, "--"], { signal, online: true }));
  return nulFields(listed).map((record) => {
    const [id = "", tree = "", ...parents] = record.slice(0, record.indexOf("\n")).split(" ");
    const message = Buffer.from(record.slice(record.indexOf("\n") + 1), "latin1").toString("utf8");
    return { id, tree, parents: parents.filter((parent) => parent !== ""), message };
  });
}

async function toMake(
  reach: Reach,
  { id, tree, message }: Omit<Stored, "parents">,
  parent: string,
): Promise<CommitToMake> {
  const changes = await changesBetween(reach, parent, id);
  const blobs = changes.filter(({ after }) => after.isFile).map(({ after }) => after.object);
  const sizes = await sizesOf(reach, [...new Set(blobs)]);
  return {
    id,
    tree,
    message,
    changes: changes.map(({ path, before, after }): EntryChange => {
      const replaced = before.isFile ? before.object : null;
      if (!after.isFile && !isSubmodule(after)) return { path, replaced, entry: null };
      return {
        path,
        replaced,
        entry: { mode: after.mode, object: after.object, size: sizes.get(after.object) ?? null },
      };
    }),
  };
}

async function sizesOf({ remote, signal }: Reach, blobs: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (blobs.length === 0) return new Map();
  const args = ["cat-file", "--batch-check=%(objectname) %(objectsize)"];
  const listed = succeeded(args, await remote.try(args, { signal, online: true, input: lines(blobs) }));
  return new Map(
    listed.split("\n").flatMap((line): [string, number][] => {
      const [id = "", size = ""] = line.split(" ");
      return id === "" ? [] : [[id, Number(size)]];
    }),
  );
}

async function treeOf({ remote, signal }: Reach, commit: string): Promise<string> {
  const args = ["rev-parse", "--verify", `${commit}^{tree}`];
  return succeeded(args, await remote.try(args, { signal, online: true })).trim();
}

function lines(ids: readonly string[]): string {
  return ids.map((id) => `${id}\n`).join("");
}

function messageOf({ message }: Stored): string {
  return message;
}
