import type { GithubToken } from "../core/ports.ts";
import path from "node:path";
import { done, failed, type Result, type Trouble } from "../core/result.ts";
import type { SecretValues } from "../os/secrets.ts";
import { type Added, placesAdding } from "./added-secrets.ts";
import { type CheckedOut, checkOutBranch } from "./branch-checkout.ts";
import { type CheckoutTrouble, refused } from "./checkout/bring-files.ts";
import {
  bringHere,
  changedBytes,
  type ChangedLines,
  type ChangedPaths,
  type CommitsSince,
  commitsSince,
  type CommitsTrouble,
  contentsOf,
  linesBetween,
  keptPatch,
  pathsBetween,
  type Stretch,
} from "./branch-history.ts";
import { followRemote, pushBranch, type PushTrouble, rehearsePush, removeBranch } from "./branch-push.ts";
import { type BranchRepository, openRepository, remoteTip } from "./branch-repository.ts";
import { createOperations } from "./bounded.ts";
import { type NotRenewed, ontoPublished, type Renewing, withWorkflowsOf } from "./landing/workflow-files.ts";
import { PrivateGit } from "./private-git.ts";
import type { RemoteRefusal } from "./refusal.ts";
import type { Repository } from "./repository.ts";

export interface WorkBranchOptions {
  /** the person's repository around the workspace */
  readonly repository: Repository;
  /** where our git directories for this branch are kept, absolute; made when it is missing */
  readonly folder: string;
  /** of the repository on the network: `http` or `https`, without user or password */
  readonly url: string;
  readonly token: GithubToken | null;
  /** marks git's processes, see `supervise` */
  readonly mark: string;
  /** the branch's name, without `refs/heads/` */
  readonly branch: string;
}

/** Where the branch is on the remote; `why` is part of a sentence. */
type BranchTip =
  | { readonly tip: "found"; readonly commit: string }
  | { readonly tip: "absent" }
  | { readonly tip: "unreachable"; readonly why: string };

/**
 * The branch that a loop's work is published on: one of its own, or the head of a pull request. People's commits on it
 * are never rewritten, and nothing in the checkout is obeyed (T12).
 *
 * Operations run in the order of their calls. None throws or takes longer than `within` milliseconds, except to finish
 * writing files. Unless stated otherwise, `because` of a trouble is part of a sentence.
 */
export interface WorkBranch {
  /** Where the branch is on the remote. */
  tip(within: number): Promise<BranchTip>;
  /**
   * Puts the workspace on the branch: HEAD, index and work tree become the remote's tip, on a local branch of that
   * name; when the remote does not have the branch, the local one begins at the checkout. All of it or nothing.
   * Idempotent.
   *
   * @param mayBeEmpty whether a branch of the remote counts as not there that has nothing which is not checked out here:
   * its tip is `empty` then
   */
  checkOut(within: number, mayBeEmpty?: boolean): Promise<Result<CheckedOut, CheckoutTrouble>>;
  /**
   * Moves the remote's branch forward to `commit`, or not at all.
   *
   * @param expected where it was last seen; null: it did not exist
   */
  push(commit: string, expected: string | null, within: number): Promise<Result<undefined, PushTrouble>>;
  /** Deletes the remote's branch, if it is at `expected`; it may be gone already. */
  remove(expected: string, within: number): Promise<Result>;
  /**
   * The commit by which work gets on top of what the branch has: the work itself, unless what was published of it has
   * workflow files on top (`withWorkflowsOf`). Then these stay, in a commit with this message; where nothing is new, it is
   * `published`. Where the work does not hold what is published, it is the work, and a push is refused.
   *
   * @param published a commit that is here; null: none
   */
  onto(commit: string, published: string | null, message: string, within: number): Promise<Result<string>>;
  /**
   * Puts the workflow files of a commit of the remote on top of work that has not changed any: a commit of the same
   * files besides, which nothing names yet. The workspace stays as it is.
   */
  withWorkflowsOf(renewing: Renewing, within: number): Promise<Result<string, NotRenewed>>;
  /**
   * Asks whether the token may write the branch and these other refs (full names), without writing any, as far as that
   * shows without writing: rules of the repository do not.
   */
  dryRun(refs: readonly string[], within: number): Promise<Result<undefined, RemoteRefusal>>;
  /** Fetches those of these commits that are not here, without their history. */
  bring(commits: readonly string[], within: number): Promise<Result>;
  /** What differs between two commits; fetches what is missing. At most `limit` paths (5,000). */
  changedPaths(base: string, head: string, within: number, limit?: number): Promise<Result<ChangedPaths>>;
  /** Which lines of these files in `base` are otherwise in `head`; fetches what is missing. */
  changedLines(base: string, head: string, paths: readonly string[], within: number): Promise<Result<ChangedLines>>;
  /** Writes what differs between two commits that are here as a patch for people. @returns whether it is not too large */
  keepPatch(file: string, from: string, to: string, within: number): Promise<Result<boolean>>;
  /** How many bytes those of these paths hold in `head` that differ from `base`; both are here, see `changedPaths`. */
  changedBytes(base: string, head: string, paths: readonly string[], within: number): Promise<Result<number>>;
  /** Where secrets are in what a push would add, in any of its commits: lines of files, and the like, for people. */
  placesAdding(added: Added, secrets: SecretValues, within: number): Promise<Result<readonly string[]>>;
  /** The commits from one that the remote has to another, for making them again there. */
  commitsSince(stretch: Stretch, within: number): Promise<Result<CommitsSince, CommitsTrouble>>;
  /** What these blobs hold, by their ids; all of it is in memory at once. */
  contents(blobs: readonly string[], within: number): Promise<Result<ReadonlyMap<string, Buffer>>>;
  /**
   * Moves the local branch from `from` to `to`, a commit of the remote that holds the same files: index and work tree
   * stay as they are. `absent`: the local branch does not exist.
   */
  follow(from: string, to: string, within: number): Promise<Result<"moved" | "absent">>;
}

