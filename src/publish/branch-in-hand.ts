import type { Ground } from "../store/carry-note.ts";
import { findRepository } from "../git/repository.ts";
import type { WorkBranch } from "../git/branch.ts";
import type { PushTrouble } from "../git/branch-push.ts";
import { done, type Result } from "../core/result.ts";
import { messageOf } from "../core/errors.ts";
import { marksOf } from "../app/place.ts";
import type { SignedPushed } from "./push-signed.ts";
import type { Surroundings } from "../app/surroundings.ts";

/** The branch that a run's work goes to. */
export interface BranchInHand {
  readonly name: string;
  readonly branch: WorkBranch;
  /** where it is on GitHub: as the run began, or as its latest push has left it; null: nowhere */
  readonly tip: string | null;
  /** the commit here that stands for `tip`: another one where GitHub has made it anew and it could not be fetched */
  readonly here: string | null;
  /** what was checked out when the run began; null before the first commit */
  readonly head: string | null;
  /**
   * Moves the branch on GitHub from `tip` to `commit`, or not at all; `tip` is the new one then. Never throws. Whether
   * the work holds a secret is to be asked before (`whySecret`).
   */
  push(commit: string, withinMs: number): Promise<Pushed>;
}

/** `head`: where the branch is on GitHub now; not `commit` where GitHub has made it anew (`sign-commits`). */
export type Pushed = Result<{ readonly head: string }, PushTrouble>;

const TAKE_UP_MS = 60_000;

/**
 * Puts the workspace on the branch; undefined where nothing is published from here, which a person is told unless they
 * wanted it so. The loop can work all the same: its work is kept for the next run.
 */
export async function takeUpBranch(job: Surroundings, name: string): Promise<BranchInHand | undefined> {
  const branch = await branchNamed(job, name);
  if (branch === undefined) return undefined;
  const taken = await branch.checkOut(TAKE_UP_MS);
  if (!taken.ok) {
    job.notice(`${taken.trouble.because} What this run does is not published; it is kept for the next one.`);
    return undefined;
  }
  const { notices, tip, head } = taken.value;
  for (const text of notices) job.notice(text);
  return inHand(job, branch, { name, tip, head });
}

/** What a run stands on that has a branch in hand, for post as well: the tip is always the latest one. */
export function groundOf(hand: BranchInHand): Ground {
  const { name, head } = hand;
  const branch = {
    name,
    head,
    get tip() {
      return hand.tip;
    },
  };
  return { base: head, branch };
}

/** The branch as main had it in hand; undefined where it had none. */
export async function branchAgain(job: Surroundings, note: Ground["branch"]): Promise<BranchInHand | undefined> {
  const branch = note === null ? undefined : await branchNamed(job, note.name);
  return branch === undefined || note === null ? undefined : inHand(job, branch, note);
}

function inHand(
  job: Surroundings,
  branch: WorkBranch,
  { name, tip: first, head }: NonNullable<Ground["branch"]>,
): BranchInHand {
  let tip = first;
  let here = first;
  const plain = async (commit: string, withinMs: number): Promise<SignedPushed> => {
    const pushed = await branch.push(commit, tip, withinMs);
    return pushed.ok ? done({ head: commit, here: commit }) : pushed;
  };
  const signed = async (commit: string, withinMs: number): Promise<SignedPushed> => {
    const { pushSigned } = await import("./push-signed.ts");
    return pushSigned(job, { name, branch, tip, base: here ?? head }, commit, withinMs);
  };
  const { signCommits } = job.settings.config;
  return {
    name,
    branch,
    head,
    get tip() {
      return tip;
    },
    get here() {
      return here;
    },
    push: async (commit, withinMs) => {
      const until = performance.now() + withinMs;
      const push = signCommits ? signed : plain;
      let pushed = await push(commit, withinMs);
      if (!pushed.ok && pushed.trouble.kind === "moved" && pushed.trouble.now !== null) {
        const { now } = pushed.trouble;
        const leftMs = (): number => Math.max(0, until - performance.now());
        if (await isOurs({ branch, from: tip ?? head, now, commit }, leftMs)) {
          tip = now;
          here = now;
          pushed = now === commit ? done({ head: now, here: now }) : await push(commit, leftMs());
        }
      }
      if (pushed.ok) ({ head: tip, here } = pushed.value);
      return pushed;
    },
  };
}

/** An unexpected tip of a branch, and where it would lie in the work. */
interface Unexpected {
  readonly branch: WorkBranch;
  /** where the branch was expected, or what the work began with; null: nothing */
  readonly from: string | null;
  readonly now: string;
  readonly commit: string;
}

/**
 * Whether a tip that was not expected is a step of this very work: pushed by main, which was ended before it could note
 * that for post. Then nobody else has moved the branch.
 */
async function isOurs({ branch, from, now, commit }: Unexpected, leftMs: () => number): Promise<boolean> {
  if (from === null || from === now) return false;
  const holds = async (later: string, base: string): Promise<boolean> =>
    (await branch.commitsSince({ base, commit: later, most: 1 }, leftMs())).ok;
  return (await holds(commit, now)) && (await holds(now, from));
}

/** A branch of the job's repository; undefined where nothing is published from here. */
export async function branchNamed(job: Surroundings, name: string): Promise<WorkBranch | undefined> {
  const { context, place, settings, gitFolder } = job;
  const { commit, pullRequest, githubToken: token } = settings.config;
  const repository = await findRepository(place.root);
  if (commit === "never" || pullRequest === "never" || token === null || repository === undefined) return undefined;
  const { createWorkBranch } = await import("../git/branch.ts");
  const { owner, name: repositoryName } = context.repository;
  try {
    return createWorkBranch({
      repository,
      folder: gitFolder("branch"),
      url: `${context.serverUrl}/${owner}/${repositoryName}`,
      token,
      mark: marksOf(place).tools,
      branch: name,
    });
  } catch (error) {
    job.notice(`Nothing is published: ${messageOf(error)}.`);
    return undefined;
  }
}
