import { treeDirty, workIn } from "../../app/prd-preflight.ts";
import { OperationalError, UsageError } from "../../core/errors.ts";
import { STORY_PATCH } from "../../core/names.ts";
import { storySubject } from "../../core/settle.ts";
import type { LoopState } from "../../core/state.ts";
import { recordOf } from "../../core/story/stories.ts";
import type { Story } from "../../core/story/story.ts";
import { operationInProgress } from "../../git/busy.ts";
import { findRepository } from "../../git/repository.ts";
import type { GitWorkspace } from "../../git/workspace.ts";
import { prdFolder } from "../../prd/folder.ts";

/** A story that a person takes as it is. */
export interface Accepting {
  readonly name: string;
  readonly story: Story;
  /** the loop's, as it is under its lock */
  readonly state: LoopState;
  /** where the stories are worked on, absolute */
  readonly root: string;
  /** absolute, the loop's */
  readonly folder: string;
  /** `Name <mail>` */
  readonly by: string;
  /** the command that goes on with the loop */
  readonly goOn: string;
  /** whether the person wants nothing of what was set aside */
  readonly leavesPatch: boolean;
}

/** The story's work, which is in the work tree now and all that is there. */
interface FoundWork {
  /** the patch that was applied for it just now; null: it was there */
  readonly applied: string | null;
  /** whether there is any */
  readonly isAny: boolean;
}

const NOTHING: FoundWork = { applied: null, isAny: false };

/**
 * Makes the commit of a story that a person accepts: of what the loop left of it, in the work tree or set aside as a patch,
 * and of nothing else. Whatever is refused, the tree is as it was.
 *
 * Idempotent: a commit that was made and never noted is found again.
 *
 * @param mark says in `prd.json` that the story has passed @param unmark takes that back
 * @returns null: there is no work of it
 * @throws UsageError `GIT_BUSY`, `PRD_TREE_DIRTY`, `STORY_CUT_OFF`, `STORY_PATCH_UNFIT`, `STORY_PATCH_MISSING`; OperationalError `STORY_WORK_REFUSED`, as
 * `Workspace.commit`
 */
export async function commitAccepted(
  one: Accepting,
  workspace: GitWorkspace,
  { mark, unmark }: { readonly mark: () => Promise<void>; readonly unmark: () => Promise<void> },
): Promise<{ readonly commit: string | null; readonly patch: string | null }> {
  await refuseInProgress(one);
  const { applied, isAny } = await workOf(one, workspace);
  try {
    await mark();
    // The mark alone goes with the next story's commit; where nothing is left, it may have been committed and not noted.
    const isOver = !isAny && (await workspace.dirtyFiles()).length > 0;
    const commit = isOver ? undefined : await workspace.commit(requestOf(one));
    return { commit: commit?.commit ?? null, patch: applied };
  } catch (error) {
    // What cannot be taken back lies in the work tree, where the next `accept` finds it: the first error is the one to tell.
    await unmark().catch(() => undefined);
    if (applied !== null) await workspace.setAside(applied).catch(() => undefined);
    throw error;
  }
}

/** A merge and its like is the person's to finish: the next commit has to be theirs. */
async function refuseInProgress({ root, story: { id } }: Accepting): Promise<void> {
  const repository = await findRepository(root);
  const operation = repository && (await operationInProgress(repository));
  if (operation === undefined) return;
  throw new UsageError({
    code: "GIT_BUSY",
    what: `A ${operation} is in progress in ${root}, so ${id} cannot be committed. Nothing was changed.`,
    next: `Finish or abort the ${operation}, then accept it again.`,
  });
}

function requestOf({ name, story, state, by: acceptedBy }: Accepting) {
  const { loop_id: loopId, iteration } = state;
  return { message: storySubject(story), loopId, iteration, story: { prd: name, id: story.id, acceptedBy } };
}

