import { prdLoopId } from "../../app/loops/loop-id.ts";
import { isGitRepository } from "../../git/repository.ts";
import { timestamp } from "../../core/open-loop.ts";
import type { LoopState } from "../../core/state.ts";
import { pickStory } from "../../core/story/pick.ts";
import { asRead, reconcile } from "../../core/story/stories.ts";
import type { Prd, Story } from "../../core/story/story.ts";
import { sha256 } from "../../os/digest.ts";
import { reportOf, type StoriesReport } from "../../views/story-rows.ts";
import { lockHolder } from "../../store/lock.ts";
import { type LoopPlace, placeOf } from "../../store/place.ts";
import { readState } from "../../store/state-file.ts";

/** What is known of the work on a PRD. */
export interface KnownWork {
  /** the person's workspace, absolute */
  readonly home: string;
  /** where the stories are worked on, absolute: the same, or what it is in the PRD's work tree */
  readonly root: string;
  readonly worktree: { readonly folder: string; readonly branch: string } | null;
  /** of its loop, whose root is where the work is */
  readonly place: LoopPlace;
  /** undefined: no run has worked on it */
  readonly state: LoopState | undefined;
  /** whether a run works on it now */
  readonly alive: boolean;
}

/** Looks where a PRD is worked on, and what its loop remembers. @throws as `readState`, `refuseOurWorktree` */
export async function workOn(
  root: string,
  name: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<KnownWork> {
  const { knownWorktree, refuseOurWorktree } = await import("../../app/checkout/worktree.ts");
  await refuseOurWorktree(root, env);
  const home = placeOf(root, prdLoopId(name), null);
  const [state, holder] = await Promise.all([readState(home.stateFile), lockHolder(home.folder)]);
  const found = (await isGitRepository(root)) ? await knownWorktree({ root, name, env }) : undefined;
  const work = found?.root ?? root;
  const worktree = found === undefined ? null : { folder: found.folder, branch: found.branch };
  return { home: root, root: work, worktree, place: { ...home, root: work }, state, alive: holder !== undefined };
}

/** The PRD's documents that were edited in the checkout while the stories are worked on elsewhere, as `editedBeside`. */
export async function editedInCheckout(name: string, { home, root, worktree }: KnownWork): Promise<readonly string[]> {
  if (worktree === null) return [];
  const { editedBeside } = await import("../../app/checkout/edited-beside.ts");
  return editedBeside({ name, home, work: root, branch: worktree.branch });
}

/** How far a PRD is. */
export interface Standing {
  readonly report: StoriesReport;
  /** the story that comes next; undefined: none can be begun */
  readonly next: Story | undefined;
}

/** How far the stories are: as the next run will find them, where the branch holds what the loop has committed. */
export function standOf(prd: Prd, { state }: Pick<KnownWork, "state">): Standing {
  const known = state?.stories ?? null;
  const held = (known?.records ?? []).flatMap(({ passing }) => passing?.commit ?? []);
  const read = { prd: prd.name, stories: prd.stories.map((story) => asRead(story, sha256)), held };
  const now = reconcile(known, read, timestamp(Date.now()));
  const next = pickStory({ ...prd, only: null, maxStories: null }, now);
  return { report: reportOf(now, prd), next };
}
