import { UsageError } from "../core/errors.ts";
import type { LoopState, Snapshot } from "../core/state.ts";
import type { Prd } from "../core/story/story.ts";
import { findRepository } from "../git/repository.ts";
import { trackedAmong } from "../git/status.ts";
import type { GitWorkspace } from "../git/workspace.ts";
import { JSON_FILE, MARKDOWN_FILE } from "../prd/folder.ts";

const FILES_SHOWN = 10;

/** Of a PRD's folder these are committed; they may be new or changed, and go with the first story's commit. */
const DOCUMENTS = [MARKDOWN_FILE, JSON_FILE];

/**
 * Refuses to begin a PRD's stories on a work tree that holds what is not the loop's: a story's commit would take it in.
 *
 * The PRD's own documents may be new or changed. What a run left unfinished is the loop's own: the tree is what the state
 * says, or the run was killed within an iteration.
 *
 * @param root of the workspace, absolute
 * @param folder the PRD's, seen from the root, with `/`
 * @param stored the loop's state; undefined: it begins
 * @param scratch a folder of our own, absolute, so that nothing is written for a loop that is refused; absent: the loop's
 * @throws UsageError `PRD_TREE_DIRTY`
 */
export async function refuseDirtyTree(
  workspace: GitWorkspace,
  { root, folder, stored, scratch }: { root: string; folder: string; stored: LoopState | undefined; scratch?: string },
): Promise<void> {
  const isWithin = stored !== undefined && stored.phase !== "ready" && stored.phase !== "settled";
  if (isWithin) return;
  const prefix = (await findRepository(root))?.prefix ?? "";
  const allowed = new Set(DOCUMENTS.map((name) => `${prefix}${folder}/${name}`));
  const dirty = (await workspace.dirtyFiles(scratch)).filter((name) => !allowed.has(name));
  if (dirty.length === 0) return;
  if (stored?.snapshot && (await isLeft(workspace, stored.snapshot, allowed))) return;
  const more = dirty.length > FILES_SHOWN ? ` and ${dirty.length - FILES_SHOWN} more` : "";
  throw new UsageError({
    code: "PRD_TREE_DIRTY",
    what: `There are changes in ${root} that are not committed, and a story's commit would take them in: ${dirty.slice(0, FILES_SHOWN).join(", ")}${more}. Nothing was changed.`,
    next: "Commit them, or git stash them; or leave them where they are and let the stories be worked on beside them: --worktree on.",
  });
}

/** Whether the tree is as the loop left it, apart from the PRD's documents, which are the person's to edit between runs. */
async function isLeft(workspace: GitWorkspace, left: Snapshot, documents: ReadonlySet<string>): Promise<boolean> {
  const now = await workspace.snapshot();
  const change = now && (await workspace.compare(left, now));
  if (change === null || change.files > documents.size) return false;
  const names = change.stat.split("\n").map((line) => line.replace(/ \| [^|]*$/u, ""));
  return names.filter((name) => name !== "").every((name) => documents.has(name));
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
  const prefix = (await findRepository(root))?.prefix ?? "";
  const dirty = new Set(await workspace.dirtyFiles(scratch));
  const leading = `${folder}/${JSON_FILE}`;
  const isTracked = (await trackedAmong(root, [leading])).length > 0;
  const open = DOCUMENTS.map((file) => `${folder}/${file}`).filter(
    (file) => dirty.has(prefix + file) || (file === leading && !isTracked),
  );
  if (open.length === 0) return;
  throw new UsageError({
    code: "PRD_NOT_COMMITTED",
    what: `A work tree begins with what is committed, and ${open.join(" and ")} ${open.length === 1 ? "is" : "are"} not, or not as it is now. Nothing was changed.`,
    next: `Give git add ${folder} && git commit -m "docs: PRD ${name}", then the command again; or work in the checkout: --worktree off.`,
  });
}
