import path from "node:path";
import { RemoteGit } from "./remote-git.ts";
import { isBranchName } from "./remote-git-name.ts";
import { refusalOfKind, remoteRefusalOf } from "./remote-git-refusal.ts";
import { oneAtATime } from "../os/concurrency.ts";
import { seconds } from "../views/amounts.ts";
import { briefly } from "../views/plain-text.ts";
import { PrivateGit } from "./private-git.ts";
import type { Repository } from "./repository.ts";
import type {
  BranchDeleted,
  BranchLanded,
  BranchPushed,
  BranchTip,
  BranchWritable,
  ChangedPaths,
  CommitsSince,
  Contents,
  PlacesAdding,
  TakenUp,
} from "./work-branch-answers.ts";
import { type Added, type Holds, placesAdding } from "./work-branch-added.ts";
import { commitsSince, contentsOf, type Stretch } from "./work-branch-commits.ts";
import { landBranch } from "./work-branch-land.ts";
import { pathsBetween } from "./work-branch-paths.ts";
import { deleteBranch, pushBranch } from "./work-branch-push.ts";
import { type Reach, reachOut } from "./work-branch-reach.ts";
import { takeUp } from "./work-branch-take-up.ts";

export interface WorkBranchOptions {
  /** the person's repository around the workspace */
  readonly repository: Repository;
  /** where our git directories for this branch are kept, absolute; made when it is missing */
  readonly folder: string;
  /** of the repository on the network: `http` or `https`, without user or password */
  readonly url: string;
  readonly token: string | null;
  /** marks git's processes, see `supervise` */
  readonly mark: string;
  /** the branch's name, without `refs/heads/` */
  readonly branch: string;
}

/**
 * The branch that a loop's work is published on: one of its own, or the head of a pull request. People's commits on it
 * are never rewritten, and nothing in the checkout is obeyed (T12).
 *
 * Operations run in the order in which they are asked for. None throws or takes longer than `within` milliseconds,
 * except that files are not left half written.
 */
export interface WorkBranch {
  /** Where the branch is on the remote. */
  tip(within: number): Promise<BranchTip>;
  /**
   * Puts the workspace on the branch: HEAD, index and work tree become the remote's tip, on a local branch of that name;
   * where the remote has no such branch, the local one is begun at what is checked out. All of it or nothing. Idempotent.
   */
  takeUp(within: number): Promise<TakenUp>;
  /**
   * Moves the remote's branch forward to `commit`, or not at all.
   *
   * @param expected where it was last seen; null: there was none
   */
  push(commit: string, expected: string | null, within: number): Promise<BranchPushed>;
  /** Asks whether the token may write the branch and these other refs (full names), without writing any. */
  dryRun(refs: readonly string[], within: number): Promise<BranchWritable>;
  /** Deletes the remote's branch if it is still at `expected`. */
  delete(expected: string, within: number): Promise<BranchDeleted>;
  /** What differs between two commits; what is not here is fetched. At most `limit` paths are told. */
  changedPaths(base: string, head: string, within: number, limit?: number): Promise<ChangedPaths>;
  /** Where something is in what a push would add, in any of its commits. */
  placesAdding(added: Added, holds: Holds, within: number): Promise<PlacesAdding>;
  /** The commits that lead from one that the remote has to another, for making them anew there. */
  commitsSince(stretch: Stretch, within: number): Promise<CommitsSince>;
  /** What these blobs hold; all of it is in memory at once. */
  contents(blobs: readonly string[], within: number): Promise<Contents>;
  /**
   * Moves the local branch from `from` to `to`, a commit of the remote that holds the same files: index and work tree
   * stay as they are.
   */
  land(from: string, to: string, within: number): Promise<BranchLanded>;
}

/** So many changed paths are told. */
const PATH_LIMIT = 5_000;

