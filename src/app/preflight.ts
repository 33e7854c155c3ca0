import { OperationalError, UsageError, type Problem } from "../core/errors.ts";
import type { HardStops, Provider } from "../core/ports.ts";
import { refuseInProgress } from "../git/busy.ts";
import { findRepository, gitVersion, isGitFolder } from "../git/repository.ts";
import type { GitWorkspace } from "../git/workspace.ts";
import { othersInWorkTree } from "./checkout/in-work-tree.ts";
import type { Composition } from "./compose.ts";
import { makeTempFolder, sweepTempFolders, tempParents } from "../os/temp-folder.ts";
import { lackToStart } from "../os/machine-trouble.ts";
import { type Plan, wantsNewWorktree } from "./plan.ts";

const FILES_SHOWN = 5;

/**
 * Finds what would go wrong before a loop exists, so that nothing is written for it. Everything is checked at the same
 * time; the first problem in the list is told, whichever answer comes first.
 */
export async function preflight(plan: Plan, { ports, gitWorkspace, announceIsolation }: Composition): Promise<void> {
  // A run that was killed has not removed its own.
  await sweepTempFolders(await tempParents());
  const answers = await Promise.allSettled([
    checkRepository(plan, gitWorkspace),
    checkTodo(plan, ports.hardStops),
    checkProvider(ports.provider),
    checkNothingInProgress(plan),
    checkClean(plan, gitWorkspace),
    announceIsolation(),
  ]);
  for (const answer of answers) if (answer.status === "rejected") throw answer.reason;
}

/**
 * Finds what a turn certainly lacks on this machine: a login, a connection, a sandbox. A job is given its key, and
 * repairs its machine.
 *
 * @throws UsageError with everything
 */
export async function refuseLacks({ registered }: Composition): Promise<void> {
  // What fails on the way is nothing certain: the turn itself says it.
  const lacks = await registered.lacks().catch(() => []);
  const problems = lacks.flatMap(({ subject, right }) =>
    right.right === "missing" ? [{ subject, why: right.why, next: right.next }] : [],
  );
  if (problems.length === 0) return;
  throw new UsageError(
    problems.map(({ subject, why, next }) => ({
      code: "TURN_IMPOSSIBLE",
      what: `No turn can be taken without ${subject}: ${why}. Nothing was started.`,
      next,
    })),
  );
}

async function checkProvider(provider: Provider): Promise<void> {
  const failure = await provider.preflight(new AbortController().signal);
  if (failure === undefined) return;
  throw new UsageError({
    code: `PROVIDER_${failure.kind.toUpperCase()}`,
    what: `Provider ${provider.name} cannot take a turn: ${failure.message}`,
    next: failure.next ?? "Correct what the message says, then try again.",
  });
}

/** A todo file that is not there when a loop begins is a slip of the pen, and its checkpoints would never be seen. */
async function checkTodo({ settings, opening }: Plan, hardStops: HardStops): Promise<void> {
  const begins = opening.do === "begin" || opening.do === "renew";
  await refusedWith(
    async () => {
      if (begins && !(await hardStops.exists())) throw missingTodo(settings.config.todoFile ?? "");
      await hardStops.scan();
    },
    ({ code, message: what, next }) => ({ code, what, next }),
  );
}

function missingTodo(named: string): UsageError {
  return new UsageError({
    code: "TODO_MISSING",
    what: `The todo file ${named} does not exist, so no HARD STOP in it could be seen.`,
    next: "Write it, name another as todo-file, or leave the setting out.",
  });
}

async function checkRepository({ place, settings, prd }: Plan, workspace: GitWorkspace | undefined): Promise<void> {
  const { skipGitRepoCheck, commit } = settings.config;
  // To know the author git reads the settings, once for the whole run.
  if (workspace !== undefined) return checkGit(() => workspace.author());
  if (!skipGitRepoCheck || prd !== null) {
    await checkGit(() => gitVersion(place.root));
    throw new UsageError({ code: "NOT_A_GIT_REPOSITORY", ...(await lackOf(place.root, prd !== null)) });
  }
  if (commit !== "never") {
    throw new UsageError({
      code: "COMMIT_WITHOUT_GIT",
      what: `commit is ${commit}, but ${place.root} is no git repository.`,
      next: "Run git init there, or use --commit never.",
    });
  }
}

