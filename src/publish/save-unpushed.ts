import { endingOf, type RunView } from "../views/run-view.ts";
import { branchAgain, type BranchInHand } from "./branch-in-hand.ts";
import { keepsTree } from "../carry/carriage.ts";
import type { Publishing } from "./publication-facts.ts";
import type { Surroundings } from "../app/surroundings.ts";

const PUSH_MS = 30_000;

/** Work that its branch did not take. */
export interface Unpushed {
  readonly commit: string;
  readonly view: RunView;
  /** whether the remote answers */
  readonly mayPush: boolean;
}

/** What became of it. */
export interface SavedWork {
  /** whether a branch or the loop's ref holds it; else only the loop's files do, which are carried away later */
  readonly saved: boolean;
  /** the branch of its own that it is on; null: none */
  readonly branch: string | null;
  /** nothing keeps it */
  readonly isLost: boolean;
  /** in whole sentences */
  readonly where: string;
}

/**
 * Makes sure that work which its branch did not take is not lost with this machine. Where no later run goes on with it, it
 * goes to a branch of its own, for people to merge. What the loop's ref did not take is never said to be there.
 */
export async function saveUnpushed(publishing: Publishing, unpushed: Unpushed): Promise<SavedWork> {
  const { job, hand, leftMs } = publishing;
  const ref = `refs/smithers/${job.place.loopId}`;
  const { stateKey } = job.settings.config;
  const { saved, kept } = whereKept(publishing, ref);
  const goesOn = endingOf(unpushed.view.state)?.outcome.resumableBy !== "nobody";
  const inCopies = { saved, branch: null, isLost: false };
  if (kept !== null && goesOn) {
    return { ...inCopies, where: `${kept}; the next run puts it on top of what is there then.` };
  }
  const beside = `${hand?.name ?? ref}.run-${job.context.runId}`;
  if (
    unpushed.mayPush &&
    (await pushBeside(publishing, { name: beside, commit: unpushed.commit, withinMs: leftMs() / 2 }))
  ) {
    const where = `The work is on the branch ${beside} instead: merge that by hand.`;
    return { saved: true, branch: beside, isLost: false, where };
  }
  if (kept === null) {
    return { ...inCopies, isLost: true, where: `The work is lost with this machine: ${whyLost(job)}.` };
  }
  const sealed = stateKey === null ? "" : ", sealed by state-key,";
  const until = `${kept}${sealed} until the loop begins anew`;
  if (!saved || stateKey !== null) return { ...inCopies, where: `${until}.` };
  const fetched = `git fetch origin ${ref} && git restore --source=FETCH_HEAD:tree --staged --worktree .`;
  return { ...inCopies, where: `${until}; ${fetched} brings it into a checkout.` };
}

function whyLost(job: Surroundings): string {
  return keepsTree(job) ? "nothing else keeps it" : "nothing of it is kept here without a state-key";
}

/** Where the loop's own files are kept; `kept` is null where the work is not among them. */
function whereKept(
  { job, refHolds }: Publishing,
  ref: string,
): { readonly saved: boolean; readonly kept: string | null } {
  const { carriers } = job.settings.config;
  if (!keepsTree(job)) return { saved: false, kept: null };
  if (refHolds && carriers.includes("ref")) return { saved: true, kept: `The work is kept in ${ref}` };
  if (carriers.every((name) => name === "ref")) return { saved: false, kept: null };
  return { saved: false, kept: "The work is kept with the loop's files, as far as they can be saved" };
}

async function pushBeside(
  { job, hand: stuck }: Publishing,
  { name, commit, withinMs }: { readonly name: string; readonly commit: string; readonly withinMs: number },
): Promise<boolean> {
  const hand = await branchAgain(job, { name, tip: null, head: stuck === undefined ? null : onGithub(stuck) });
  return hand !== undefined && (await hand.push(commit, Math.min(PUSH_MS, withinMs))).ok;
}

/** The latest commit that is here and on GitHub, upon which commits can be made there (`sign-commits`). */
function onGithub({ tip, here, head }: BranchInHand): string | null {
  return tip !== null && tip === here ? tip : head;
}
