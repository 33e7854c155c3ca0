import { remoteRefusalOf } from "./remote-git-refusal.ts";
import type { BranchDeleted, BranchPushed } from "./work-branch-answers.ts";
import { checkedCommit, isAncestor, type Reach } from "./work-branch-reach.ts";

/** Moves the remote's branch from `expected` to `commit`, which has to hold its history. */
export async function pushBranch(reach: Reach, commit: string, expected: string | null): Promise<BranchPushed> {
  const { remote, ref, signal, branch } = reach;
  if (expected !== null && !(await isAncestor(reach, checkedCommit(expected), checkedCommit(commit)))) {
    const why = `the work does not hold ${short(expected)}, where ${branch} was: history was rewritten`;
    const next = "Put the branch's commits back under the work, then push it yourself.";
    return { pushed: false, because: "refused", kind: "not_fast_forward", why, next };
  }
  const pushed = await remote.push([{ ref, to: checkedCommit(commit), expected }], signal);
  if (pushed.exitCode === 0) return { pushed: true };
  const { kind, why, next } = remoteRefusalOf(pushed);
  if (kind === "unreachable") return { pushed: false, because: "unreachable", why };
  if (kind !== "stale") return { pushed: false, because: "refused", kind, why, next };
  const now = await whereNow(reach);
  if (typeof now === "object") return { pushed: false, because: "unreachable", why: now.unknown };
  // The answer to an earlier attempt was lost.
  if (now === commit) return { pushed: true };
  if (now === (expected ?? "")) return { pushed: false, because: "unreachable", why: "the server could not move it" };
  return { pushed: false, because: "moved", now: now === "" ? null : now, why: movedWhy(branch, expected, now) };
}

/** Deletes the remote's branch if it is at `expected`. */
export async function deleteBranch(reach: Reach, expected: string): Promise<BranchDeleted> {
  const { remote, ref, signal, branch } = reach;
  const pushed = await remote.push([{ ref, to: null, expected: checkedCommit(expected) }], signal);
  if (pushed.exitCode === 0) return { deleted: true };
  const { kind, why, next } = remoteRefusalOf(pushed);
  if (kind === "unreachable") return { deleted: false, because: "unreachable", why };
  if (kind !== "stale") return { deleted: false, because: "refused", why: next === "" ? why : `${why}. ${bare(next)}` };
  const now = await whereNow(reach);
  if (typeof now === "object") return { deleted: false, because: "unreachable", why: now.unknown };
  if (now === "") return { deleted: true };
  if (now === expected) return { deleted: false, because: "unreachable", why: "the server could not delete it" };
  return { deleted: false, because: "moved", now, why: movedWhy(branch, expected, now) };
}

/** The remote's tip; "" when there is none. */
async function whereNow({ remote, ref, signal }: Reach): Promise<string | { readonly unknown: string }> {
  const listed = await remote.list(["--heads", ref], signal);
  return "exitCode" in listed ? { unknown: remoteRefusalOf(listed).why } : (listed.get(ref) ?? "");
}

function movedWhy(branch: string, expected: string | null, now: string): string {
  const was = expected === null ? `there was no branch ${branch}` : `${branch} was at ${short(expected)}`;
  return `${was}, and now ${now === "" ? "it is gone" : `it is at ${short(now)}`}`;
}

function short(commit: string): string {
  return commit.slice(0, 12);
}

function bare(sentence: string): string {
  return sentence.replace(/\.$/u, "");
}
