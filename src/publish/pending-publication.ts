import { OperationalError } from "../core/errors.ts";
import type { Unpublished, LoopState } from "../core/state.ts";
import { checkedOut } from "../git/repository.ts";
import type { GithubAccess } from "../github/access.ts";
import { createRef } from "../github/refs.ts";
import type { Branches, BranchOptions, PublishBranch } from "./publish-branch.ts";

const LOOK_MS = 20_000;
const CREATE_MS = 10_000;

/** What a pending publication is made up for with. */
interface Pending extends Pick<BranchOptions, "place" | "github" | "notice"> {
  readonly branches: Branches;
}

/**
 * Puts the workspace on the commit where the unpublished work was done, so that it can be applied there, or on the work
 * itself if a branch holds it.
 *
 * @returns undefined, with nothing changed, when it cannot be published any more, which a person is told: somebody has
 * moved the branch, or nothing is published from here
 * @throws OperationalError `ENDING_UNPUBLISHED` when that is not known now
 */
export async function resumePublication(
  { branches, place, github, notice }: Pending,
  stored: LoopState | undefined,
): Promise<PublishBranch | undefined> {
  const link = stored?.github ?? null;
  const unpublished = link?.unpublished;
  if (link === null || unpublished === undefined) return undefined;
  const { branch: name } = link;
  const at = await (await branches.named(name))?.tip(LOOK_MS);
  if (at === undefined) return undefined;
  if (at.tip === "unreachable") throw notNow(name, at.why);
  const tip = at.tip === "found" ? at.commit : null;
  if (hasMoved(unpublished, tip)) {
    notice(movedSince(name, unpublished, tip));
    return undefined;
  }
  const { kept_on: keptOn, base } = unpublished;
  if (keptOn !== null) {
    if (await isCheckedOut(branches, keptOn)) return branches.reopen({ name, tip, head: base });
    notice(`How this loop ended is not published any more, because somebody has deleted the branch ${keptOn}.`);
    return undefined;
  }
  if (tip === null && base !== null && base !== (await checkedOut(place.root))) await beginAt(github, name, base);
  const branch = await branches.checkOut(name);
  if (branch === undefined) throw notNow(name, "it cannot be checked out");
  return branch;
}

/** Puts the workspace on the branch that holds the work; false where somebody has deleted it. */
async function isCheckedOut(branches: Branches, keptOn: string): Promise<boolean> {
  const at = await (await branches.named(keptOn))?.tip(LOOK_MS);
  if (at?.tip === "absent") return false;
  if ((await branches.checkOut(keptOn)) === undefined) throw notNow(keptOn, "it cannot be checked out");
  return true;
}

/** A branch that an earlier attempt began at the base of the work does not count. */
function hasMoved({ tip: expected, base }: Unpublished, tip: string | null): boolean {
  return tip !== expected && !(expected === null && tip === base);
}

function movedSince(branch: string, { tip: was, kept_on: keptOn }: Unpublished, tip: string | null): string {
  const now = tip === null ? "was deleted" : `is at ${tip.slice(0, 12)} now`;
  const before = was === null ? "was not there" : `was at ${was.slice(0, 12)}`;
  const work =
    keptOn === null
      ? "What is kept of it stays with the loop until it starts over"
      : `The work is on the branch ${keptOn}: merge that by hand`;
  return `How this loop ended is not published any more, because somebody has moved ${branch} since: it ${before} and ${now}. ${work}.`;
}

/** The work was done on another commit than the one that is checked out here. */
async function beginAt(github: GithubAccess | undefined, branch: string, commit: string): Promise<void> {
  if (github === undefined) throw notNow(branch, "there is no github-token");
  const made = await createRef(await github.within(CREATE_MS), `refs/heads/${branch}`, commit);
  if (!made.ok) throw notNow(branch, made.trouble.because);
}

function notNow(branch: string, why: string): OperationalError {
  return new OperationalError({
    code: "ENDING_UNPUBLISHED",
    what: `How this loop ended is not published yet, and that cannot be made up for now: ${branch}: ${why}. The work is kept as it was, and no turn was spent.`,
    next: "Put that right, then run this workflow again; or start over: change the prompt, or start it by hand with its input `smithers` set to `start`.",
  });
}
