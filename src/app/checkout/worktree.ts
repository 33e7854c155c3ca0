import { mkdir, realpath } from "node:fs/promises";
import path from "node:path";
import { OperationalError, UsageError } from "../../core/errors.ts";
import { isLoopId } from "../../core/names.ts";
import { elsewhere, localTip, obstacleTo } from "../../git/checkout/local-branch.ts";
import { dropWorktree, findWorktree, makeWorktree, wouldLose } from "../../git/checkout/worktrees.ts";
import type { PrivateGit } from "../../git/private-git.ts";
import { findRepository, type Repository } from "../../git/repository.ts";
import { createGitWorkspace } from "../../git/workspace.ts";
import { sha256 } from "../../os/digest.ts";
import { isWithin } from "../../os/isolation/profile.ts";
import { machineFolder } from "../../store/consents.ts";
import {
  forgetWorktreeRecord,
  keepWorktreeRecord,
  readWorktreeRecord,
  type WorktreeRecord,
} from "../../store/worktree-record.ts";
import { loopsAtWork } from "../../store/work-tree-lock.ts";
import { refuseBranchName, repositoryOf, withPrivateGit } from "./stand-on-branch.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Which work tree is meant. */
interface Wanted {
  /** of the person's workspace, absolute */
  readonly root: string;
  /** of the PRD or loop that works in it */
  readonly name: string;
  readonly env: Environment;
}

/** A work tree of ours. */
export interface Worktree {
  /** what the workspace's root is in it, absolute */
  readonly root: string;
  readonly branch: string;
  /** whether it was made just now */
  readonly isNew: boolean;
  /** what a person has to know of it, in whole sentences */
  readonly notices: readonly string[];
  /** its top, absolute */
  readonly folder: string;
  /** Removes what was made just now, in which nothing was done; a branch that was there stays. Absent: nothing was made. */
  readonly takeBack?: () => Promise<void>;
}

/**
 * Makes a git work tree beside the person's checkout, or finds it again, so that they can go on working there: in
 * `smithers/worktrees/<repository>-<8 hex>/<name>` of the machine's state folder. Neither hooks nor filters run.
 *
 * @param branch data from a flag or a document; it begins at HEAD where there is none of that name
 * @throws UsageError `BRANCH_NAME_INVALID`, `WORKTREE_BRANCH_TAKEN`; OperationalError `WORKTREE_IN_THE_WAY`,
 * `WORKTREE_NOT_MADE`. The checkout is as it was.
 */
export async function openWorktree({ branch, ...wanted }: Wanted & { readonly branch: string }): Promise<Worktree> {
  refuseBranchName(branch);
  const repository = await repositoryOf(wanted.root);
  const folder = folderFor(repository, wanted);
  const opened = { root: path.join(folder, repository.prefix), branch, folder };
  const found = await findWorktree(repository, folder);
  if (found !== undefined) {
    const isOn = await withPrivateGit(found, (git) => localTip({ git, ref: `refs/heads/${branch}` }));
    if (!isOn.isCheckedOut) throw otherBranch(folder, branch);
    return { ...opened, isNew: false, notices: [] };
  }
  // What a killed call has left, or git's notes of one that somebody removed by hand.
  await dropWorktree(repository, folder);
  return withPrivateGit(repository, async (git) => {
    const of = { git, ref: `refs/heads/${branch}` };
    const [local, head] = [await localTip(of), await git.head()];
    const commit = local.commit ?? head;
    if (local.isCheckedOut) throw taken(branch, "your checkout is on it already", OURS);
    const other = await elsewhere(of);
    if (other !== undefined) throw taken(branch, `${other} has it already`, THEIRS);
    if (commit === null) throw taken(branch, "the repository has no commit that it could begin at", "Commit first.");
    const obstacle = await obstacleTo(of, local, commit);
    if (obstacle !== undefined) throw taken(branch, obstacle, "Name another one with --branch.");
    await mkdir(path.dirname(folder), { recursive: true, mode: 0o700 });
    const on = await branchOf(git);
    const known = await readWorktreeRecord(folder);
    const from = known?.branch === branch ? known.from : on === "" ? null : on;
    await keepWorktreeRecord(folder, { repository: repository.top, branch, from, setup: null });
    const place = { folder, scratch: path.dirname(git.folder) };
    const { notices } = await makeWorktree(git, { name: branch, commit, isNew: local.commit === null }, place);
    const begun = local.commit === null ? commit : null;
    return { ...opened, isNew: true, notices, takeBack: () => takeBack(repository, opened, begun) };
  });
}

/** @param begun what a branch that was new began at */
async function takeBack(
  repository: Repository,
  { folder, branch }: Pick<Worktree, "folder" | "branch">,
  begun: string | null,
): Promise<void> {
  await dropWorktree(repository, folder);
  await forgetWorktreeRecord(folder);
  if (begun === null) return;
  await withPrivateGit(repository, (git) => git.tryTheirs(["update-ref", "-d", `refs/heads/${branch}`, begun]));
}

/**
 * The work tree that was made for a PRD or loop, without making one; undefined: there is none.
 *
 * @throws OperationalError `WORKTREE_IN_THE_WAY`
 */
export async function knownWorktree(wanted: Wanted): Promise<Worktree | undefined> {
  const repository = machineFolder(wanted.env) === undefined ? undefined : await findRepository(wanted.root);
  if (repository === undefined) return undefined;
  const folder = folderFor(repository, wanted);
  const found = await findWorktree(repository, folder);
  if (found === undefined) return undefined;
  const branch = await withPrivateGit(found, branchOf);
  return { root: path.join(folder, repository.prefix), branch, folder, isNew: false, notices: [] };
}

