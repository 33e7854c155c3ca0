import type { Config } from "../config/config.ts";
import { keepsTree } from "../config/keeps-tree.ts";
import type { Unpublished } from "../core/state.ts";
import { done, failed, type Result, type Trouble } from "../core/result.ts";
import { endingOf, type RunView } from "../views/run-view.ts";
import type { BranchRefusal } from "../git/branch-push.ts";
import type { BranchInHand } from "./branch-in-hand.ts";

/** At most; half of what is left is kept for telling that it could not be done. */
const PUSH_MS = 60_000;
const PUSH_BESIDE_MS = 30_000;
const LOOK_MS = 20_000;

/** Refusals that somebody can mend without touching the work. */
const MENDABLE: ReadonlySet<string> = new Set([
  "token",
  "permission",
  "not_found",
  "ruleset",
  "workflow_files",
  "name_in_use",
  "moved_away",
  "archived",
] satisfies readonly BranchRefusal[]);

/** What the loop's work is pushed with. */
export interface Pushing {
  /** undefined: nothing can be pushed from here */
  readonly hand: BranchInHand | undefined;
  readonly kept: Kept;
  /** of the workflow */
  readonly runId: number;
  /** takes a line of the log */
  readonly line: (text: string) => void;
  /** so long may all of it still take; milliseconds */
  readonly leftMs: () => number;
}

/** What keeps the loop's work besides its branch. */
export interface Kept {
  /** the loop's ref, or else its other files, which are carried away later */
  readonly by: "ref" | "files" | "nothing";
  /** as in `refs/smithers/<loop-id>` */
  readonly ref: string;
  readonly isSealed: boolean;
  /** part of a sentence */
  readonly whyNot: string;
}

/** @param refHolds whether the loop's ref holds the ending by now, with the work where that is kept at all */
export function keptOf(
  config: Pick<Config, "carriers" | "checkpointTree" | "stateKey">,
  { loopId, isPrivate, refHolds }: { readonly loopId: string; readonly isPrivate: boolean; readonly refHolds: boolean },
): Kept {
  const { carriers, stateKey } = config;
  const keeps = keepsTree(config, isPrivate);
  const byRef = keeps && refHolds && carriers.includes("ref");
  const byFiles = keeps && carriers.some((name) => name !== "ref");
  return {
    by: byRef ? "ref" : byFiles ? "files" : "nothing",
    ref: `refs/smithers/${loopId}`,
    isSealed: stateKey !== null,
    whyNot: keeps ? "nothing else keeps it" : "nothing of it is kept here without a state-key",
  };
}

/** Why the work is not on its branch, and where it is, in whole sentences. */
export interface NotPushed extends Trouble {
  /** where the branch is on GitHub, as far as that is known; null: nowhere */
  readonly head: string | null;
  /** whether another branch or the loop's ref holds it */
  readonly saved: boolean;
  /** what the next run can make up for; undefined: nothing, or somebody has moved the branch */
  readonly unpublished?: Unpublished;
}

/**
 * Pushes the loop's commits to its branch, if that is where it was when the run began (C13, threats T6).
 *
 * @returns where the branch is on GitHub now
 */
export async function pushWork(
  pushing: Pushing,
  commit: string | null,
  view: RunView,
): Promise<Result<string, NotPushed>> {
  const { hand, line, leftMs } = pushing;
  if (hand === undefined || commit === null) {
    return failed({ because: "There is nothing that could be pushed.", head: null, saved: true });
  }
  const { name, tip, here } = hand;
  if (tip !== null && commit === here) return done(tip);
  const secret = await hand.secretIn(commit, Math.min(LOOK_MS, leftMs() / 4));
  if (secret !== null) {
    const { saved, where } = await saveUnpushed(pushing, hand, { commit, view, mayPush: false });
    return failed({ because: `Nothing was pushed to ${name}: ${secret} ${where}`, head: tip, saved });
  }
  const pushed = await hand.push(commit, Math.min(PUSH_MS, leftMs() / 2));
  if (pushed.pushed) {
    line(`pushed to ${name}: ${pushed.head}`);
    return done(pushed.head);
  }
  const unpushed = { commit, view, mayPush: pushed.because !== "unreachable" };
  const { saved, where, isLost, branch } = await saveUnpushed(pushing, hand, unpushed);
  if (pushed.because === "moved") {
    const now = pushed.now === null ? "it was deleted" : `it is at ${pushed.now.slice(0, 12)}`;
    const was = tip === null ? "it was not there" : `it was at ${tip.slice(0, 12)}`;
    const because = `Nothing was pushed to ${name}, because somebody moved it meanwhile: ${was} when this run saw it last, and ${now}. ${where}`;
    return failed({ because, head: pushed.now, saved });
  }
  const next = "next" in pushed && pushed.next !== "" ? ` ${pushed.next}` : "";
  const why = `Nothing was pushed to ${name}: ${pushed.why}.${next} ${where}`;
  const isPassing = pushed.because === "unreachable" || MENDABLE.has(pushed.kind);
  if (!isPassing || isLost) return failed({ because: why, head: tip, saved });
  const later = isOver(view) ? ` ${LATER}` : "";
  const unpublished: Unpublished = { what: "branch", base: hand.head, tip, kept_on: branch };
  return failed({ because: `${why}${later}`, head: tip, saved, unpublished });
}

function isOver({ state }: RunView): boolean {
  return endingOf(state)?.outcome.resumableBy === "nobody";
}

const LATER = "The next run of this task brings it to its branch first, without a turn.";

/** Work that its branch did not take. */
interface Unpushed {
  readonly commit: string;
  readonly view: RunView;
  /** whether the remote answers */
  readonly mayPush: boolean;
}

/** What became of it. */
interface SavedWork {
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
async function saveUnpushed(
  { kept, runId, leftMs }: Pushing,
  hand: BranchInHand,
  { commit, view, mayPush }: Unpushed,
): Promise<SavedWork> {
  const { by, ref, isSealed, whyNot } = kept;
  const inCopies = { saved: by === "ref", branch: null, isLost: false };
  const keptIn = by === "ref" ? `in ${ref}` : "with the loop's files, as far as they can be saved";
  if (by !== "nothing" && !isOver(view)) {
    return { ...inCopies, where: `The work is kept ${keptIn}; the next run puts it on top of what is there then.` };
  }
  const beside = `${hand.name}.run-${runId}`;
  if (mayPush && (await pushBeside(hand, beside, commit, Math.min(PUSH_BESIDE_MS, leftMs() / 2)))) {
    const where = `The work is on the branch ${beside} instead: merge that by hand.`;
    return { saved: true, branch: beside, isLost: false, where };
  }
  if (by === "nothing") return { ...inCopies, isLost: true, where: `The work is lost with this machine: ${whyNot}.` };
  const until = `The work is kept ${keptIn}${isSealed ? ", sealed by state-key," : ""} until the loop begins anew`;
  if (by !== "ref" || isSealed) return { ...inCopies, where: `${until}.` };
  const fetched = `git fetch origin ${ref} && git restore --source=FETCH_HEAD:tree --staged --worktree .`;
  return { ...inCopies, where: `${until}; ${fetched} brings it into a checkout.` };
}

async function pushBeside(hand: BranchInHand, name: string, commit: string, withinMs: number): Promise<boolean> {
  const beside = await hand.beside(name);
  return beside !== undefined && (await beside.push(commit, withinMs)).pushed;
}
