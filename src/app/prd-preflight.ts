import path from "node:path";
import { UsageError } from "../core/errors.ts";
import type { LoopState } from "../core/state.ts";
import type { Prd } from "../core/story/story.ts";
import { localTip } from "../git/checkout/local-branch.ts";
import { checkedOut, checkedOutBranch, findRepository, isGitRepository } from "../git/repository.ts";
import { trackedAmong } from "../git/status.ts";
import { createGitWorkspace, type GitWorkspace } from "../git/workspace.ts";
import { exists } from "../os/file-errors.ts";
import { inTempFolder } from "../os/temp-folder.ts";
import { JSON_FILE, MARKDOWN_FILE, prdFolder } from "../prd/folder.ts";
import { withPrivateGit } from "./checkout/stand-on-branch.ts";
import { quoted } from "./resume/command.ts";

const FILES_SHOWN = 10;

/** Of a PRD's folder these are committed; they may be new or changed, and go with the first story's commit. */
const DOCUMENTS = [MARKDOWN_FILE, JSON_FILE];

/** Where a PRD's stories are worked on. */
interface StoryTree {
  /** of the workspace, absolute */
  readonly root: string;
  /** the PRD's, seen from the root, with `/` */
  readonly folder: string;
  /** the loop's state; undefined: it begins */
  readonly stored: LoopState | undefined;
  /** a folder of our own, absolute, so that nothing is written for a loop that is refused; absent: the loop's */
  readonly scratch?: string | undefined;
}

/**
 * Refuses to begin a PRD's stories on a work tree that holds what is not the loop's: a story's commit would take it in.
 * What a run that was killed within an iteration has left cannot be told from other work, and is the loop's.
 *
 * @param canGoBeside whether the stories may be worked on in a work tree that is still to be made
 * @throws UsageError `PRD_TREE_DIRTY`
 */
export async function refuseDirtyTree(
  workspace: GitWorkspace,
  { canGoBeside, ...tree }: StoryTree & { readonly canGoBeside: boolean },
): Promise<void> {
  const { root, folder, stored } = tree;
  const isWithin = stored !== undefined && stored.phase !== "ready" && stored.phase !== "settled";
  if (isWithin) return;
  const { foreign, hasDocuments } = await workIn(workspace, tree);
  if (foreign.length === 0) return;
  const first = hasDocuments ? `commit ${folder} alone, ` : "";
  const beside = canGoBeside
    ? `; or ${first}leave the rest and have the stories worked on beside it: --worktree on`
    : "";
  const commit =
    (await checkedOut(root)) === null
      ? "Commit them: the repository has no commit yet"
      : "Commit them, or git stash them";
  throw treeDirty(root, foreign, `${commit}${beside}.`);
}

export function treeDirty(root: string, foreign: readonly string[], next: string): UsageError {
  const more = foreign.length > FILES_SHOWN ? ` and ${foreign.length - FILES_SHOWN} more` : "";
  return new UsageError({
    code: "PRD_TREE_DIRTY",
    what: `There are changes in ${root} that are not committed, and a story's commit would take them in: ${foreign.slice(0, FILES_SHOWN).join(", ")}${more}. Nothing was changed.`,
    next,
  });
}

/**
 * What the work tree holds beyond the last commit, and what of it is not as the loop left it. The PRD's own documents are
 * in neither: they may be new or changed, and go with the next story's commit.
 *
 * @returns paths as people read them
 */
export async function workIn(
  workspace: GitWorkspace,
  { folder, stored, scratch }: StoryTree,
): Promise<{ readonly work: readonly string[]; readonly foreign: readonly string[]; readonly hasDocuments: boolean }> {
  const documents = new Set(DOCUMENTS.map((name) => `${folder}/${name}`));
  const dirty = await workspace.dirtyFiles(scratch);
  const work = dirty.filter((name) => !documents.has(name));
  const hasDocuments = work.length < dirty.length;
  if (work.length === 0) return { work, foreign: [], hasDocuments };
  const others = stored?.snapshot ? await workspace.changedOtherwise(stored.snapshot) : undefined;
  return { work, foreign: others?.filter((name) => !documents.has(name)) ?? work, hasDocuments };
}

/**
 * Refuses to work on a PRD in another work tree while its documents are not committed: that one would hold others.
 *
 * @param root of the person's workspace, absolute
 * @param scratch as above
 * @throws UsageError `PRD_NOT_COMMITTED`
 */
export async function refuseUncommittedPrd(
  workspace: GitWorkspace,
  { root, prd: { name, folder }, scratch }: { root: string; prd: Pick<Prd, "name" | "folder">; scratch: string },
): Promise<void> {
  const dirty = new Set(await workspace.dirtyFiles(scratch));
  const leading = `${folder}/${JSON_FILE}`;
  const isTracked = (await trackedAmong(root, [leading])).length > 0;
  const open = DOCUMENTS.map((file) => `${folder}/${file}`).filter(
    (file) => dirty.has(file) || (file === leading && !isTracked),
  );
  if (open.length === 0) return;
  throw new UsageError({
    code: "PRD_NOT_COMMITTED",
    what: `A work tree begins with what is committed, and ${open.join(" and ")} ${open.length === 1 ? "is" : "are"} not, or not as it is now. Nothing was changed.`,
    next: `Give ${commandToCommit(root, name, root)}, then the command again; or work in the checkout: --worktree off.`,
  });
}

/**
 * Refuses what is only to be done where the stories are worked on. A branch that is no more, as after a merge, asks for
 * nothing: the next run works on what is checked out as well.
 *
 * @param root where they are worked on, absolute, in a git repository
 * @param branch what was checked out there as the last run began; undefined: none, or it is not known
 * @throws UsageError `STORIES_ELSEWHERE`
 */
export async function refuseOtherBranch(root: string, branch: string | undefined): Promise<void> {
  const repository = branch === undefined ? undefined : await findRepository(root);
  if (branch === undefined || repository === undefined) return;
  const tip = await withPrivateGit(repository, (git) => localTip({ git, ref: `refs/heads/${branch}` }));
  if (tip.isCheckedOut || tip.commit === null) return;
  const on = await checkedOutBranch(root);
  throw new UsageError({
    code: "STORIES_ELSEWHERE",
    what: `The stories are worked on on the branch ${branch}, and ${on === null ? "no branch" : on} is checked out in ${root}. Nothing was changed.`,
    next: `Give git -C ${root} switch ${branch}, then the command again.`,
  });
}

/** The PRD's documents that are not committed as they are, seen from the root; none outside of git. Looks at its folder alone. */
export async function uncommittedDocuments(root: string, name: string): Promise<readonly string[]> {
  const own = path.join(root, prdFolder(name));
  if (!(await isGitRepository(root)) || !(await exists(own))) return [];
  const dirty = await inTempFolder(async (folder) =>
    (await createGitWorkspace({ root: own, folder, excluded: [] })).dirtyFiles(),
  );
  return DOCUMENTS.filter((file) => dirty.includes(file)).map((file) => `${prdFolder(name)}/${file}`);
}

/** What a person gives to commit the documents of a PRD as they are. @param cwd where they stand, absolute */
export function commandToCommit(root: string, name: string, cwd: string): string {
  const git = path.resolve(root) === path.resolve(cwd) ? "git" : `git -C ${quoted(root)}`;
  return `${git} add ${prdFolder(name)} && ${git} commit -m "docs: PRD ${name}" -- ${prdFolder(name)}`;
}
