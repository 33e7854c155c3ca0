import { realpath } from "node:fs/promises";
import { OperationalError } from "../../core/errors.ts";
import { findRepository } from "../../git/repository.ts";
import { refuseBusy, wasKilled } from "../../store/lock.ts";
import { type LoopPlace, placeOf } from "../../store/place.ts";
import {
  enterWorkTree,
  isNoteLeft,
  loopAtWork,
  type LoopAtWork,
  noteOf,
  othersAtWork,
} from "../../store/work-tree-lock.ts";

/** A loop that is about to work. */
interface Entering {
  /** its root is where it is going to work */
  readonly place: LoopPlace;
  /** of the person's workspace, absolute: another one where its work tree was made for it */
  readonly home: string;
  /** whether it commits stories */
  readonly isPrd: boolean;
  /** whether it may be told to work beside the checkout */
  readonly canGoBeside: boolean;
  /** what the person has called us by */
  readonly program: string;
}

/**
 * Lets a loop work in the git work tree around its workspace. A PRD's loop has that for itself, because a story's commit
 * takes in all that has changed there; other loops may share one, as ever.
 *
 * @throws OperationalError `LOOP_BUSY` when another run has the loop, `WORK_TREE_BUSY` when another loop has the work
 * tree: nothing was done
 */
export async function inWorkTree<T>(entering: Entering, work: () => Promise<T>): Promise<T> {
  const { place, isPrd } = entering;
  await refuseBusy(place.folder);
  const repository = await findRepository(place.root);
  if (repository === undefined) return work();
  const loop = loopAtWork(place.loopId, place.stateFile, isPrd);
  const gitDir = await realpath(repository.gitDir);
  const outcome = await enterWorkTree(gitDir, loop);
  if (outcome !== undefined && "refusedBy" in outcome)
    throw busy(entering, { gitDir, top: repository.top }, outcome.refusedBy);
  try {
    return await work();
  } finally {
    await outcome?.entered.remove();
  }
}

/** Whether the loop's last run was killed before it was through: its lock or its note in the work tree is left. */
export async function wasCutOff({ loopId, root, folder, stateFile }: LoopPlace, isPrd: boolean): Promise<boolean> {
  if (await wasKilled(folder)) return true;
  const repository = await findRepository(root);
  if (repository === undefined) return false;
  return isNoteLeft(await realpath(repository.gitDir), loopAtWork(loopId, stateFile, isPrd));
}

/** Tells which other loops are at work in the work tree around a loop's workspace: their ids, at each call. */
export function othersInWorkTree({ loopId, root, stateFile }: LoopPlace, isPrd: boolean) {
  const loop = loopAtWork(loopId, stateFile, isPrd);
  let gitDir: Promise<string | undefined> | undefined;
  return async (): Promise<readonly string[]> => {
    gitDir ??= findRepository(root).then((found) => found && realpath(found.gitDir));
    const folder = await gitDir;
    return folder === undefined ? [] : othersAtWork(folder, loop);
  };
}

function busy(
  { home, isPrd, canGoBeside, program }: Entering,
  { gitDir, top }: { gitDir: string; top: string },
  other: LoopAtWork,
): OperationalError {
  const { loopId } = other;
  const why = isPrd
    ? "a story's commit would take in what it changes"
    : "its commits would take in what this one changes";
  const here = placeOf(home, loopId, null).stateFile;
  const isHere = loopAtWork(loopId, here, other.isPrd).digest === other.digest;
  const end = `${program} stop --loop-id ${loopId}${isHere ? "" : ", where it was started"}`;
  const asked = canGoBeside ? "; or have the stories worked on beside the checkout: --worktree on" : "";
  const beside = isPrd ? asked : "; or work in another work tree (git worktree add), named with --cd";
  return new OperationalError({
    code: "WORK_TREE_BUSY",
    what: `Loop ${loopId} is at work in ${top}${other.isPrd ? ", on the stories of a PRD" : ""}, and ${why}. Nothing was changed.`,
    next: `Wait until it has ended, or end it: ${end}${beside}. Should its machine or container be gone, delete ${noteOf(gitDir, other)}.`,
  });
}
