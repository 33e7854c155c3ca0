import { endingOf, type RunView } from "../../views/run-view.ts";
import { branchAgain } from "./branch-in-hand.ts";
import { keepsTree } from "./carriage.ts";
import type { Publishing } from "./publication-facts.ts";
import type { Surroundings } from "./surroundings.ts";

const PUSH_MS = 30_000;

/** Work that its branch did not take. */
export interface Unpushed {
  readonly commit: string;
  readonly view: RunView;
  /** whether the remote answers */
  readonly mayPush: boolean;
}

/**
 * Makes sure that work which its branch did not take is not lost with this machine. Where no later run goes on with it, it
 * goes to a branch of its own, for people to merge.
 *
 * @returns where it is, in whole sentences
 */
export async function saveUnpushed({ job, hand, leftMs }: Publishing, unpushed: Unpushed): Promise<string> {
  const ref = `refs/smithers/${job.place.loopId}`;
  const { carriers, stateKey } = job.settings.config;
  const isKept = keepsTree(job) && carriers.length > 0;
  const isInRef = isKept && carriers.includes("ref");
  const goesOn = endingOf(unpushed.view.state)?.outcome.resumableBy !== "nobody";
  const kept = isInRef ? `The work is kept in ${ref}` : "The work is kept with the loop's files";
  if (isKept && goesOn) return `${kept}; the next run puts it on top of what is there then.`;
  const beside = `${hand?.name ?? ref}.run-${job.context.runId}`;
  if (unpushed.mayPush && (await pushBeside(job, { name: beside, commit: unpushed.commit, withinMs: leftMs() / 2 }))) {
    return `The work is on the branch ${beside} instead: merge that by hand.`;
  }
  if (isInRef && stateKey === null) {
    const fetched = `git fetch origin ${ref} && git restore --source=FETCH_HEAD:tree --staged --worktree .`;
    return `${kept} until the loop begins anew; ${fetched} brings it into a checkout.`;
  }
  if (isKept) return `${kept}, sealed by state-key, until the loop begins anew.`;
  return "The work is lost with this machine: nothing of it is kept here without a state-key.";
}

async function pushBeside(
  job: Surroundings,
  { name, commit, withinMs }: { readonly name: string; readonly commit: string; readonly withinMs: number },
): Promise<boolean> {
  const hand = await branchAgain(job, { name, tip: null, head: null });
  return hand !== undefined && (await hand.push(commit, Math.min(PUSH_MS, withinMs))).pushed;
}
