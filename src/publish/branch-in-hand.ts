import { SecretValues } from "../os/secrets.ts";
import type { Config } from "../config/config.ts";
import { messageOf } from "../core/errors.ts";
import type { GithubAccess } from "../github/access.ts";
import type { GithubContext } from "../github/context.ts";
import type { Ground } from "../store/carry-note.ts";
import { findRepository } from "../git/repository.ts";
import type { WorkBranch } from "../git/branch.ts";
import { type JobPlace, marksOf } from "../store/place.ts";
import { secretsOf } from "../store/redaction.ts";
import type { Pushed, SignedPushed } from "./push-signed.ts";

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
   * the work holds a secret is to be asked before.
   */
  push(commit: string, withinMs: number): Promise<Pushed>;
  /**
   * Whether pushing `commit` would publish a secret of this job, which the agent may have found out and written down
   * (T2). What is pushed once is read by everybody who may read the repository, whatever is done to the branch later.
   *
   * @returns whole sentences; null: it would not
   */
  secretIn(commit: string, withinMs: number): Promise<string | null>;
  /** A branch of its own for the same work, which is not on GitHub yet. */
  beside(name: string): Promise<BranchInHand | undefined>;
}

/** The branches of the job's repository. Each is undefined where nothing is published from here. */
export interface Branches {
  /** Nothing is done to it. */
  named(name: string): Promise<WorkBranch | undefined>;
  /**
   * Puts the workspace on the branch. Where that cannot be a person is told; the loop can work all the same, for its work
   * is kept for the next run.
   */
  takeUp(name: string): Promise<BranchInHand | undefined>;
  /** The branch as main had it in hand; undefined as well where it had none. */
  again(note: Ground["branch"]): Promise<BranchInHand | undefined>;
}

/** What branches are made from. */
export interface BranchOptions {
  readonly context: GithubContext;
  readonly place: JobPlace;
  readonly config: Config;
  readonly github: GithubAccess | undefined;
  /** tells a person */
  readonly notice: (text: string) => void;
}

const TAKE_UP_MS = 60_000;

export function createBranches(options: BranchOptions): Branches {
  const { notice } = options;
  const again: Branches["again"] = async (note) => {
    const branch = note === null ? undefined : await branchNamed(options, note.name);
    return branch === undefined || note === null ? undefined : inHand(options, branch, note, again);
  };
  return {
    named: async (name) => branchNamed(options, name),
    async takeUp(name) {
      const branch = await branchNamed(options, name);
      if (branch === undefined) return undefined;
      const taken = await branch.takeUp(TAKE_UP_MS);
      if (!taken.taken) {
        notice(`${taken.why} What this run does is not published; it is kept for the next one.`);
        return undefined;
      }
      for (const text of taken.notices) notice(text);
      return inHand(options, branch, { name, tip: taken.tip, head: taken.head }, again);
    },
    again,
  };
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

function inHand(
  { config, github, notice }: BranchOptions,
  branch: WorkBranch,
  { name, tip: first, head }: NonNullable<Ground["branch"]>,
  again: Branches["again"],
): BranchInHand {
  let tip = first;
  let here = first;
  const plain = async (commit: string, withinMs: number): Promise<SignedPushed> => {
    const pushed = await branch.push(commit, tip, withinMs);
    return pushed.pushed ? { pushed: true, head: commit, here: commit } : pushed;
  };
  const signed = async (commit: string, withinMs: number): Promise<SignedPushed> => {
    const { pushSigned } = await import("./push-signed.ts");
    return pushSigned({ github, notice }, { name, branch, tip, base: here ?? head }, commit, withinMs);
  };
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
      const push = config.signCommits ? signed : plain;
      let pushed = await push(commit, withinMs);
      if (!pushed.pushed && pushed.because === "moved" && pushed.now !== null) {
        const { now } = pushed;
        const leftMs = (): number => Math.max(0, until - performance.now());
        if (await isOurs({ branch, from: tip ?? head, now, commit }, leftMs)) {
          tip = now;
          here = now;
          pushed = now === commit ? { pushed: true, head: now, here: now } : await push(commit, leftMs());
        }
      }
      if (pushed.pushed) ({ head: tip, here } = pushed);
      return pushed;
    },
    secretIn: async (commit, withinMs) => {
      const secrets = new SecretValues(secretsOf(config));
      const known = [here, head].filter((id) => id !== null);
      const found = await branch.placesAdding({ commit, known }, (text) => secrets.areIn(text), withinMs);
      if (!found.known) return `whether it holds a secret of this job cannot be told: ${found.why}.`;
      return found.places.length === 0 ? null : shown(found.places);
    },
    // Commits can be made there (`sign-commits`) upon the latest one that is here and on GitHub.
    beside: async (other) => again({ name: other, tip: null, head: tip !== null && tip === here ? tip : head }),
  };
}

function shown([first = "", ...others]: readonly string[]): string {
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  return `${first}${more} would show a secret of this job to everybody who may read the repository. Take it out of the work, and tell the agent to write it down nowhere.`;
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
    (await branch.commitsSince({ base, commit: later, most: 1 }, leftMs())).known;
  return (await holds(commit, now)) && (await holds(now, from));
}

async function branchNamed(
  { context, place, config, notice }: BranchOptions,
  name: string,
): Promise<WorkBranch | undefined> {
  const { commit, pullRequest, githubToken: token } = config;
  const repository = await findRepository(place.root);
  if (commit === "never" || pullRequest === "never" || token === null || repository === undefined) return undefined;
  const { createWorkBranch } = await import("../git/work-branch.ts");
  const { owner, name: repositoryName } = context.repository;
  try {
    return createWorkBranch({
      repository,
      folder: place.gitFolder("branch"),
      url: `${context.serverUrl}/${owner}/${repositoryName}`,
      token,
      mark: marksOf(place).tools,
      branch: name,
    });
  } catch (error) {
    notice(`Nothing is published: ${messageOf(error)}.`);
    return undefined;
  }
}
