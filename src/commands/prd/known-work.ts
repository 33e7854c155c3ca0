import { prdLoopId } from "../../app/loop-id.ts";
import { isGitRepository } from "../../git/repository.ts";
import type { LoopState } from "../../core/state.ts";
import { lockHolder } from "../../store/lock.ts";
import { type LoopPlace, placeOf } from "../../store/place.ts";
import { readState } from "../../store/state-file.ts";

/** What is known of the work on a PRD. */
export interface KnownWork {
  /** where the stories are worked on, absolute: the workspace, or what it is in the PRD's work tree */
  readonly root: string;
  readonly worktree: { readonly folder: string; readonly branch: string } | null;
  /** of its loop, whose root is where the work is */
  readonly place: LoopPlace;
  /** undefined: no run has worked on it */
  readonly state: LoopState | undefined;
  /** whether a run works on it now */
  readonly alive: boolean;
}

/** Looks where a PRD is worked on, and what its loop remembers. @throws OperationalError as `readState` */
export async function workOn(
  root: string,
  name: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<KnownWork> {
  const home = placeOf(root, prdLoopId(name), null);
  const [state, holder] = await Promise.all([readState(home.stateFile), lockHolder(home.folder)]);
  const { knownWorktree } = await import("../../app/checkout/worktree.ts");
  const found = (await isGitRepository(root)) ? await knownWorktree({ root, name, env }) : undefined;
  const work = found?.root ?? root;
  const worktree = found === undefined ? null : { folder: found.folder, branch: found.branch };
  return { root: work, worktree, place: { ...home, root: work }, state, alive: holder !== undefined };
}
