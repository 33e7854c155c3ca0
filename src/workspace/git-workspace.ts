import { createHash } from "node:crypto";
import path from "node:path";
import { OperationalError } from "../core/errors.ts";
import type { Workspace } from "../core/ports.ts";
import { nulFields } from "../platform/git.ts";
import { parseNumstat, printable } from "./change.ts";
import { commitStaged } from "./commit.ts";
import { PrivateGit } from "./private-git.ts";
import { findRepository } from "./repository.ts";
import { type Scope, scopeOf } from "./scope.ts";
import type { Author } from "./settings.ts";
import { Staging } from "./staging.ts";

export interface GitWorkspaceOptions {
  /** the workspace's root, absolute; the top of a repository or a folder below it */
  readonly root: string;
  /** the loop's folder, absolute; our git directory is its `git/` */
  readonly folder: string;
  /** paths relative to the root that are never staged nor measured: the folders of loops */
  readonly excluded: readonly string[];
}

export interface GitWorkspace extends Workspace {
  /** What differs from the last commit, as a person would read it: what `commit` would take in. */
  dirtyFiles(): Promise<readonly string[]>;
  /** Who commits are by, and whether that is the person's own setting. */
  author(): Promise<Author>;
}

/**
 * The workspace of a loop in a git repository. Only what lies below the root is measured and committed. Everything is
 * done by a git directory of our own (`PrivateGit`): the person's index, stash, branch and reflog are as they were,
 * except after `commit`.
 *
 * @throws OperationalError when `root` lies in no git repository
 */
export async function createGitWorkspace(options: GitWorkspaceOptions): Promise<GitWorkspace> {
  const repository = await findRepository(options.root);
  if (repository === undefined) throw noRepository(options.root);
  const git = new PrivateGit(repository, path.join(options.folder, "git"));
  const scope = scopeOf(repository, options.excluded);
  const staging = new Staging(git, scope);
  const inTurn = oneAtATime(() => git.prepare());

  return {
    snapshot: () =>
      inTurn(async () => {
        const [head, staged] = await Promise.all([git.head(), staging.stage()]);
        const id = createHash("sha256").update([head, staged.index, staged.tree].join("\n")).digest("hex");
        return { id, tree: staged.tree, head };
      }),

    compare: (before, after) =>
      inTurn(async () => {
        if (before.tree === after.tree) return parseNumstat("");
        const args = ["diff-tree", "-r", "--numstat", "-z", "--no-renames", "--no-ext-diff", "--no-textconv"];
        return parseNumstat(await git.run([...args, before.tree, after.tree]));
      }),

    commit: (request) =>
      inTurn(async () => {
        await staging.stage();
        return commitStaged(git, scope, request);
      }),

    dirtyFiles: () =>
      inTurn(async () => {
        await staging.stage();
        return changedSinceHead(git, scope);
      }),

    author: async () => (await git.settings()).author,
  };
}

/** Runs operations in the order in which they were asked for, each after `prepare`: they share one index. */
function oneAtATime(prepare: () => Promise<void>): <T>(operation: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (operation) => {
    const result = last.then(prepare).then(operation);
    last = result.catch(() => undefined);
    return result;
  };
}

async function changedSinceHead(git: PrivateGit, scope: Scope): Promise<readonly string[]> {
  const base = (await git.head()) ?? (await git.run(["mktree"])).trim();
  const args = ["diff-index", "--cached", "--name-only", "-z", "--no-renames", base, "--", ...scope.included];
  return nulFields(await git.run(args)).map(printable);
}

function noRepository(root: string): OperationalError {
  return new OperationalError({
    code: "NOT_A_GIT_REPOSITORY",
    what: `${root} lies in no git repository.`,
    next: "Run `git init` there, name another folder with --cd, or use --skip-git-repo-check.",
  });
}
