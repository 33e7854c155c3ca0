import { OperationalError } from "../core/errors.ts";
import type { GithubLink, Unpublished, LoopState } from "../core/state.ts";
import type { GithubAccess } from "../github/access.ts";
import { createBranch } from "../github/refs.ts";
import type { Branches, BranchInHand } from "./branch-in-hand.ts";
import { checkedOut } from "../git/repository.ts";

const LOOK_MS = 20_000;
const CREATE_MS = 10_000;

/** What it takes to publish an ending after all. */
export interface EndingMeans {
  readonly branches: Branches;
  /** the workspace */
  readonly root: string;
  readonly github: GithubAccess | undefined;
  /** tells a person */
  readonly notice: (text: string) => void;
}

/**
 * Puts the workspace where the work of an ending was done that is not published yet, so that it can be laid over it, or
 * on the work itself where a branch holds it.
 *
 * @returns undefined, and nothing was changed, where it cannot be published any more, which a person is told: somebody has
 * moved the branch, or nothing is published from here
 * @throws OperationalError `ENDING_UNPUBLISHED` when that cannot be told now
 */
export async function endingInHand(
  { branches, root, github, notice }: EndingMeans,
  stored: LoopState | undefined,
): Promise<BranchInHand | undefined> {
  const ties = stored?.github ?? null;
  const unpublished = ties?.unpublished;
  if (ties === null || unpublished === undefined) return undefined;
  const { branch: name } = ties;
  const branch = await branches.named(name);
  if (branch === undefined) return undefined;
  const at = await branch.tip(LOOK_MS);
  if (at.tip === "unreachable") throw notNow(name, at.why);
  const tip = at.tip === "found" ? at.commit : null;
  if (hasMoved(unpublished, tip)) {
    notice(movedSince(ties, unpublished, tip));
    return undefined;
  }
  const { kept_on: keptOn, base } = unpublished;
  if (keptOn !== null) {
    if (await isCheckedOut(branches, keptOn)) return branches.again({ name, tip, head: base });
    notice(`How this loop ended is not published any more, because somebody has deleted the branch ${keptOn}.`);
    return undefined;
  }
  if (tip === null && base !== null && base !== (await checkedOut(root))) {
    await beginAt(github, { branch: name, commit: base });
  }
  const hand = await branches.takeUp(name);
  if (hand === undefined) throw notNow(name, "it cannot be checked out");
  return hand;
}

/** Puts the workspace on the branch that holds the work; false where somebody has deleted it. */
async function isCheckedOut(branches: Branches, keptOn: string): Promise<boolean> {
  const at = await (await branches.named(keptOn))?.tip(LOOK_MS);
  if (at?.tip === "absent") return false;
  if ((await branches.takeUp(keptOn)) === undefined) throw notNow(keptOn, "it cannot be checked out");
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
  github: GithubAccess | undefined,
  wanted: { readonly branch: string; readonly commit: string },
): Promise<void> {
  if (github === undefined) throw notNow(wanted.branch, "there is no github-token");
  const made = await createBranch(await github.within(CREATE_MS), wanted);
  if (!made.done) throw notNow(wanted.branch, made.why);
}

function notNow(branch: string, why: string): OperationalError {
  return new OperationalError({
    code: "ENDING_UNPUBLISHED",
    what: `How this loop ended is not published yet, and that cannot be made up for now: ${branch}: ${why}. The work is kept as it was, and no turn was spent.`,
    next: "Put that right, then run this workflow again; or begin anew: change the prompt, or start it by hand with its input `smithers` set to `start`.",
  });
}
