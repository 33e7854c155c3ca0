import { setTimeout as sleep } from "node:timers/promises";
import { done, failed, type Result } from "../core/result.ts";
import type { WorkBranch } from "../git/branch.ts";
import type { CommitsSince, CommitsTrouble } from "../git/branch-history.ts";
import type { PushTrouble } from "../git/branch-push.ts";
import type { GithubAccess } from "../github/access.ts";
import { timer } from "../os/clock.ts";

/** Where a branch is on GitHub after a push, which differs from what was pushed if GitHub signed it; `here`: as `PublishBranch.here`. */
export interface Pushed {
  readonly head: string;
  readonly here: string;
}

/** A branch whose commits GitHub makes, which signs them. */
interface SignedBranch {
  readonly name: string;
  readonly workBranch: WorkBranch;
  /** where it is on GitHub; null: nowhere */
  readonly tip: string | null;
  /** the local commit for `tip`, or the one that the work began with; null: none */
  readonly base: string | null;
  readonly github: GithubAccess | undefined;
  readonly notice: (text: string) => void;
}

/** A commit takes two writes, and these go out one in a second. */
const COMMIT_MS = 2_500;
/** For the branch itself, and for fetching what GitHub has made. */
const REST_MS = 5_000;
const MOST_COMMITS = 20;
const AGAIN_MS = 1_000;

/**
 * Repeats the commits since the branch's tip by GitHub's API, moves the branch to them, then the local one: files and
 * index stay, because both hold the same. Never throws.
 */
export async function pushSigned(
  known: SignedBranch,
  commit: string,
  withinMs: number,
): Promise<Result<Pushed, PushTrouble>> {
  const { name, workBranch, tip, base, github, notice } = known;
  const leftMs = timer(withinMs);
  const most = Math.max(1, Math.min(MOST_COMMITS, Math.floor((withinMs - REST_MS) / COMMIT_MS)));
  if (base === null) {
    return failed({
      kind: "incomplete",
      because: "there is no commit on GitHub that the work could be built on",
      next: "Push a first commit before the loop begins, or switch sign-commits off.",
    });
  }
  const since = await workBranch.commitsSince({ base, commit, most }, leftMs());
  if (!since.ok) return failed(unknownCommits(since.trouble, name, tip ?? base));
  const { baseTree, commits, squashed } = since.value;
  if (squashed !== null) notice(squashedNotice(name, squashed));
  if (github === undefined) return failed({ kind: "unreachable", because: "there is no github-token" });
  const { pushSigned: push } = await import("../github/signed-commits.ts");
  const pushed = await push(await github.within(leftMs()), {
    ...{ branch: name, tip, base: { commit: tip ?? base, tree: baseTree }, commits },
    contents: async (blobs) => {
      const read = await workBranch.contents(blobs, leftMs());
      if (read.ok) return read.value;
      throw new Error(`the files cannot be read: ${read.trouble.because}`);
    },
  });
  if (!pushed.ok) return pushed;
  const { head, unverified } = pushed.value;
  if (unverified !== null) notice(`${UNVERIFIED} (${unverified}). ${BOTS}`);
  return done({ head, here: await follow(known, commit, head, leftMs) });
}

/** @returns the local commit for GitHub's */
async function follow(
  { workBranch, notice }: SignedBranch,
  from: string,
  to: string,
  leftMs: () => number,
): Promise<string> {
  if (from === to) return to;
  let followed = await workBranch.follow(from, to, leftMs());
  if (!followed.ok && leftMs() > AGAIN_MS) {
    // Not all of GitHub's machines may know of it yet.
    await sleep(AGAIN_MS);
    followed = await workBranch.follow(from, to, leftMs());
  }
  if (followed.ok) return followed.value === "moved" ? to : from;
  const { because } = followed.trouble;
  notice(`GitHub has made ${to.slice(0, 12)} of ${from.slice(0, 12)}, which stays checked out: ${because}.`);
  return from;
}

function unknownCommits({ kind, because }: CommitsTrouble, branch: string, base: string): PushTrouble {
  if (kind === "failed") return { kind: "unreachable", because };
  return {
    kind: "not_fast_forward",
    because: `the work does not hold ${base.slice(0, 12)}, where ${branch} was: ${because}`,
    next: "Put the branch's commits back under the work, then push it yourself.",
  };
}

const UNVERIFIED = "GitHub does not show the loop's commits as verified";
const BOTS =
  "It signs for the job's own token and for that of an App; with a person's token, switch sign-commits off and sign in another way.";

function squashedNotice(branch: string, { from, because }: NonNullable<CommitsSince["squashed"]>): string {
  const why =
    because === "merge" ? "there is a merge among them" : "there are too many for the API in the time there is";
  return `${from} commits became one on ${branch}: with sign-commits GitHub creates them itself, and ${why}.`;
}