/**
 * Refuses a workspace that lies in a work tree of ours: what is remembered of its PRD is where that was made from.
 *
 * @throws UsageError `WORKTREE_OF_PRD`
 */
export async function refuseOurWorktree(root: string, env: Environment): Promise<void> {
  const ours = machineFolder(env);
  const repository = ours === undefined ? undefined : await findRepository(root);
  if (ours === undefined || repository === undefined) return;
  const { top, prefix } = repository;
  const made = path.join(await realpath(ours).catch(() => ours), WORKTREES);
  const record = isWithin(top, made) ? await readWorktreeRecord(top) : undefined;
  if (record === undefined) return;
  const home = path.join(record.repository, prefix);
  throw new UsageError({
    code: "WORKTREE_OF_PRD",
    what: `${top} is the work tree that was made for the PRD ${path.basename(top)}; what its loop remembers is in ${home}. Nothing was changed.`,
    next: `Give the command there, or add --cd ${home}`,
  });
}

/** In our folder of this machine. */
const WORKTREES = "worktrees";

/** The branch that is checked out; "": none. */
async function branchOf(git: PrivateGit): Promise<string> {
  return (await git.tryTheirs(["symbolic-ref", "--quiet", "--short", "HEAD"])).stdout.trim();
}

/** @throws UsageError `HOME_MISSING` */
function folderFor({ top, commonDir }: Repository, { name, env }: Wanted): string {
  if (!isLoopId(name)) throw new Error(`${JSON.stringify(name)} can name no folder`);
  const home = machineFolder(env);
  if (home === undefined) {
    throw new UsageError({
      code: "HOME_MISSING",
      what: "There is no home in which a work tree could be made: neither XDG_STATE_HOME nor HOME is an absolute path.",
      next: "Set one of them, or work in the checkout: --worktree off.",
    });
  }
  const project = path.basename(top).replaceAll(/[^\w.-]/gu, "-");
  return path.join(home, WORKTREES, `${project}-${sha256(commonDir).slice(0, 8)}`, name);
}

function otherBranch(folder: string, branch: string): UsageError {
  return new UsageError({
    code: "WORKTREE_BRANCH_TAKEN",
    what: `The work tree ${folder} is there and is not on the branch ${branch}. Nothing was changed.`,
    next: `Give git -C ${folder} switch ${branch}, or name the branch that it is on with --branch.`,
  });
}

const OURS =
  "Switch your checkout to another branch, or name another one with --branch, or work in the checkout: --worktree off.";
const THEIRS =
  "Have that work tree switch to another branch (git worktree list tells where it is), or name another one with --branch.";

function taken(branch: string, because: string, next: string): UsageError {
  return new UsageError({
    code: "WORKTREE_BRANCH_TAKEN",
    what: `No work tree can be made on the branch ${branch}: ${because}. Nothing was changed.`,
    next,
  });
}

/** A work tree that could be removed. */
export interface Removable {
  readonly folder: string;
  readonly branch: string;
  /** what somebody would lose, as part of a sentence; "": nothing */
  readonly loses: string;
  /** whether all of its branch's commits are in the branch that it came from */
  readonly isMerged: boolean;
}

/** Looks what would be lost with the work tree of a PRD or loop; undefined: there is none. */
export async function removableWorktree(wanted: Wanted): Promise<Removable | undefined> {
  const repository = await repositoryOf(wanted.root);
  const folder = folderFor(repository, wanted);
  const [found, record] = [await findWorktree(repository, folder), await readWorktreeRecord(folder)];
  if (found === undefined) return undefined;
  return withPrivateGit(found, async (git) => {
    const scratch = path.join(path.dirname(git.folder), "measured");
    const workspace = await createGitWorkspace({ root: folder, folder: scratch, excluded: [] });
    const [one] = await loopsAtWork(await realpath(found.gitDir));
    const loses = one && `loop ${one.loopId} is at work in it`;
    const on = await branchOf(git);
    // Commits that no branch has would be gone.
    const lost = loses ?? (on === "" ? "it is on no branch" : await wouldLose(git, await workspace.dirtyFiles()));
    const isMerged = await withPrivateGit(repository, (main) => isPartOf(main, on, record));
    return { folder, branch: on, loses: lost, isMerged };
  });
}

async function isPartOf(git: PrivateGit, branch: string, record: WorktreeRecord | undefined): Promise<boolean> {
  const into = record?.from ? `refs/heads/${record.from}` : "HEAD";
  const asked = await git.tryTheirs(["merge-base", "--is-ancestor", `refs/heads/${branch}`, into]);
  return branch !== "" && asked.exitCode === 0;
}

/**
 * Removes it; its branch stays, whatever it holds. What git ignores in it goes as well.
 *
 * @param unmerged whether the person has agreed that it goes though its branch is not merged
 * @throws OperationalError `WORKTREE_KEPT` when something would be lost
 */
export async function removeWorktree(wanted: Wanted, { unmerged }: { readonly unmerged: boolean }): Promise<void> {
  const found = await removableWorktree(wanted);
  if (found === undefined) return;
  const { folder, branch, loses, isMerged } = found;
  const because = loses !== "" ? loses : isMerged || unmerged ? "" : `its branch ${branch} is not merged`;
  if (because !== "") {
    throw new OperationalError({
      code: "WORKTREE_KEPT",
      what: `The work tree ${folder} was kept: ${because}. Nothing was removed.`,
      next: "Commit or move what you want to keep, or merge the branch, then give the command again.",
    });
  }
  await dropWorktree(await repositoryOf(wanted.root), folder);
  await forgetWorktreeRecord(folder);
}
