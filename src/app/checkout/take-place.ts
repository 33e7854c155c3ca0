import { branchOfPrd } from "../../core/story/wave-names.ts";
import { UsageError } from "../../core/errors.ts";
import { isObjectId } from "../../git/git.ts";
import { checkedOutBranch } from "../../git/repository.ts";
import type { GitWorkspace } from "../../git/workspace.ts";
import { type Plan, wantsNewWorktree } from "../plan.ts";
import { refuseDirtyTree } from "../prd-preflight.ts";
import { repositoryOf, standOnBranch, withPrivateGit } from "./stand-on-branch.ts";
import { setUpWorktree } from "./set-up-worktree.ts";
import { openWorktree } from "./worktree.ts";

interface Taking {
  /** undefined: there is no repository */
  readonly workspace: GitWorkspace | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly say: (text: string) => void;
}

/** What came of that. */
export interface Placed {
  /** whether the plan has to be made again, because other files are looked at from now on */
  readonly isMoved: boolean;
  /** undoes it, for a run that is refused there; absent: there is nothing that could be */
  readonly takeBack?: (() => Promise<void>) | undefined;
}

const HERE: Placed = { isMoved: false };

/**
 * Brings a PRD's run to where its stories are worked on: onto its branch, or into a work tree beside the checkout (D-27).
 * Does nothing for other runs. Nobody moves what another run works on: call it in `inWorkTree`, where there is one.
 *
 * @throws UsageError `STORIES_ELSEWHERE` when what the loop has done is on another branch; as `standOnBranch`, as
 * `openWorktree`. The checkout is as it was.
 */
export async function takePlace(plan: Plan, { workspace, env, say }: Taking): Promise<Placed> {
  const { prd, worktree, place } = plan;
  if (prd === null || workspace === undefined) return HERE;
  const branch = branchFor(plan);
  await refuseElsewhere(plan, workspace, branch);
  if (worktree !== undefined) {
    const wanted = saidBranch(plan);
    if (wanted !== null && wanted !== worktree.branch)
      await openWorktree({ root: worktree.home, name: prd.document.prd.name, env, branch: wanted });
    say(`working in ${worktree.folder}, on the branch ${worktree.branch}; your checkout stays as it is`);
    return HERE;
  }
  if (wantsNewWorktree(plan)) {
    const { name } = prd.document.prd;
    const wanted = branch ?? branchOfPrd(prd.document.prd);
    const opened = await openWorktree({ root: place.root, name, env, branch: wanted });
    for (const text of opened.notices) say(text);
    say(`${opened.folder} was made, a work tree of this repository on the branch ${wanted}`);
    return { isMoved: true, takeBack: opened.takeBack };
  }
  if (branch === null) {
    if ((await checkedOutBranch(place.root)) === null) say(DETACHED);
    return HERE;
  }
  const { how, notices } = await standOnBranch(place.root, branch);
  for (const text of notices) say(text);
  if (how === "begun")
    say(`the checkout is on the branch ${branch} now, which is new and begins at what was checked out`);
  if (how === "moved") say(`the checkout is on the branch ${branch} now, and stays there`);
  return { isMoved: how === "moved" };
}

const DETACHED =
  "the checkout is on no branch, so no branch will hold the stories' commits; git switch -c NAME keeps them, now or afterwards";

/** Whether the stories may be worked on in a work tree that is still to be made: the checkout must not be on its branch. */
export async function canGoBeside(plan: Plan): Promise<boolean> {
  const { prd, worktree, place } = plan;
  if (prd === null || worktree !== undefined) return false;
  return (await checkedOutBranch(place.root)) !== (branchFor(plan) ?? branchOfPrd(prd.document.prd));
}

/** The branch that somebody names for the stories; null: what is checked out. */
function branchFor(plan: Plan): string | null {
  return saidBranch(plan) ?? plan.prd?.document.prd.branchName ?? null;
}

function saidBranch({ settings: { config, sources }, place }: Plan): string | null {
  return sources.branch.from === "default" ? null : config.branch.replaceAll("<loop-id>", place.loopId);
}

/**
 * A story that has passed on a branch which is not looked at would be worked on again. Where no branch has its commit any
 * more, as after a squash merge, the file says what has passed (C27).
 */
async function refuseElsewhere(
  { stored, prd, place }: Plan,
  workspace: GitWorkspace,
  branch: string | null,
): Promise<void> {
  const open = new Set(prd?.document.prd.stories.flatMap(({ id, passes }) => (passes ? [] : [id])));
  const records = stored?.stories?.records ?? [];
  const done = records.flatMap(({ id, passing }) =>
    open.has(id) && passing?.commit && isObjectId(passing.commit) ? [{ id, commit: passing.commit }] : [],
  );
  const held = done.length === 0 ? new Set() : await workspace.holding(done.map(({ commit }) => commit));
  const lost = done.find(({ commit }) => !held.has(commit));
  if (lost === undefined) return;
  const branches = await branchesWith(place.root, lost.commit);
  const [first] = branches;
  if (first === undefined || (branch !== null && branches.includes(branch))) return;
  throw new UsageError({
    code: "STORIES_ELSEWHERE",
    what: `${lost.id} has passed on the branch ${first}, which is not checked out; here it would be worked on again. Nothing was changed.`,
    next: `Give git switch ${first}, or merge that branch into this one, then give the command again.`,
  });
}

/** The local branches that hold a commit. */
async function branchesWith(root: string, commit: string): Promise<readonly string[]> {
  return withPrivateGit(await repositoryOf(root), async (git) => {
    const asked = await git.tryTheirs([
      ...["for-each-ref", "--count=100", `--contains=${commit}`],
      ...["--format=%(refname:short)", "refs/heads"],
    ]);
    return asked.exitCode === 0 ? asked.stdout.split("\n").filter((name) => name !== "") : [];
  });
}

/**
 * Runs `worktree-setup`, if there is one, in the work tree that the stories are worked on in; what it leaves there has to
 * be what git ignores.
 *
 * @throws OperationalError `WORKTREE_SETUP_FAILED`; UsageError `PRD_TREE_DIRTY`
 */
export async function prepareWorktree(plan: Plan, { workspace, env, say }: Taking): Promise<void> {
  const { worktree, prd, place, stored } = plan;
  const { config } = plan.settings;
  if (worktree === undefined || prd === null || workspace === undefined || config.worktreeSetup === null) return;
  await setUpWorktree(worktree, { place, config, env }, config.worktreeSetup, say);
  await refuseDirtyTree(workspace, {
    ...{ root: place.root, folder: prd.document.prd.folder, stored },
    canGoBeside: false,
  });
}
