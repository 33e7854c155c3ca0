import { setTimeout as sleep } from "node:timers/promises";
import { done, failed, type Result } from "../core/result.ts";
import type { WorkBranch } from "../git/branch.ts";
import type { CommitsTrouble } from "../git/branch-history.ts";
import type { PushTrouble } from "../git/branch-push.ts";
import { octokitFor } from "../carry/carriers.ts";
import type { SignedPush } from "../github/signed-commits.ts";
import type { Surroundings } from "../app/surroundings.ts";

/** A branch as a run knows it. */
export interface KnownBranch {
  readonly name: string;
  readonly branch: WorkBranch;
  /** where it is on GitHub; null: nowhere */
  readonly tip: string | null;
  /** the commit here that stands for `tip`, or the one that the work began with; null: none */
  readonly base: string | null;
}

/** What has become of a push by the API; `here`: the commit here that stands for `head`. */
export type SignedPushed = Result<{ readonly head: string; readonly here: string }, PushTrouble>;

/** A commit takes two writes, and these go out one in a second. */
const COMMIT_MS = 2_500;
/** For the branch itself, and for fetching what GitHub has made. */
const REST_MS = 5_000;
const MOST_COMMITS = 20;
const AGAIN_MS = 1_000;

/**
 * Makes the commits since the branch's tip anew by GitHub's API, which signs them, moves the branch to them, and the
 * local one after it: files and index stay, for both hold the same. Never throws.
 */
export async function pushSigned(
  job: Surroundings,
  known: KnownBranch,
  commit: string,
  withinMs: number,
): Promise<SignedPushed> {
  const until = performance.now() + withinMs;
  const leftMs = (): number => Math.max(0, until - performance.now());
  const { name, branch, tip, base } = known;
  const most = Math.max(1, Math.min(MOST_COMMITS, Math.floor((withinMs - REST_MS) / COMMIT_MS)));
  if (base === null) return failed({ kind: "incomplete", ...NOTHING_THERE });
  const since = await branch.commitsSince({ base, commit, most }, leftMs());
  if (!since.ok) return notKnown(since.trouble, known);
  const { baseTree, commits, squashed: joined } = since.value;
  if (joined !== null) job.notice(squashed(name, joined));
  const octokit = await octokitFor(job)();
  if (octokit === undefined) return failed({ kind: "unreachable", because: "there is no github-token" });
  const { pushSigned: push } = await import("../github/signed-commits.ts");
  const signal = AbortSignal.timeout(Math.floor(leftMs()));
  const pushed = await push(
    { octokit, repository: job.context.repository, signal },
    {
      ...{ branch: name, tip, base: { commit: tip ?? base, tree: baseTree }, commits },
      contents: async (blobs) => {
        const read = await branch.contents(blobs, leftMs());
        if (read.ok) return read.value;
        throw new Error(`the files cannot be read: ${read.trouble.because}`);
      },
    },
  );
  if (!pushed.pushed) return failed(troubleOf(pushed));
  const { head, unverified } = pushed;
  if (unverified !== null) job.notice(`${UNVERIFIED} (${unverified}). ${BOTS}`);
  return done({ head, here: await follow(job, branch, { from: commit, to: head, leftMs }) });
}

/** @returns the commit here that stands for GitHub's */
async function follow(
  job: Surroundings,
  branch: WorkBranch,
  { from, to, leftMs }: { readonly from: string; readonly to: string; readonly leftMs: () => number },
): Promise<string> {
  if (from === to) return to;
  let followed = await branch.follow(from, to, leftMs());
  if (!followed.ok && leftMs() > AGAIN_MS) {
    // Not all of GitHub's machines may know of it yet.
    await sleep(AGAIN_MS);
    followed = await branch.follow(from, to, leftMs());
  }
  if (!followed.ok) {
    job.notice(
      `GitHub has made ${to.slice(0, 12)} of ${from.slice(0, 12)}, which stays checked out: ${followed.trouble.because}.`,
    );
    return from;
  }
  return followed.value === "moved" ? to : from;
}

function notKnown({ kind, because }: CommitsTrouble, { name, tip, base }: KnownBranch): SignedPushed {
  if (kind === "failed") return failed({ kind: "unreachable", because });
  return failed({
    kind: "not_fast_forward",
    because: `the work does not hold ${(tip ?? base ?? "").slice(0, 12)}, where ${name} was: ${because}`,
    next: "Put the branch's commits back under the work, then push it yourself.",
  });
}

function troubleOf(pushed: Extract<SignedPush, { pushed: false }>): PushTrouble {
  const { why: because } = pushed;
  if (pushed.because === "moved") return { kind: "moved", because, now: pushed.now };
  return pushed.because === "unreachable"
    ? { kind: "unreachable", because }
    : { kind: pushed.kind, because, next: pushed.next };
}

const NOTHING_THERE = {
  because: "there is no commit on GitHub that the work could be built upon",
  next: "Push a first commit before the loop begins, or switch sign-commits off.",
};
const UNVERIFIED = "GitHub does not show the loop's commits as verified";
const BOTS =
  "It signs for the job's own token and for that of an App; with a person's token, switch sign-commits off and sign in another way.";

function squashed(
  name: string,
  { from, because }: { readonly from: number; readonly because: "merge" | "many" },
): string {
  const why = because === "merge" ? "there is a merge among them" : "so many cannot be made by the API in time";
  return `${from} commits became one on ${name}: with sign-commits GitHub makes them anew, and ${why}.`;
}
