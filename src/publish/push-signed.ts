import { setTimeout as sleep } from "node:timers/promises";
import type { GithubAccess } from "../github/access.ts";
import type { WorkBranch } from "../git/branch.ts";

/** A branch as a run knows it. */
export interface KnownBranch {
  readonly name: string;
  readonly branch: WorkBranch;
  /** where it is on GitHub; null: nowhere */
  readonly tip: string | null;
  /** the commit here that stands for `tip`, or the one that the work began with; null: none */
  readonly base: string | null;
}

/** What became of a push. */
export type Pushed =
  /** `head`: where the branch is on GitHub now; not `commit` where GitHub has made it anew (`sign-commits`) */
  { readonly pushed: true; readonly head: string } | Exclude<BranchPushed, { readonly pushed: true }>;

/** What has become of a push by the API. */
export type SignedPushed =
  /** `here`: the commit here that stands for `head` */
  (Extract<Pushed, { pushed: true }> & { readonly here: string }) | Exclude<Pushed, { pushed: true }>;

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
  { github, notice }: { readonly github: GithubAccess | undefined; readonly notice: (text: string) => void },
  known: KnownBranch,
  commit: string,
  withinMs: number,
): Promise<SignedPushed> {
  const until = performance.now() + withinMs;
  const leftMs = (): number => Math.max(0, until - performance.now());
  const { name, branch, tip, base } = known;
  const most = Math.max(1, Math.min(MOST_COMMITS, Math.floor((withinMs - REST_MS) / COMMIT_MS)));
  if (base === null) return { pushed: false, because: "refused", kind: "incomplete", ...NOTHING_THERE };
  const since = await branch.commitsSince({ base, commit, most }, leftMs());
  if (!since.known) return notKnown(since, known);
  if (since.squashed !== null) notice(squashed(name, since.squashed));
  if (github === undefined) return { pushed: false, because: "unreachable", why: "there is no github-token" };
  const { pushSigned: push } = await import("../github/signed-commits.ts");
  const pushed = await push(await github.within(leftMs()), {
    ...{ branch: name, tip, base: { commit: tip ?? base, tree: since.baseTree }, commits: since.commits },
    contents: async (blobs) => {
      const read = await branch.contents(blobs, leftMs());
      if (read.known) return read.contents;
      throw new Error(`the files cannot be read: ${read.why}`);
    },
  });
  if (!pushed.ok) return notMade(pushed.trouble);
  const { head, unverified } = pushed.value;
  if (unverified !== null) notice(`${UNVERIFIED} (${unverified}). ${BOTS}`);
  return { pushed: true, head, here: await land(notice, branch, { from: commit, to: head, leftMs }) };
}

/** @returns the commit here that stands for GitHub's */
async function land(
  notice: (text: string) => void,
  branch: WorkBranch,
  { from, to, leftMs }: { readonly from: string; readonly to: string; readonly leftMs: () => number },
): Promise<string> {
  if (from === to) return to;
  let landed = await branch.land(from, to, leftMs());
  if (landed.landed === "not" && leftMs() > AGAIN_MS) {
    // Not all of GitHub's machines may know of it yet.
    await sleep(AGAIN_MS);
    landed = await branch.land(from, to, leftMs());
  }
  if (landed.landed === "not") {
    notice(`GitHub has made ${to.slice(0, 12)} of ${from.slice(0, 12)}, which stays checked out: ${landed.why}.`);
  }
  return landed.landed === "moved" ? to : from;
}

function notMade(trouble: Extract<SignedPush, { ok: false }>["trouble"]): SignedPushed {
  const { because: why } = trouble;
  if (trouble.kind === "moved") return { pushed: false, because: "moved", now: trouble.now, why };
  if (trouble.kind === "unreachable") return { pushed: false, because: "unreachable", why };
  return { pushed: false, because: "refused", kind: trouble.kind, why, next: trouble.next ?? "" };
}

function notKnown(
  { because, why }: { readonly because: "rewritten" | "failed"; readonly why: string },
  { name, tip, base }: KnownBranch,
): SignedPushed {
  if (because === "failed") return { pushed: false, because: "unreachable", why };
  return {
    ...{ pushed: false, because: "refused", kind: "not_fast_forward" },
    why: `the work does not hold ${(tip ?? base ?? "").slice(0, 12)}, where ${name} was: ${why}`,
    next: "Put the branch's commits back under the work, then push it yourself.",
  };
}

const NOTHING_THERE = {
  why: "there is no commit on GitHub that the work could be built upon",
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
