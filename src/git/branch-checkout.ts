import { setTimeout as sleep } from "node:timers/promises";
import { done, failed, type Result } from "../core/result.ts";
import { type BranchRepository, fetchHere, isAncestor } from "./branch-repository.ts";
import { operationInProgress } from "./busy.ts";
import { bringFilesTo, type Bringing, type CheckoutTrouble, noticesOf, refused } from "./checkout/bring-files.ts";
import { elsewhere, localTip, type LocalTip, obstacleTo, putHead, putLocalOn } from "./checkout/local-branch.ts";
import { type FileChange, isFile } from "./diff.ts";
import { sweepLocks } from "./locks/left-locks.ts";

/** A workspace that is on the branch. */
export interface CheckedOut {
  /**
   * `moved`: files were brought to the remote's tip; `begun`: the remote does not have the branch, and the local one
   * begins here; `there`: nothing to do
   */
  readonly how: "moved" | "begun" | "there";
  /** the remote's tip, which `push` expects; null: none */
  readonly tip: string | null;
  /** what is checked out now: the tip, or the person's own commits on top of it; null before the first commit */
  readonly head: string | null;
  /** where the remote's branch is, if it counts as not there: see `WorkBranch.checkOut`; null: it is not there, or counts */
  readonly empty: string | null;
  /** what a person has to know of it, in whole sentences */
  readonly notices: readonly string[];
}

/** Where the fetched tip is noted in our own directory. */
const TIP = "refs/taken/tip";

/** See `WorkBranch.checkOut`. */
export async function checkOutBranch(
  repository: BranchRepository,
  mayBeEmpty: boolean,
): Promise<Result<CheckedOut, CheckoutTrouble>> {
  const { git, remote, ref, branch } = repository;
  const swept = await sweepLocks(git.repository);
  const operation = await operationInProgress(git.repository);
  if (operation !== undefined) return refused(branch, "busy", `a ${operation} is in progress`);
  const where = await elsewhere(repository);
  if (where !== undefined) return refused(branch, "taken", `${where} has it checked out`);
  const fetched = await fetchTip(repository, `+${ref}:${TIP}`);
  if (!fetched.ok) {
    const { kind, because } = fetched.trouble;
    return kind === "absent" ? begin(repository, swept, null) : refused(branch, "unreachable", because);
  }
  const { exitCode, stdout } = await remote.try(["rev-parse", "--verify", "--quiet", `${TIP}^{commit}`]);
  if (exitCode !== 0) return refused(branch, "failed", "what was fetched is no commit");
  const tip = stdout.trim();
  const head = await git.head();
  if (mayBeEmpty && head !== null && (await isAncestor(repository, tip, head))) return begin(repository, swept, tip);
  const local = await localBranch(repository, tip);
  if (local.relation === "ahead" && local.isCheckedOut)
    return done({ how: "there", tip, head: local.commit, empty: null, notices: swept });
  if (local.relation === "ahead" || local.relation === "diverged")
    return refused(branch, "diverged", `the local branch has commits that the remote's has not`);
  const isThere = head === tip;
  const obstacle = await obstacleTo(repository, local, tip);
  if (obstacle !== undefined) return refused(branch, "failed", obstacle);
  const applied = isThere ? done([]) : await bringFilesTo(bringingOf(repository), tip);
  if (!applied.ok) return applied;
  // From here on the time limit does not abort: HEAD has to match the files.
  const why = await putLocalOn(repository, local, tip);
  if (why !== undefined) {
    const half = `The files are those of the branch ${branch} already, and HEAD could not be put on it: ${why}.`;
    return failed({ kind: "failed", because: `${half} Checking it out again completes it.` });
  }
  if (isThere && local.isCheckedOut) return done({ how: "there", tip, head: tip, empty: null, notices: swept });
  return done({
    how: "moved",
    tip,
    head: tip,
    empty: null,
    notices: [...swept, ...(await noticesOf(git, applied.value))],
  });
}

/** Before a server that could not be reached is asked again; milliseconds. */
const PAUSES_MS = [500, 1_500] as const;

/** Asks again where the server could not be reached: a run whose branch is not checked out publishes nothing. */
async function fetchTip(repository: BranchRepository, refspec: string): ReturnType<typeof fetchHere> {
  let fetched = await fetchHere(repository, refspec);
  for (const pause of PAUSES_MS) {
    if (fetched.ok || fetched.trouble.kind !== "unreachable") break;
    await sleep(pause, undefined, { signal: repository.remote.signal });
    fetched = await fetchHere(repository, refspec);
  }
  return fetched;
}

/** The remote does not have the branch, or nothing on it: the local one begins at the checkout, and no file changes. */
async function begin(
  repository: BranchRepository,
  notices: readonly string[],
  empty: CheckedOut["empty"],
): Promise<Result<CheckedOut, CheckoutTrouble>> {
  const { git, branch } = repository;
  const head = await git.head();
  const local = await localBranch(repository, head);
  if (local.relation === "ahead" || local.relation === "diverged")
    return refused(branch, "diverged", "the local branch has commits that what is checked out has not");
  const why = head === null ? await putHead(repository, local.isCheckedOut) : await putLocalOn(repository, local, head);
  if (why !== undefined) return refused(branch, "failed", why);
  return done({ how: local.isCheckedOut ? "there" : "begun", tip: null, head, empty, notices });
}

/** How the local branch of that name relates to a commit. */
interface LocalBranch extends LocalTip {
  /** `ahead`: it holds the commit and more; `behind`: the commit holds it and more */
  readonly relation: "absent" | "same" | "behind" | "ahead" | "diverged";
}

/** @param commit null: nothing is checked out yet */
async function localBranch(repository: BranchRepository, commit: string | null): Promise<LocalBranch> {
  const tip = await localTip(repository);
  return { ...tip, relation: tip.commit === null ? "absent" : await relationOf(repository, tip.commit, commit) };
}

async function relationOf(repository: BranchRepository, local: string, commit: string | null) {
  if (local === commit) return "same";
  if (commit === null) return "diverged";
  if (await isAncestor(repository, local, commit)) return "behind";
  return (await isAncestor(repository, commit, local)) ? "ahead" : "diverged";
}

function bringingOf({ git, branch, remote }: BranchRepository): Bringing {
  return {
    ...{ git, branch, signal: remote.signal },
    // The folders of a partial clone may have to be fetched.
    differing: (from, to) => remote.differing(from, to, { online: true }),
    fetch: (changes) => fetchFilesOf({ git, remote }, changes),
  };
}

/** What of the files is not here yet, because the clone is a partial one. */
async function fetchFilesOf(
  { git, remote }: Pick<BranchRepository, "git" | "remote">,
  changes: readonly FileChange[],
): Promise<void> {
  const blobs = [...new Set(changes.filter(({ after }) => isFile(after)).map(({ after }) => after.object))];
  const here = await git.sizes(blobs);
  const missing = blobs.filter((blob) => !here.has(blob));
  if (missing.length === 0) return;
  const fetched = await remote.fetchMissing(missing);
  if (!fetched.ok) throw new Error(`its files cannot be fetched: ${fetched.trouble.because}`);
}
