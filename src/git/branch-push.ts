import { DONE, done, failed, type Result, type Trouble } from "../core/result.ts";
import { said } from "./work-tree/apply-tree.ts";
import { type BranchRepository, fetchHere, isAncestor, remoteTip } from "./branch-repository.ts";
import { checkedId } from "./git.ts";
import { locking } from "./locks/locks.ts";
import { refusalOfKind, type RemoteRefusal } from "./refusal.ts";

/** A refusal that another attempt does not change, and how to solve it. */
export type BranchRefusal = Exclude<RemoteRefusal["kind"], "stale" | "unreachable"> | "not_fast_forward";

/** Why nothing was pushed; `because` is part of a sentence. */
export type PushTrouble =
  /** somebody moved the branch; `now` is where it is: null when it was deleted */
  | (Trouble & { readonly kind: "moved"; readonly now: string | null })
  | (Trouble & { readonly kind: "unreachable" | BranchRefusal });

/** Moves the remote's branch from `expected` to `commit`, which has to hold its history. */
export async function pushBranch(
  repository: BranchRepository,
  commit: string,
  expected: string | null,
): Promise<Result<undefined, PushTrouble>> {
  const { remote, ref, branch } = repository;
  if (expected !== null && !(await isAncestor(repository, checkedId(expected), checkedId(commit)))) {
    return failed({
      kind: "not_fast_forward",
      because: `the work does not hold ${short(expected)}, where ${branch} was: history was rewritten`,
      next: "Put the branch's commits back under the work, then push it yourself.",
    });
  }
  const pushed = await remote.push([{ ref, to: checkedId(commit), expected }]);
  if (pushed.ok) return DONE;
  const { kind, because, next } = pushed.trouble;
  if (kind === "unreachable") return failed({ kind, because });
  if (kind !== "stale") return failed({ kind, because, next });
  const tip = await remoteTip(repository);
  if (!tip.ok) return failed({ kind: "unreachable", because: tip.trouble.because });
  const now = tip.value;
  // The answer to an earlier attempt was lost.
  if (now === commit) return DONE;
  if (now === expected) return failed({ kind: "unreachable", because: "the server could not move it" });
  const was = expected === null ? `there was no branch ${branch}` : `${branch} was at ${short(expected)}`;
  const is = now === null ? "it is gone" : `it is at ${short(now)}`;
  return failed({ kind: "moved", now, because: `${was}, and now ${is}` });
}

/** See `WorkBranch.remove`. */
export async function removeBranch(repository: BranchRepository, expected: string): Promise<Result> {
  const { remote, ref, branch } = repository;
  const pushed = await remote.push([{ ref, to: null, expected: checkedId(expected) }]);
  if (pushed.ok || pushed.trouble.kind !== "stale") return pushed;
  const tip = await remoteTip(repository);
  if (!tip.ok) return tip;
  if (tip.value === null) return DONE;
  const because = `${branch} was at ${short(expected)}, and now it is at ${short(tip.value)}`;
  return failed({ because });
}

/** Asks whether the branch and other refs may be written, without writing any. */
export async function rehearsePush(
  repository: BranchRepository,
  refs: readonly string[],
): Promise<Result<undefined, RemoteRefusal>> {
  const rehearsed = repository.remote.rehearsePush([repository.ref, ...refs]);
  const [tried, obstacle] = await Promise.all([rehearsed, branchInTheWay(repository)]);
  return tried.ok && obstacle !== undefined ? failed(refusalOfKind("name_in_use", obstacle)) : tried;
}

/** The remote's branch that excludes this name: git cannot have both `a` and `a/b`. */
async function branchInTheWay({ remote, ref }: BranchRepository): Promise<string | undefined> {
  const [first = ""] = ref.slice("refs/heads/".length).split("/");
  const listed = await remote.list("--heads", `refs/heads/${first}*`);
  if (!listed.ok) return undefined;
  return [...listed.value.keys()].find((other) => ref.startsWith(`${other}/`) || other.startsWith(`${ref}/`));
}

/** See `WorkBranch.follow`. */
export async function followRemote(
  repository: BranchRepository,
  from: string,
  to: string,
): Promise<Result<"moved" | "absent">> {
  const { git, ref, remote, branch } = repository;
  const local = await git.tryTheirs(["rev-parse", "--verify", "--quiet", ref]);
  if (local.exitCode !== 0) return done("absent");
  if (local.stdout.trim() !== from) return failed({ because: `the local branch ${branch} is not where its work was` });
  const fetched = await fetchHere(repository, checkedId(to));
  if (!fetched.ok) return failed({ because: `${short(to)} cannot be fetched: ${fetched.trouble.because}` });
  const differing = await remote.differing(checkedId(from), to, { online: true });
  if (differing?.length !== 0) return failed({ because: `${short(to)} does not hold the same files` });
  const args = ["update-ref", "-m", "smithers: as GitHub has it", ref, to, from];
  const use = { env: await git.committer() };
  const moved = await locking(git.repository, [ref], () => git.tryTheirs(args, use), "noted as pushed");
  return moved.exitCode === 0 ? done("moved") : failed({ because: said(moved.stderr) });
}

function short(commit: string): string {
  return commit.slice(0, 12);
}
