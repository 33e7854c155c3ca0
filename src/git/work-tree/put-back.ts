import path from "node:path";
import type { Result } from "../../core/result.ts";
import type { Measuring, WorkChange } from "../commit.ts";
import { isAbsent, isFile, isSubmodule, printableList } from "../diff.ts";
import { filteredAmong } from "../filters.ts";
import type { Staged } from "../snapshot.ts";
import { applyTree, type ApplyTrouble } from "./apply-tree.ts";
import { indexOf } from "./ignored.ts";
import { inTheWay } from "./in-the-way.ts";
import { partialTree } from "./partial-tree.ts";
import { PATCH_BYTES } from "./patch-file.ts";

export interface Trees {
  /** only the paths that differ, as HEAD has them */
  readonly before: string;
  /** the same as the work tree has them */
  readonly after: string;
  /** holds `after` */
  readonly index: string;
}

/** A repository that was added is left alone: it is in neither tree, and the index forgets it. */
export async function treesOf({ git }: Measuring, all: readonly WorkChange[]): Promise<Trees> {
  const index = path.join(git.folder, "set-aside-index");
  const changes = all.filter(({ after }) => !isSubmodule(after));
  const before = await partialTree(
    git,
    index,
    changes.map((change) => [change.path, change.before]),
  );
  const after = await partialTree(
    git,
    index,
    changes.map((change) => [change.path, change.after]),
  );
  return { before, after, index };
}

const PATCH = ["diff-tree", "-r", "-p", "--binary", "--full-index", "--no-renames", "--no-ext-diff", "--no-textconv"];
/** As `git apply` takes it, with paths relative to the repository's top; undefined: it is too large to be kept. */
export async function patchBetween({ git }: Measuring, { before, after }: Trees): Promise<string | undefined> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  const onOutput = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= PATCH_BYTES) pieces.push(chunk);
  };
  const prefixes = ["--src-prefix=a/", "--dst-prefix=b/"];
  await git.run([...PATCH, ...prefixes, before, after], { onOutput });
  return bytes > PATCH_BYTES ? undefined : Buffer.concat(pieces).toString("latin1");
}

/** Files that are not put back. */
export interface Unfit {
  /** byte strings from the repository's top */
  readonly paths: readonly string[];
  /** a sentence without its end, which names them */
  readonly why: string;
  /** what a person can do; absent: put them back as they were */
  readonly cure?: string;
}

/** What cannot be put back without running something, or writing over what nobody has kept. */
export async function unfitAmong(
  { git }: Measuring,
  { head }: Pick<Staged, "head">,
  changes: readonly WorkChange[],
): Promise<readonly Unfit[]> {
  const there = changes.filter(({ before }) => !isAbsent(before));
  const modules = there.filter(({ after }) => isSubmodule(after)).map((change) => change.path);
  // Which files these are HEAD says, whatever the work has made of its attributes.
  const index = await indexOf(git, head);
  const files = there.filter(({ before }) => isFile(before)).map((change) => change.path);
  const filtered = [...(await filteredAmong(git, files, index))];
  // Changed the other way round: what is there now is what is going to be replaced.
  const inWay = await inTheWay(
    git,
    changes.map((change) => ({ ...change, before: change.after, after: change.before })),
  );
  const blocked = files.filter((name) =>
    inWay.some((other) => other === name || other.startsWith(`${name}/`) || name.startsWith(`${other}/`)),
  );
  const found: readonly Unfit[] = [
    {
      paths: modules,
      why: `${printableList(modules)} is a repository of its own at another commit`,
      cure: `git submodule update --checkout -- ${printableList(modules)}`,
    },
    { paths: blocked, why: `${printableList(inWay)}, which git ignores, would be written over` },
    {
      paths: filtered,
      why: `${printableList(filtered)} belongs to a git filter such as LFS, which is never run here`,
    },
  ];
  return found.filter(({ paths }) => paths.length > 0);
}

/** Brings the files from `after` to `before`. */
export async function putBack(
  { git, staging }: Measuring,
  { before, after, index }: Trees,
): Promise<Result<undefined, ApplyTrouble>> {
  await git.try(["update-index", "-q", "--refresh"], { index });
  const signal = new AbortController().signal;
  const applied = await applyTree(git, { from: after, to: before, trial: index, index, signal });
  // An empty folder does not tell our index of the submodule that belongs there.
  staging.forget();
  return applied;
}