/** @throws RangeError when no branch can have that name: check it with `isBranchName` where it comes from */
export function createWorkBranch(options: WorkBranchOptions): WorkBranch {
  const { repository, folder, url, token, mark, branch } = options;
  if (!isBranchName(branch)) throw new RangeError(`${JSON.stringify(branch)} is no name for a branch`);
  const git = new PrivateGit(repository, path.join(folder, "git"));
  const place = { url, token, mark, folder: path.join(folder, "remote.git") };
  const operations = createOperations();
  const bounded = <T, E extends Trouble>(
    within: number,
    act: (repository: BranchRepository) => Promise<Result<T, E>>,
    otherwise: (because: string, isLate: boolean) => Result<never, E>,
  ): Promise<Result<T, E>> =>
    operations(within, async (signal) => act(await openRepository(git, place, branch, signal)), otherwise);
  const untold = (because: string): Result<never> => failed({ because });
  const unreachable = (because: string) => failed({ kind: "unreachable" as const, because, next: "" });

  return {
    tip: async (within) => {
      const tip = await bounded(within, remoteTip, untold);
      if (!tip.ok) return { tip: "unreachable", why: tip.trouble.because };
      return tip.value === null ? { tip: "absent" } : { tip: "found", commit: tip.value };
    },
    checkOut: (within, mayBeEmpty = false) =>
      bounded<CheckedOut, CheckoutTrouble>(
        within,
        (opened) => checkOutBranch(opened, mayBeEmpty),
        (because, isLate) => refused(branch, isLate ? "unreachable" : "failed", because),
      ),
    push: (commit, expected, within) =>
      bounded<undefined, PushTrouble>(
        within,
        (opened) => pushBranch(opened, commit, expected),
        (because) => failed({ kind: "unreachable", because }),
      ),
    remove: (expected, within) => bounded(within, (opened) => removeBranch(opened, expected), untold),
    onto: (commit, published, message, within) =>
      bounded(within, async (opened) => done(await ontoPublished(opened, commit, published, message)), untold),
    withWorkflowsOf: (renewing, within) =>
      bounded<string, NotRenewed>(within, (opened) => withWorkflowsOf(opened, renewing), notRenewed),
    dryRun: (refs, within) =>
      bounded<undefined, RemoteRefusal>(within, (opened) => rehearsePush(opened, refs), unreachable),
    bring: (commits, within) => bounded(within, (opened) => bringHere(opened, commits), untold),
    changedPaths: (base, head, within, limit = 5_000) =>
      bounded(within, (opened) => pathsBetween(opened, base, head, limit), untold),
    changedLines: (base, head, paths, within) =>
      bounded(within, (opened) => linesBetween(opened, base, head, new Set(paths)), untold),
    keepPatch: (file, from, to, within) => bounded(within, (opened) => keptPatch(opened, file, from, to), untold),
    changedBytes: (base, head, paths, within) =>
      bounded(within, async (opened) => done(await changedBytes(opened, base, head, paths)), untold),
    placesAdding: (added, secrets, within) => bounded(within, (opened) => placesAdding(opened, added, secrets), untold),
    commitsSince: (stretch, within) =>
      bounded<CommitsSince, CommitsTrouble>(
        within,
        (opened) => commitsSince(opened, stretch),
        (because) => failed({ kind: "failed", because }),
      ),
    contents: (blobs, within) => bounded(within, async (opened) => done(await contentsOf(opened, blobs)), untold),
    follow: (from, to, within) => bounded(within, (opened) => followRemote(opened, from, to), untold),
  };
}

function notRenewed(because: string): Result<never, NotRenewed> {
  return failed({ kind: "failed", because, paths: [] });
}

/** In bytes: a ref is a file, too, and its lock has a longer name. */
const NAME_LIMIT = 240;

/** What git allows in no name of a ref. */
const FORBIDDEN = /[\p{Cc}\u007F ~^:?*[\\]|\.\.|@\{|\/\/|^\/|\/$|\.$|^@$/u;
const FORBIDDEN_PART = /(?:^|\/)\.|\.lock(?:\/|$)/u;

/**
 * Whether a branch may have this name: git's own rules, and nothing that a command line could take for an option or
 * that names something else (`HEAD`, `refs/…`).
 */
export function isBranchName(name: string): boolean {
  if (name === "" || Buffer.byteLength(name) > NAME_LIMIT) return false;
  // Half of a character cannot be written down.
  if (Buffer.from(name).toString() !== name) return false;
  if (/^(?:-|refs\/)/u.test(name) || name === "HEAD") return false;
  return !FORBIDDEN.test(name) && !FORBIDDEN_PART.test(name);
}
