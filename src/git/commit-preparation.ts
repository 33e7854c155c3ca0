import { OperationalError } from "../core/errors.ts";
import { printableList } from "./change.ts";
import type { CommitIndex } from "./commit-index.ts";
import { type Difference, differencesFrom, isAbsent } from "./difference.ts";
import { filteredAmong, isUnchangedLargeFile } from "./filtered-paths.ts";
import type { PrivateGit } from "./private-git.ts";
import type { Scope } from "./scope.ts";
import type { Staged, Staging } from "./staging.ts";

/** What a commit is made with. */
export interface Committing {
  readonly git: PrivateGit;
  readonly scope: Scope;
  readonly staging: Staging;
  readonly index: CommitIndex;
}

/** What a commit of the staged work is going to hold. */
export interface Prepared {
  readonly staged: Staged;
  /** written to the person's repository; null: nothing differs from HEAD */
  readonly tree: string | null;
  /** whether unchanged files behind a filter, which only look changed, are left as HEAD has them */
  readonly leftOut: boolean;
}

interface Differing {
  readonly differences: readonly Difference[];
  /** paths, byte strings, of which those that a filter would turn into something else */
  readonly filtered: ReadonlySet<string>;
}

/**
 * Compares what is staged with HEAD, and writes the tree that a commit of it has. Moves and promises nothing.
 *
 * @throws OperationalError `GIT_FILTER_NEEDED` when only a filter could stage what has changed
 */
export async function prepareCommit(use: Committing, staged: Staged): Promise<Prepared> {
  const all = await differingFrom(use, staged);
  const differences = await stageable(use.git, all);
  const tree = differences.length === 0 ? null : await use.index.write(staged.head, differences);
  return { staged, tree, leftOut: all.differences.length !== differences.length };
}

/** Whether what differs from HEAD is the same: paths are only ever added to those that were touched. */
export function isAs(last: Staged, staged: Staged): boolean {
  const { base, index, theirs, touched } = staged;
  const same = last.base === base && last.index === index && last.theirs.digest === theirs.digest;
  return same && last.touched.length === touched.length;
}

/** What the work tree holds otherwise than HEAD, and which of it belongs to a filter. */
async function differingFrom({ git, scope }: Committing, staged: Staged): Promise<Differing> {
  const { base, theirs, touched } = staged;
  if (theirs.none && touched.length === 0) return { differences: [], filtered: new Set() };
  // Nearly always these are all there are, so that both can be asked at once.
  const looked = staged.differences ?? differencesFrom(git, base, scope);
  const [differences, known] = await Promise.all([looked, filteredAmong(git, touched)]);
  const asked = new Set(touched);
  const others = differences.filter(({ path, indexed }) => !asked.has(path) && !isAbsent(indexed));
  const more = await filteredAmong(
    git,
    others.map((difference) => difference.path),
  );
  return { differences, filtered: new Set([...known, ...more]) };
}

/** What differs from HEAD, as byte strings: what a commit would take in, or refuse because of a filter. */
export async function pathsDiffering(use: Committing, staged: Staged): Promise<readonly string[]> {
  const differing = await reallyDiffering(use.git, await differingFrom(use, staged));
  return differing.map(({ path }) => path);
}

/** Without the unchanged files behind a filter; changed ones end the commit, for only the filter could stage them. */
async function stageable(git: PrivateGit, all: Differing): Promise<readonly Difference[]> {
  const differing = await reallyDiffering(git, all);
  const changed = differing.filter(({ path, indexed }) => !isAbsent(indexed) && all.filtered.has(path));
  if (changed.length > 0) throw filterNeeded(changed.map(({ path }) => path));
  return differing;
}

/** Without the unchanged files behind a filter, which git only takes for changed because filters are not run. */
async function reallyDiffering(git: PrivateGit, { differences, filtered }: Differing): Promise<readonly Difference[]> {
  const differing: Difference[] = [];
  for (const difference of differences) {
    const isBehind = !isAbsent(difference.indexed) && filtered.has(difference.path);
    if (!isBehind || !(await isUnchangedLargeFile(git, difference))) differing.push(difference);
  }
  return differing;
}

function filterNeeded(paths: readonly string[]): OperationalError {
  return new OperationalError({
    code: "GIT_FILTER_NEEDED",
    what:
      `The loop's work cannot be committed: ${printableList(paths)} changed and belongs to a git filter such as LFS, ` +
      "which is never run on an agent's work. It is in your work tree, unharmed; nothing was committed.",
    next: "Commit the work yourself, or undo the change of these files and resume the loop, or use commit: never.",
  });
}