/** What is missing where a repository's work tree should be. */
async function lackOf(root: string, isPrd: boolean): Promise<Omit<Problem, "code">> {
  if (await isGitFolder(root)) {
    const what = `${root} is a bare repository, which has no files to work on.`;
    return { what, next: "Make a work tree of it (git worktree add), or a clone, and name that with --cd." };
  }
  const what = `${root} is no git repository, so nobody could see or undo what the agent changes.`;
  const init = "In a workflow, let actions/checkout run before; elsewhere run git init there";
  const otherwise = isPrd
    ? " and commit. Or name a repository with --cd."
    : ". Or name a repository with --cd, or say --skip-git-repo-check.";
  return { what, next: init + otherwise };
}

const GIT_MISSING =
  "Install git, or put it on the PATH; only outside of repositories --skip-git-repo-check does without it.";

/** Without git nothing could be measured, so git is checked before anything is written. */
async function checkGit(ask: () => Promise<unknown>): Promise<void> {
  await refusedWith(ask, ({ message, next, cause }) => ({
    code: "GIT_MISSING",
    what: message,
    next: lackToStart(cause) === undefined ? GIT_MISSING : next,
  }));
}

/** A merge and its like is the person's to finish; the first commit would refuse it, after a turn was paid for. */
async function checkNothingInProgress({ place, settings, prd }: Plan): Promise<void> {
  const { commit } = settings.config;
  const repository = await findRepository(place.root);
  if (commit === "never" || repository === undefined) return;
  await refusedWith(
    () => refuseInProgress(repository, []),
    ({ code, message }) => ({
      code,
      what: `commit is ${commit}. ${message}`,
      next: prd === null ? "Finish or abort it first, or use --commit never." : "Finish or abort it first.",
    }),
  );
}

/** Turns an error that somebody explains into a refusal before anything begins. */
async function refusedWith(
  check: () => Promise<unknown>,
  problem: (error: OperationalError) => Problem,
): Promise<void> {
  try {
    await check();
  } catch (error) {
    if (!(error instanceof OperationalError)) throw error;
    throw new UsageError(problem(error));
  }
}

/** Work that was there before would end up in our commits; only a new loop, or that of a PRD, can still tell it apart. */
async function checkClean(plan: Plan, workspace: GitWorkspace | undefined): Promise<void> {
  const { place, settings, opening, prd, stored } = plan;
  const { commit } = settings.config;
  if (commit === "never" || workspace === undefined) return;
  if (prd === null && opening.do !== "begin" && opening.do !== "renew") return;
  const scratch = await makeTempFolder();
  // What was measured here is reused for the loop's first snapshot.
  if (prd !== null) {
    const { refuseDirtyTree, refuseUncommittedPrd } = await import("./prd-preflight.ts");
    if (wantsNewWorktree(plan))
      return refuseUncommittedPrd(workspace, { root: place.root, prd: prd.document.prd, scratch });
    const { name, folder } = prd.document.prd;
    if (plan.worktree !== undefined) {
      const { refuseEditedBeside } = await import("./checkout/edited-beside.ts");
      await refuseEditedBeside({ name, ...plan.worktree, work: place.root });
    }
    const { canGoBeside } = await import("./checkout/take-place.ts");
    const judged = { root: place.root, folder, stored, scratch, canGoBeside: await canGoBeside(plan) };
    await refuseDirtyTree(workspace, judged);
    return;
  }
  const dirty = await workspace.dirtyFiles(scratch);
  if (dirty.length === 0) return;
  const [other] = await othersInWorkTree(place, false)();
  const theirs = other === undefined ? "" : ` Loop ${other} is at work in this work tree, and they may be its own.`;
  const shown = dirty.slice(0, FILES_SHOWN).join(", ");
  const more = dirty.length > FILES_SHOWN ? ` and ${dirty.length - FILES_SHOWN} more` : "";
  throw new UsageError({
    code: "WORK_TREE_DIRTY",
    what: `commit is ${commit}, but there are changes that are not committed: ${shown}${more}. They would get into the loop's commits.${theirs}`,
    next:
      other === undefined
        ? "Commit or stash them first, or use --commit never."
        : "Wait until it has ended, or work in another work tree (git worktree add), named with --cd.",
  });
}
