import { OperationalError } from "../core/errors.ts";
import type { CommitRequest } from "../core/ports.ts";
import { commitMessage, isCommitOf } from "./commit-message.ts";
import { type Committing, isAs, type Prepared, prepareCommit } from "./commit-preparation.ts";
import { refuseInProgress, waitForIndexLock } from "./git-busy.ts";
import type { PrivateGit } from "./private-git.ts";
import type { Staged } from "./staging.ts";

/** A commit that was prepared, and is written already. */
interface Written extends Prepared {
  /** null: there is nothing to commit */
  readonly commit: string | null;
}

/**
 * Commits the work tree's scope on the person's current branch (C13). No hook, filter or signing program runs; the
 * branch moves only from the very commit that we built upon.
 *
 * Idempotent: undefined when the branch holds all of it already. A commit of ours whose index was not brought up to
 * date before the process died is then completed.
 *
 * @param ahead what was prepared when the work tree was measured last; it is used if that has not changed since
 * @returns the commit, and what is staged with it
 */
export async function commitWork(
  use: Committing,
  request: CommitRequest,
  ahead: Promise<Prepared | undefined>,
): Promise<[string, Staged] | undefined> {
  const { git, staging, index } = use;
  // Nearly always nothing has changed since; else the object that was written in the meantime has no name.
  const early = ahead.then((prepared) => prepared && writeCommit(git, prepared, request)).catch(() => undefined);
  const staged = await staging.stage();
  const written = await early;
  await refuseInProgress(git, staged.theirs.unmerged);
  const { commit, tree, leftOut } =
    written !== undefined && isAs(written.staged, staged)
      ? written
      : await writeCommit(git, await prepareCommit(use, staged), request);
  const { head } = staged;
  if (commit === null || tree === null) {
    if (head !== null && !staged.theirs.none && (await isCommitOf(git, head, request))) await bringIndexTo(use, head);
    return undefined;
  }
  await waitForIndexLock(git);
  await moveHead(git, head, commit, request);
  await index.holds(commit);
  const before = await staging.theirs.signature();
  await bringIndexTo(use, commit);
  // Large files are staged otherwise than the person's git would.
  if (leftOut) return [commit, await staging.stage()];
  return [commit, { ...staged, head: commit, base: commit, theirs: await staging.landed(commit, tree, before) }];
}

/** Writes the commit into the person's repository; nothing names it yet. */
async function writeCommit(git: PrivateGit, prepared: Prepared, request: CommitRequest): Promise<Written> {
  const { staged, tree } = prepared;
  if (tree === null) return { ...prepared, commit: null };
  const parent = staged.head === null ? [] : ["-p", staged.head];
  const args = ["-c", "i18n.commitEncoding=UTF-8", "commit-tree", tree, ...parent];
  const input = Buffer.from(commitMessage(request)).toString("latin1");
  const commit = (await git.run(args, { objects: "theirs", env: await authorship(git), input })).trim();
  return { ...prepared, commit };
}

/** Moves the person's branch, or their detached HEAD, if it is still where it was. */
async function moveHead(git: PrivateGit, from: string | null, to: string, request: CommitRequest): Promise<void> {
  const subject = `commit (smithers): ${request.loopId}, iteration ${request.iteration}`;
  const none = "0".repeat(to.length);
  const moved = await git.tryTheirs(["update-ref", "-m", subject, "HEAD", to, from ?? none], await authorship(git));
  if (moved.exitCode === 0) return;
  throw new OperationalError({
    code: "GIT_HEAD_MOVED",
    what: `The branch moved while the loop's work was being committed, so nothing was committed: ${moved.stderr}`,
    next: "The work is in your work tree, unharmed. Resume the loop, or commit it yourself.",
  });
}

/**
 * Makes the person's index agree with `commit` within the scope. Files whose content agrees are marked as known, so
 * that the next `git status` need not read them.
 */
async function bringIndexTo({ git, scope, staging }: Committing, commit: string): Promise<void> {
  await waitForIndexLock(git);
  // Not with --quiet, which leaves out the marks in some versions of git.
  const args = ["-c", "core.untrackedCache=keep", "reset", commit, "--", ...scope.included];
  await git.run(args, { index: staging.theirs.file });
}

async function authorship(git: PrivateGit): Promise<Record<string, string>> {
  const { author, committer } = await git.settings();
  return {
    GIT_AUTHOR_NAME: author.name,
    GIT_AUTHOR_EMAIL: author.email,
    GIT_COMMITTER_NAME: committer.name,
    GIT_COMMITTER_EMAIL: committer.email,
  };
}