async function workOf(one: Accepting, workspace: GitWorkspace): Promise<FoundWork> {
  const { state, story, root, name } = one;
  const { stories, boundary } = state;
  const patch = (stories && recordOf(stories, story.id)?.patch) ?? null;
  const isActive = stories?.active === story.id;
  if (!isActive && (one.leavesPatch || patch === null || !STORY_PATCH.test(patch))) return NOTHING;
  const { work, foreign } = await workIn(workspace, { root, folder: prdFolder(name), stored: state });
  if (!isActive) return patch === null ? NOTHING : shelvedWork(one, workspace, patch, work);
  if (work.length === 0) return NOTHING;
  // Work that goes nowhere (T17) is not brought there by a word about its story.
  if (boundary.refused !== null) throw refused(story);
  if (state.phase === "turn") throw cutOff(one, work);
  if (foreign.length > 0) throw dirty(one, foreign);
  return { applied: null, isAny: true };
}

/** Work that was set aside comes back onto a tree that holds nothing else; whoever has applied it already is met as well. */
async function shelvedWork(
  one: Accepting,
  workspace: GitWorkspace,
  patch: string,
  work: readonly string[],
): Promise<FoundWork> {
  const taken = await workspace.takeBack(patch, work.length === 0);
  // Whatever an agent deletes, as `git clean -fdx` does, is nobody's word that it does not count.
  if (taken === undefined) throw missing(one, patch);
  if (!taken.ok) throw work.length > 0 ? dirty(one, work) : unfit(one, patch, taken.trouble.because);
  const { how, files } = taken.value;
  const foreign = work.filter((name) => !files.includes(name));
  if (foreign.length > 0) throw dirty(one, foreign);
  return { applied: how === "applied" ? patch : null, isAny: how === "applied" || work.length > 0 };
}

function refused({ id }: Story): OperationalError {
  return new OperationalError({
    code: "STORY_WORK_REFUSED",
    what: `The work of ${id} in the work tree changes what an agent may not change, so it was not committed. Nothing was changed.`,
    next: "Put those files back (git status names them), or commit them yourself; then accept it again.",
  });
}

function cutOff({ story: { id }, root, goOn }: Accepting, work: readonly string[]): UsageError {
  return new UsageError({
    code: "STORY_CUT_OFF",
    what: `The last run was killed while its agent worked on ${id}, so nobody can tell what of the changes in ${root} is its work: ${shown(work)}. Nothing was changed.`,
    next: `Commit what belongs to it yourself, then accept it again; or let it be gone on with: ${goOn}`,
  });
}

function dirty({ story: { id }, root, state, goOn }: Accepting, files: readonly string[]): UsageError {
  const active = state.stories?.active ?? null;
  const others = active === null || active === id ? "" : ` The work of ${active} is there as well.`;
  return treeDirty(
    root,
    files,
    `Commit them yourself, what you have changed of ${id} as well, or put them aside: git stash push -u -- ${shown(files)}. Then accept it again.${others === "" ? "" : `${others} Let that be decided first, or finished: ${goOn}`}`,
  );
}

function unfit({ story: { id }, folder }: Accepting, patch: string, because: string): UsageError {
  const file = `${folder}/${patch}`;
  return new UsageError({
    code: "STORY_PATCH_UNFIT",
    what: `The unfinished work of ${id} was set aside, and does not apply to the work tree as it is now: ${because}. Nothing was changed; it is in ${file}.`,
    next: `Bring what you want of it into the work tree (git apply --3way ${file}) and commit it; then accept it with --force: it counts as the branch has it then.`,
  });
}

function missing({ story: { id }, folder }: Accepting, patch: string): UsageError {
  return new UsageError({
    code: "STORY_PATCH_MISSING",
    what: `The unfinished work of ${id} was set aside as ${folder}/${patch}, and that file is gone. Nothing was changed.`,
    next: "Put it back, or let it be tried again (retry). If it counts as the branch has it, without that work, accept it with --force.",
  });
}

const SHOWN = 5;

function shown(files: readonly string[]): string {
  return `${files.slice(0, SHOWN).join(" ")}${files.length > SHOWN ? " …" : ""}`;
}
