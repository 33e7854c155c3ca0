import { OperationalError } from "../core/errors.ts";
import type { CommitRequest } from "../core/ports.ts";
import { printableList } from "./change.ts";
import type { CommitIndex } from "./commit-index.ts";
import { commitMessage, isCommitOf } from "./commit-message.ts";
import { type Difference, differencesFrom, isAbsent } from "./difference.ts";
import { filteredAmong, isUnchangedLargeFile } from "./filtered-paths.ts";
import { refuseInProgress, waitForIndexLock } from "./git-busy.ts";
import type { PrivateGit } from "./private-git.ts";
import type { Scope } from "./scope.ts";
import type { Staged, Staging } from "./staging.ts";

/** What a commit is made with. */
export interface Committing {
  readonly git: PrivateGit;
  readonly scope: Scope;
  readonly staging: Staging;
  readonly index: CommitIndex;
}

interface Differing {
  readonly differences: readonly Difference[];
  /** paths, byte strings, of which those that a filter would turn into something else */
  readonly filtered: ReadonlySet<string>;
}

/**
 * Commits the work tree's scope on the person's current branch (C13). No hook, filter or signing program runs; the
 * branch moves only from the very commit that we built upon.
 *
 * Idempotent: undefined when the branch holds all of it already. A commit of ours whose index was not brought up to
 * date before the process died is then completed.
 *
 * @returns the commit, and what is staged with it
 */
export async function commitWork(use: Committing, request: CommitRequest): Promise<[string, Staged] | undefined> {
  const { git, staging, index } = use;
  const [staged, all] = await stageAndCompare(use);
  await refuseInProgress(git, staged.theirs.unmerged);
  const { head } = staged;
  const differences = await stageable(git, all);
  if (differences.length === 0) {
    if (head !== null && !staged.theirs.none && (await isCommitOf(git, head, request))) await bringIndexTo(use, head);
    return undefined;
  }
  const tree = await index.write(head, differences);
  const commit = await writeCommit(git, head, tree, request);
  await waitForIndexLock(git);
  await moveHead(git, head, commit, request);
  await index.holds(commit);
  const before = await staging.theirs.signature();
  await bringIndexTo(use, commit);
  // Large files are staged otherwise than the person's git would.
  if (all.differences.length !== differences.length) return [commit, await staging.stage()];
  return [commit, { ...staged, head: commit, base: commit, theirs: await staging.landed(commit, before) }];
}

/**
 * Stages the work tree, and compares it with HEAD. Nearly always it is as it was staged last, after the turn, so that
 * both can be asked at once.
 */
async function stageAndCompare(use: Committing): Promise<[Staged, Differing]> {
  const { last } = use.staging;
  const ahead = last && differingFrom(use, last).catch(() => undefined);
  const staged = await use.staging.stage();
  const differing = await ahead;
  if (last === undefined || differing === undefined || !isAs(last, staged)) {
    return [staged, await differingFrom(use, staged)];
  }
  return [staged, differing];
}

/** Whether what differs from HEAD is the same: paths are only ever added to those that were touched. */
function isAs(last: Staged, staged: Staged): boolean {
  const { base, index, theirs, touched } = staged;
  const same = last.base === base && last.index === index && last.theirs.digest === theirs.digest;
  return same && last.touched.length === touched.length;
}

/** What the work tree holds otherwise than HEAD, and which of it belongs to a filter. */
async function differingFrom({ git, scope }: Committing, staged: Staged): Promise<Differing> {
  const { base, theirs, touched } = staged;
  if (theirs.none && touched.length === 0) return { differences: [], filtered: new Set() };
  // Nearly always these are all there are, so that both can be asked at once.
  const [differences, known] = await Promise.all([differencesFrom(git, base, scope), filteredAmong(git, touched)]);
  const asked = new Set(touched);
  const others = differences.filter(({ path, indexed }) => !asked.has(path) && !isAbsent(indexed));
  const more = await filteredAmong(
    git,
    others.map((difference) => difference.path),
  );
  return { differences, filtered: new Set([...known, ...more]) };
}

/** Without the unchanged files behind a filter; changed ones end the commit, for only the filter could stage them. */
async function stageable(git: PrivateGit, { differences, filtered }: Differing): Promise<readonly Difference[]> {
  const unchanged = new Set<string>();
  const changed: string[] = [];
  for (const difference of differences) {
    if (isAbsent(difference.indexed) || !filtered.has(difference.path)) continue;
    if (await isUnchangedLargeFile(git, difference)) unchanged.add(difference.path);
    else changed.push(difference.path);
  }
  if (changed.length > 0) throw filterNeeded(changed);
  return differences.filter((difference) => !unchanged.has(difference.path));
}

async function writeCommit(
  git: PrivateGit,
  head: string | null,
  tree: string,
  request: CommitRequest,
): Promise<string> {
  const args = ["-c", "i18n.commitEncoding=UTF-8", "commit-tree", tree, ...(head === null ? [] : ["-p", head])];
  const input = Buffer.from(commitMessage(request)).toString("latin1");
  return (await git.run(args, { objects: "theirs", env: await authorship(git), input })).trim();
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

function filterNeeded(paths: readonly string[]): OperationalError {
  return new OperationalError({
    code: "GIT_FILTER_NEEDED",
    what:
      `The loop's work cannot be committed: ${printableList(paths)} changed and belongs to a git filter such as LFS, ` +
      "which is never run on an agent's work. It is in your work tree, unharmed; nothing was committed.",
    next: "Commit the work yourself, or undo the change of these files and resume the loop, or use commit: never.",
  });
}
