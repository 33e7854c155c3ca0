import { rm } from "node:fs/promises";
import path from "node:path";
import { OperationalError } from "../core/errors.ts";
import type { CommitRequest } from "../core/ports.ts";
import { nulTerminated } from "../platform/git.ts";
import { printableList } from "./change.ts";
import { commitMessage, isCommitOf } from "./commit-message.ts";
import { type Difference, differencesFrom, indexLine, isAbsent, isSubmodule } from "./difference.ts";
import { filteredAmong, isUnchangedLargeFile } from "./filtered-paths.ts";
import { refuseInProgress, waitForIndexLock } from "./git-busy.ts";
import type { PrivateGit } from "./private-git.ts";
import type { Scope } from "./scope.ts";

/**
 * Commits what our index, which has just been staged, holds of the scope, on the person's current branch (C13).
 * No hook, filter or signing program runs; the branch moves only from the very commit that we built upon.
 *
 * Idempotent: undefined when the branch holds all of it already. A commit of ours whose index was not brought up to
 * date before the process died is then completed.
 */
export async function commitStaged(git: PrivateGit, scope: Scope, request: CommitRequest): Promise<string | undefined> {
  await refuseInProgress(git);
  const head = await git.head();
  const base = head ?? (await git.run(["mktree"])).trim();
  const differences = await stageable(git, await differencesFrom(git, base, git.index, scope));
  if (differences.length === 0) {
    if (head !== null && (await isCommitOf(git, head, request))) await bringIndexTo(git, head, scope);
    return undefined;
  }
  const tree = await buildTree(git, head, differences);
  const commit = await writeCommit(git, head, tree, request);
  await waitForIndexLock(git);
  await moveHead(git, head, commit, request);
  await bringIndexTo(git, commit, scope);
  return commit;
}

/** Without the unchanged files behind a filter; changed ones end the commit, for only the filter could stage them. */
async function stageable(git: PrivateGit, differences: readonly Difference[]): Promise<readonly Difference[]> {
  const present = differences.filter((difference) => !isAbsent(difference.indexed));
  const filtered = await filteredAmong(
    git,
    present.map((difference) => difference.path),
  );
  const unchanged = new Set<string>();
  const changed: string[] = [];
  for (const difference of present) {
    if (!filtered.has(difference.path)) continue;
    if (await isUnchangedLargeFile(git, difference)) unchanged.add(difference.path);
    else changed.push(difference.path);
  }
  if (changed.length > 0) throw filterNeeded(changed);
  return differences.filter((difference) => !unchanged.has(difference.path));
}

/** The tree of `head` with the differences, its objects written into the person's repository. */
async function buildTree(git: PrivateGit, head: string | null, differences: readonly Difference[]): Promise<string> {
  const use = { index: path.join(git.folder, "commit-index"), objects: "theirs" } as const;
  const update = ["-c", "core.protectNTFS=true", "-c", "core.protectHFS=true", "update-index"];
  const files = differences.filter(({ indexed }) => !isAbsent(indexed) && !isSubmodule(indexed));
  const others = differences.filter(({ indexed }) => isAbsent(indexed) || isSubmodule(indexed));
  // Of a run that was killed; nobody else uses this index.
  await rm(`${use.index}.lock`, { force: true });
  await git.run(["read-tree", head ?? "--empty"], use);
  await git.run([...update, "--add", "--replace", "-z", "--index-info"], {
    ...use,
    input: nulTerminated(others.map(({ path, indexed }) => indexLine(path, indexed))),
  });
  await git.run([...update, "--add", "--remove", "--replace", "-z", "--stdin"], {
    ...use,
    input: nulTerminated(files.map((difference) => difference.path)),
  });
  return (await git.run(["write-tree", "--missing-ok"], use)).trim();
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
async function bringIndexTo(git: PrivateGit, commit: string, scope: Scope): Promise<void> {
  const index = path.join(git.repository.gitDir, "index");
  const differences = await differencesFrom(git, commit, index, scope);
  if (differences.length === 0) return;
  await waitForIndexLock(git);
  const lines = new Map(differences.map(({ path, committed }) => [path, indexLine(path, committed)]));
  const args = ["-c", "core.untrackedCache=keep", "update-index"];
  await git.run([...args, "--add", "--replace", "-z", "--index-info"], {
    index,
    input: nulTerminated([...lines.values()]),
  });
  // Says with its exit code whether everything agrees, which it need not.
  await git.try([...args, "-q", "--refresh", "--ignore-submodules"], { index });
}

async function authorship(git: PrivateGit): Promise<Record<string, string>> {
  const { author } = await git.settings();
  return {
    GIT_AUTHOR_NAME: author.name,
    GIT_AUTHOR_EMAIL: author.email,
    GIT_COMMITTER_NAME: author.name,
    GIT_COMMITTER_EMAIL: author.email,
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
