import path from "node:path";
import { createHash } from "node:crypto";
import { OperationalError } from "../core/errors.ts";
import type { Snapshot } from "../core/state.ts";
import type { Workspace } from "../core/ports.ts";
import { oneAtATime } from "../os/one-at-a-time.ts";
import { parseNumstat, printable } from "./change.ts";
import { CommitAhead } from "./commit-ahead.ts";
import { CommitIndex } from "./commit-index.ts";
import { pathsDiffering } from "./commit-preparation.ts";
import { commitWork } from "./commit.ts";
import { PrivateGit, succeeded } from "./private-git.ts";
import { findRepository } from "./repository.ts";
import { scopeOf } from "./scope.ts";
import type { Author } from "./settings.ts";
import { testFilesIn } from "./test-files.ts";
import { NUMSTAT, type Staged, Staging } from "./staging.ts";

export interface GitWorkspaceOptions {
  /** the workspace's root, absolute; the top of a repository or a folder below it */
  readonly root: string;
  /** the loop's folder, absolute; our git directory is its `git/` */
  readonly folder: string;
  /** paths relative to the root that are never staged nor measured: the folders of loops */
  readonly excluded: readonly string[];
  /** whether what is measured is nearly always committed next: then the commit is prepared while others work */
  readonly commitsOften?: boolean;
  /** how much later than what it is hidden behind that begins, in milliseconds; 50 */
  readonly headStartMs?: number;
}

/** Time enough to store what was measured, and to start a check. */
const HEAD_START_MS = 50;

export interface GitWorkspace extends Workspace {
  /**
   * What differs from the last commit, as a person would read it: what `commit` would take in.
   *
   * @param scratch a folder of our own, absolute: our git directory is there until the next operation, so that nothing
   * is written to the loop's folder; what was found out serves that operation all the same
   */
  dirtyFiles(scratch?: string): Promise<readonly string[]>;
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
  const home = path.join(options.folder, "git");
  const git = new PrivateGit(repository, home);
  const scope = scopeOf(repository, options.excluded);
  const staging = new Staging(git, scope);
  const committing = { git, scope, staging, index: new CommitIndex(git) };
  const ahead = new CommitAhead(committing, options.headStartMs ?? HEAD_START_MS);
  const queue = oneAtATime();
  // They share one index.
  const inTurn = <T>(operation: () => Promise<T>, folder = home): Promise<T> =>
    queue(async () => {
      await git.moveTo(folder);
      await git.prepare();
      return operation();
    });

  return {
    snapshot: () =>
      inTurn(async () => {
        const staged = await staging.stage();
        if (options.commitsOften === true) ahead.plan(staged);
        return snapshotOf(staged);
      }),

    compare: (before, after) =>
      inTurn(async () => {
        if (before.tree === after.tree) return parseNumstat("");
        const { last } = staging;
        if (last?.tree === after.tree && last.since?.tree === before.tree) return parseNumstat(last.since.numstat);
        const command = ["diff-tree", ...NUMSTAT, before.tree, after.tree];
        const result = await git.try(command);
        if (result.exitCode === 0) return parseNumstat(result.stdout);
        // What ran in a turn or a check may have cleaned our objects away (`git clean -fdx`).
        const gone = (await git.try(["cat-file", "-e", before.tree])).exitCode !== 0;
        return gone ? null : parseNumstat(succeeded(command, result));
      }),

    testFiles: (snapshot, query) => inTurn(() => testFilesIn(git, snapshot.tree, query)),

    commit: (request) =>
      inTurn(async () => {
        const done = await commitWork(committing, request, ahead.take());
        return done && { commit: done[0], snapshot: snapshotOf(done[1]) };
      }),

    dirtyFiles: (scratch) =>
      inTurn(
        async () => {
          const paths = await pathsDiffering(committing, await staging.stage());
          return paths.map(printable);
        },
        scratch && path.join(scratch, "git"),
      ),

    author: async () => (await git.settings()).author,
  };
}

function snapshotOf({ head, tree, theirs }: Staged): Snapshot {
  const id = createHash("sha256").update([head, theirs.digest, tree].join("\n")).digest("hex");
  return { id, tree, head };
}

function noRepository(root: string): OperationalError {
  return new OperationalError({
    code: "NOT_A_GIT_REPOSITORY",
    what: `${root} lies in no git repository.`,
    next: "Run `git init` there, name another folder with --cd, or use --skip-git-repo-check.",
  });
}
