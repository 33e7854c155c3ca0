import path from "node:path";
import { UsageError } from "../../core/errors.ts";
import { isBranchName } from "../../git/branch.ts";
import type { CheckoutTrouble } from "../../git/checkout/bring-files.ts";
import { standOn, type StoodOn } from "../../git/checkout/stand-on.ts";
import { PrivateGit } from "../../git/private-git.ts";
import { findRepository, type Repository } from "../../git/repository.ts";
import { inTempFolder } from "../../os/temp-folder.ts";

const NEXT: Readonly<Record<CheckoutTrouble["kind"], string>> = {
  dirty: "Commit or stash them first, then give the command again.",
  in_the_way: "Move these files away, or name another branch.",
  diverged: "Check the branch out yourself, or name another one.",
  busy: "Finish that first, or name another branch.",
  taken: "Work there (--cd), or have that work tree switch to another branch (git worktree list), or name another one.",
  unreachable: "Check the branch out yourself, or name another one.",
  failed: "Check the branch out yourself, or name another one.",
};

/**
 * Puts the checkout on a branch before a run begins: on the one that there is, else on a new one that begins at HEAD.
 *
 * @param root of the workspace, absolute, in a git repository
 * @param branch data from a flag or a document
 * @throws UsageError `BRANCH_NAME_INVALID`; `BRANCH_NOT_CHECKED_OUT`: nothing was changed, unless it says otherwise
 */
export async function standOnBranch(root: string, branch: string): Promise<StoodOn> {
  refuseBranchName(branch);
  return withPrivateGit(await repositoryOf(root), async (git) => {
    const stood = await standOn(git, branch);
    if (stood.ok) return stood.value;
    const { kind, because } = stood.trouble;
    throw new UsageError({ code: "BRANCH_NOT_CHECKED_OUT", what: because, next: NEXT[kind] });
  });
}

/** @throws UsageError `BRANCH_NAME_INVALID` */
export function refuseBranchName(branch: string): void {
  if (isBranchName(branch)) return;
  throw new UsageError({
    code: "BRANCH_NAME_INVALID",
    what: `${JSON.stringify(branch.slice(0, 100))} is no name that git allows for a branch. Nothing was changed.`,
    next: "Correct --branch, or branchName in prd.json: letters, digits, - _ . and / do.",
  });
}

/** The repository around a workspace. @throws UsageError `NOT_A_GIT_REPOSITORY` */
export async function repositoryOf(root: string): Promise<Repository> {
  const repository = await findRepository(root);
  if (repository !== undefined) return repository;
  throw new UsageError({
    code: "NOT_A_GIT_REPOSITORY",
    what: `${root} lies in no git repository.`,
    next: "Run git init there and commit, or name another folder with --cd.",
  });
}

/** Lets `work` use a git directory of our own that is gone afterwards. */
export async function withPrivateGit<T>(repository: Repository, work: (git: PrivateGit) => Promise<T>): Promise<T> {
  return inTempFolder(async (scratch) => {
    const git = new PrivateGit(repository, path.join(scratch, "git"));
    await git.prepare();
    return work(git);
  });
}