/** @throws RangeError when no branch can have that name: check it with `isBranchName` where it comes from */
export function createWorkBranch(options: WorkBranchOptions): WorkBranch {
  const { repository, folder, url, token, mark, branch } = options;
  if (!isBranchName(branch)) throw new RangeError(`${JSON.stringify(branch)} is no name for a branch`);
  const git = new PrivateGit(repository, path.join(folder, "git"));
  const remote = new RemoteGit({ url, token, mark, folder: path.join(folder, "remote.git") });
  const inTurn = oneAtATime();
  const bounded: Bounded = (within, act, failed) => {
    const signal = AbortSignal.timeout(Math.max(0, Math.round(within)));
    return inTurn(async () => {
      try {
        return await act(await reachOut({ git, remote, branch, ref: `refs/heads/${branch}`, signal }));
      } catch (error) {
        const isLate = signal.aborted;
        return failed(isLate ? `there was no answer within ${seconds(within)}` : briefly(error), isLate);
      }
    });
  };

  return {
    tip: (within) => bounded<BranchTip>(within, tipOf, (why) => ({ tip: "unreachable", why })),
    takeUp: (within) =>
      bounded<TakenUp>(within, takeUp, (why, isLate) => ({
        taken: false,
        because: isLate ? "unreachable" : "failed",
        why: `The branch ${branch} cannot be checked out: ${why}. Nothing was changed.`,
      })),
    push: (commit, expected, within) =>
      bounded<BranchPushed>(
        within,
        (reach) => pushBranch(reach, commit, expected),
        (why) => ({ pushed: false, because: "unreachable", why }),
      ),
    dryRun: (refs, within) =>
      bounded<BranchWritable>(
        within,
        (reach) => rehearse(reach, refs),
        (why) => ({ writable: false, kind: "unreachable", why, next: "" }),
      ),
    delete: (expected, within) =>
      bounded<BranchDeleted>(
        within,
        (reach) => deleteBranch(reach, expected),
        (why) => ({ deleted: false, because: "unreachable", why }),
      ),
    changedPaths: (base, head, within, limit = PATH_LIMIT) =>
      bounded<ChangedPaths>(within, (reach) => pathsBetween(reach, base, head, limit), unknown),
    placesAdding: (added, holds, within) =>
      bounded<PlacesAdding>(within, (reach) => placesAdding(reach, added, holds), unknown),
    ...makingAnew(bounded),
  };
}

/** Does something in turn, within its time; `failed` words what came of it where it could not be done. */
type Bounded = <T>(
  within: number,
  act: (reach: Reach) => Promise<T>,
  failed: (why: string, isLate: boolean) => T,
) => Promise<T>;

/** What it takes to make commits anew on the remote. */
function makingAnew(bounded: Bounded): Pick<WorkBranch, "commitsSince" | "contents" | "land"> {
  return {
    commitsSince: (stretch, within) =>
      bounded<CommitsSince>(
        within,
        (reach) => commitsSince(reach, stretch),
        (why) => ({ known: false, because: "failed", why }),
      ),
    contents: (blobs, within) =>
      bounded<Contents>(within, async (reach) => ({ known: true, contents: await contentsOf(reach, blobs) }), unknown),
    land: (from, to, within) =>
      bounded<BranchLanded>(
        within,
        (reach) => landBranch(reach, from, to),
        (why) => ({ landed: "not", why }),
      ),
  };
}

function unknown(why: string): { readonly known: false; readonly why: string } {
  return { known: false, why };
}

async function tipOf({ remote, ref, signal }: Reach): Promise<BranchTip> {
  const listed = await remote.list(["--heads", ref], signal);
  if ("exitCode" in listed) return { tip: "unreachable", why: remoteRefusalOf(listed).why };
  const commit = listed.get(ref);
  return commit === undefined ? { tip: "absent" } : { tip: "found", commit };
}

async function rehearse(reach: Reach, refs: readonly string[]): Promise<BranchWritable> {
  const { remote, ref, signal } = reach;
  const [tried, obstacle] = await Promise.all([
    remote.rehearsePush([ref, ...refs], signal),
    branchInTheWay(remote, ref, signal),
  ]);
  if (tried.exitCode === 0 && obstacle !== undefined) {
    return { writable: false, ...refusalOfKind("name_in_use", obstacle) };
  }
  return tried.exitCode === 0 ? { writable: true } : { writable: false, ...remoteRefusalOf(tried) };
}

/** The remote's branch beside which there can be none of this name: git has no `a` where it has `a/b`. */
async function branchInTheWay(remote: RemoteGit, ref: string, signal: AbortSignal): Promise<string | undefined> {
  const [first = ""] = ref.slice("refs/heads/".length).split("/");
  const listed = await remote.list(["--heads", `refs/heads/${first}*`], signal);
  if ("exitCode" in listed) return undefined;
  return [...listed.keys()].find((other) => ref.startsWith(`${other}/`) || other.startsWith(`${ref}/`));
}
