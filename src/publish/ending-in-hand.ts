import { OperationalError } from "../core/errors.ts";
import type { GithubLink, Unpublished, LoopState } from "../core/state.ts";
import { createBranch } from "../github/create-branch.ts";
import type { Octokit } from "../github/octokit.ts";
import { branchAgain, type BranchInHand, branchNamed, takeUpBranch } from "./branch-in-hand.ts";
import { checkedOut } from "../git/checked-out.ts";
import type { Surroundings } from "../app/surroundings.ts";

const LOOK_MS = 20_000;
const CREATE_MS = 10_000;

/** What it takes to publish an ending after all. */
export interface EndingQuestion {
  readonly job: Surroundings;
  readonly stored: LoopState | undefined;
  readonly octokit: () => Promise<Octokit | undefined>;
}

/**
 * Puts the workspace where the work of an ending was done that is not published yet, so that it can be laid over it, or
 * on the work itself where a branch holds it.
 *
 * @returns undefined, and nothing was changed, where it cannot be published any more, which a person is told: somebody has
 * moved the branch, or nothing is published from here
 * @throws OperationalError `ENDING_UNPUBLISHED` when that cannot be told now
 */
export async function endingInHand({ job, stored, octokit }: EndingQuestion): Promise<BranchInHand | undefined> {
  const ties = stored?.github ?? null;
  const unpublished = ties?.unpublished;
  if (ties === null || unpublished === undefined) return undefined;
  const { branch: name } = ties;
  const branch = await branchNamed(job, name);
  if (branch === undefined) return undefined;
  const at = await branch.tip(LOOK_MS);
  if (at.tip === "unreachable") throw notNow(name, at.why);
  const tip = at.tip === "found" ? at.commit : null;
  if (hasMoved(unpublished, tip)) {
    job.notice(movedSince(ties, unpublished, tip));
    return undefined;
  }
  const { kept_on: keptOn, base } = unpublished;
  if (keptOn !== null) {
    return (await isCheckedOut(job, keptOn)) ? branchAgain(job, { name, tip, head: base }) : undefined;
  }
  if (tip === null && base !== null && base !== (await checkedOut(job.place.root))) {
    await beginAt(job, octokit, { branch: name, commit: base });
  }
  const hand = await takeUpBranch(job, name);
  if (hand === undefined) throw notNow(name, "it cannot be checked out");
  return hand;
}

/** Puts the workspace on the branch that holds the work; false where somebody has deleted it. */
async function isCheckedOut(job: Surroundings, keptOn: string): Promise<boolean> {
  const at = await (await branchNamed(job, keptOn))?.tip(LOOK_MS);
  if (at?.tip === "absent") {
    job.notice(`How this loop ended is not published any more, because somebody has deleted the branch ${keptOn}.`);
    return false;
  }
  if ((await takeUpBranch(job, keptOn)) === undefined) throw notNow(keptOn, "it cannot be checked out");
  return true;
}

/** A branch that an earlier attempt has begun where the work was is as good as none. */
function hasMoved({ tip: expected, base }: Unpublished, tip: string | null): boolean {
  return tip !== expected && !(expected === null && tip === base);
}

function movedSince({ branch }: GithubLink, { tip: was, kept_on: keptOn }: Unpublished, tip: string | null): string {
  const now = tip === null ? "was deleted" : `is at ${tip.slice(0, 12)} now`;
  const before = was === null ? "was not there" : `was at ${was.slice(0, 12)}`;
  const work =
    keptOn === null
      ? "What is kept of it stays with the loop until it begins anew"
      : `The work is on the branch ${keptOn}: merge that by hand`;
  return `How this loop ended is not published any more, because somebody has moved ${branch} since: it ${before} and ${now}. ${work}.`;
}

/** The work was done upon another commit than the one that is checked out here. */
async function beginAt(
  { context }: Surroundings,
  octokit: EndingQuestion["octokit"],
  wanted: { readonly branch: string; readonly commit: string },
): Promise<void> {
  const client = await octokit();
  if (client === undefined) throw notNow(wanted.branch, "there is no github-token");
  const access = { octokit: client, repository: context.repository, signal: AbortSignal.timeout(CREATE_MS) };
  const made = await createBranch(access, wanted);
  if (!made.done) throw notNow(wanted.branch, made.why);
}

function notNow(branch: string, why: string): OperationalError {
  return new OperationalError({
    code: "ENDING_UNPUBLISHED",
    what: `How this loop ended is not published yet, and that cannot be made up for now: ${branch}: ${why}. The work is kept as it was, and no turn was spent.`,
    next: "Put that right, then run this workflow again; or begin anew: change the prompt, or start it by hand with its input `smithers` set to `start`.",
  });
}
