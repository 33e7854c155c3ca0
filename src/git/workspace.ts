import path from "node:path";
import { type ChangeRules, NO_RULES } from "../core/boundary.ts";
import { OperationalError } from "../core/errors.ts";
import { PATCH_FILE } from "../core/names.ts";
import type { Committed, TakenOut, Workspace } from "../core/ports.ts";
import type { Result } from "../core/result.ts";
import type { Change, Snapshot } from "../core/state.ts";
import { oneAtATime } from "../os/concurrency.ts";
import { ChangeGuard, writePatch } from "./change-guard.ts";
import { commitHooksOf } from "./checkout/hooks.ts";
import { changedOtherwise, commitsHeld, commitWork, countPending, type Measuring, pathsDiffering } from "./commit.ts";
import { encoded, type FileChange, NUMSTAT, parseNumstat, printable } from "./diff.ts";
import { sweepsLeftFiles } from "./locks/left-locks.ts";
import { type Author, PrivateGit } from "./private-git.ts";
import { findRepository, scopeOf } from "./repository.ts";
import { snapshotOf, type Staged, Staging } from "./snapshot.ts";
import { testFilesIn } from "./test-files.ts";
import { changedTextsIn } from "./work-tree/changed-texts.ts";
import { namedFiles } from "./work-tree/named-files.ts";
import type { PatchPlace } from "./work-tree/patch-file.ts";
import { setAside } from "./work-tree/set-aside.ts";
import { takeBack, type TakenBack } from "./work-tree/take-back.ts";
import { takeOut } from "./work-tree/take-out.ts";
import { Company } from "./work-tree/company.ts";
import { UnseenGuard } from "./work-tree/unseen-guard.ts";

interface GitWorkspaceOptions {
  /** the workspace's root, absolute; the top of a repository or a folder below it */
  readonly root: string;
  /** the loop's folder, absolute; our git directory is its `git/` */
  readonly folder: string;
  /** paths relative to the root that are never staged nor measured: the folders of loops */
  readonly excluded: readonly string[];
  /** paths relative to the root that stay as they are when work is set aside: a PRD's folder */
  readonly kept?: readonly string[];
  /** what the work may change; absent: anything */
  readonly rules?: ChangeRules;
  /** commits that others have made public, whose files are nobody's change; asked for only when something is changed */
  readonly published?: (() => Promise<readonly string[]>) | undefined;
  /** hears what was put right before the first look, and which other loops are at work here: sentences */
  readonly notice?: (text: string) => void;
  /** ids of the other loops that are at work in the same work tree now */
  readonly others?: () => Promise<readonly string[]>;
}

export interface GitWorkspace extends Workspace {
  /** How two snapshots differ, for people. @see shownPatch */
  patch(before: Snapshot, after: Snapshot, limit: number): Promise<ShownPatch | undefined>;
  /** Who commits are by, and whether that is the person's own setting. */
  author(): Promise<Author>;
  /**
   * Puts files that were written since a snapshot back, each that can be, and keeps them as a patch, `file` of the loop's
   * folder. The folder of a PRD stays as it is, and so does what HEAD's rules ignore.
   *
   * @param only which files, as people read paths, where they differ from HEAD; absent: all
   * @throws OperationalError `SET_ASIDE_FAILED`: nobody knows any more what was there
   */
  takeOut(since: Snapshot, file: string, only?: readonly string[]): Promise<TakenOut>;
  /**
   * Brings back what `setAside` has written to `file` of the loop's folder, if it applies cleanly; only files change.
   *
   * @param mayApply else it only looks whether the work is there
   * @returns undefined: there is no such file any more
   */
  takeBack(file: string, mayApply: boolean): Promise<Result<TakenBack> | undefined>;
  /**
   * What differs from the last commit, seen from the workspace as a person would read it: what `commit` would take in.
   *
   * @param scratch a folder of our own, absolute: our git directory is there until the next operation, so that nothing
   * is written to the loop's folder; that operation reuses what was found
   */
  dirtyFiles(scratch?: string): Promise<readonly string[]>;
  /** The commit hooks of the person that `commit` does not run: their files, as people read paths. */
  hooksNotRun(): Promise<readonly string[]>;
}

/**
 * The workspace of a loop in a git repository. Only measures and commits what is below the root. Works in a git
 * directory of our own (`PrivateGit`): the person's index, stash, branch and reflog are as they were, except after
 * `commit`.
 *
 * @throws OperationalError when `root` is not in a git repository
 */
export async function createGitWorkspace(options: GitWorkspaceOptions): Promise<GitWorkspace> {
  const repository = await findRepository(options.root);
  if (repository === undefined) throw noRepository(options.root);
  const home = path.join(options.folder, "git");
  const git = new PrivateGit(repository, home);
  const scope = scopeOf(repository, options.excluded);
  const staging = new Staging(git, scope);
  const guard = new ChangeGuard(git, options.rules ?? NO_RULES, options.published);
  const unseen = new UnseenGuard(git, scope, options.rules ?? NO_RULES);
  let known: Snapshot | null = null;
  const sweepLeftFiles = sweepsLeftFiles(git, options.notice);
  const company = new Company(options.others, options.notice);
  const placed = (file: string) => ({ root: options.root, folder: options.folder, file });
  const refuse = (changes: readonly FileChange[], staged: Staged) => guard.refuseCommit(changes, staged, known);
  const aside = { git, staging, scope: scopeOf(repository, [...options.excluded, ...(options.kept ?? [])]) };
  // What is in the scope is below the root.
  const shown = (name: string) => printable(name.slice(encoded(repository.prefix).length));
  const committing = { git, scope, staging, refuse };
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
        await Promise.all([unseen.begin(), company.look()]);
        await sweepLeftFiles();
        return snapshotOf(await staging.stage());
      }),

    patch: (before, after, limit) => inTurn(() => shownPatch(git, before.tree, after.tree, limit)),

    compare: (before, after) => inTurn(() => compared(git, before, after)),

    refusal: (begun, now) => {
      known = begun;
      return inTurn(async () => (await guard.refusal(begun, now.tree)) ?? unseen.refusal(now.tree));
    },

    keepPatch: (begun, now) => {
      const file = path.join(options.folder, PATCH_FILE);
      return inTurn(async () => void (await writePatch(git, file, begun.tree, now.tree))).catch(() => undefined);
    },

    testFiles: (snapshot, query) => inTurn(() => testFilesIn(git, snapshot.tree, query)),

    changedTexts: (begun, now, scripts) => inTurn(() => changedTextsIn(git, begun, now.tree, scripts)),

    commit: (request) => inTurn(() => company.commit(request, (named) => commitWork(committing, named))),

    dirtyFiles: (scratch) =>
      inTurn(async () => (await pathsDiffering(committing)).map(shown), scratch && path.join(scratch, "git")),

    changedOtherwise: (since) => inTurn(async () => (await changedOtherwise(committing, since))?.map(shown)),

    pendingFiles: (on) => inTurn(() => countPending(aside, on)),

    setAside: (file) => inTurn(async () => snapshotOf(await setAside(aside, placed(file)))),

    takeOut: (since, file, only) => inTurn(() => takenOut(aside, since, placed(file), only)),

    takeBack: (file, mayApply) => inTurn(() => takeBack({ ...aside, shown }, placed(file), mayApply)),

    named: (before, now, names) => inTurn(() => namedFiles(git, options.root, [before.tree, now.tree], names)),

    holding: (commits) => inTurn(() => commitsHeld(git, commits)),

    author: async () => (await git.settings()).author,

    hooksNotRun: () => commitHooksOf(repository),
  };
}

/** How the trees of two snapshots differ; null: what the first one held is lost. */
async function compared(git: PrivateGit, before: Snapshot, after: Snapshot): Promise<Change | null> {
  if (before.tree === after.tree) return parseNumstat("");
  // Objects are not checked: these are counts, and `refusal` judges what may change.
  const command = ["diff-tree", "--raw", ...NUMSTAT, before.tree, after.tree];
  const result = await git.try(command);
  if (result.exitCode === 0) return parseNumstat(result.stdout);
  // What ran in a turn or a check may have cleaned our objects away (`git clean -fdx`).
  return (await git.has(before.tree)) ? parseNumstat(git.succeeded(command, result)) : null;
}

/** A difference as people read it. */
interface ShownPatch {
  readonly text: string;
  /** how many bytes of it are left out; 0: none */
  readonly leftOut: number;
}

const PATCH = ["diff-tree", "-r", "-p", "--no-renames", "--no-ext-diff", "--no-textconv"];
const PREFIXES = ["--src-prefix=a/", "--dst-prefix=b/"];

/**
 * How two trees differ, in whole lines of at most `limit` bytes together; of files that are no text only that they do.
 * Paths are relative to the repository's top.
 *
 * @returns undefined when what the first tree held is lost
 */
async function shownPatch(
  git: PrivateGit,
  before: string,
  after: string,
  limit: number,
): Promise<ShownPatch | undefined> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  const onOutput = (chunk: Buffer): void => {
    if (bytes < limit) pieces.push(chunk.subarray(0, limit - bytes));
    bytes += chunk.length;
  };
  const { exitCode } = await git.try([...PATCH, ...PREFIXES, before, after], { onOutput });
  if (exitCode !== 0) return undefined;
  const kept = Buffer.concat(pieces);
  const whole = bytes > kept.length ? kept.subarray(0, kept.lastIndexOf("\n") + 1) : kept;
  return { text: whole.toString("utf8"), leftOut: bytes - whole.length };
}

async function takenOut(
  use: Measuring,
  since: Snapshot,
  place: PatchPlace,
  only: readonly string[] | undefined,
): Promise<TakenOut> {
  const differing = new Set(only && (await pathsDiffering(use)));
  const isMeant = only && ((name: string) => only.includes(printable(name)) && differing.has(name));
  const { made, changed, left } = await takeOut(use, since.tree, place, isMeant);
  return {
    made: made.map(printable),
    changed: changed.map(printable),
    left: left.map(({ paths, ...rest }) => ({ ...rest, files: paths.map(printable) })),
  };
}

function noRepository(root: string): OperationalError {
  return new OperationalError({
    code: "NOT_A_GIT_REPOSITORY",
    what: `${root} lies in no git repository.`,
    next: "Run `git init` there, name another folder with --cd, or use --skip-git-repo-check.",
  });
}

/** A workspace outside git (`skip-git-repo-check`, W-25): nothing is measured and nothing is committed. */
export function createPlainWorkspace(): Workspace {
  return {
    snapshot: async () => null,
    compare: async () => parseNumstat(""),
    testFiles: async () => null,
    changedTexts: async () => null,
    refusal: async () => null,
    keepPatch: async () => undefined,
    commit: async () => undefined,
    setAside: async () => null,
    pendingFiles: async () => 0,
    named: async () => null,
    changedOtherwise: async () => [],
    holding: async () => new Set(),
  };
}

/**
 * A workspace that may have committed an iteration early, for CI to judge: when the commit is asked for again and
 * nothing is left to commit, it returns that one.
 */
export function committingEarly(workspace: Workspace): Workspace {
  let early: { readonly iteration: number; readonly committed: Committed } | undefined;
  return {
    ...workspace,
    async commit(request) {
      const { iteration } = request;
      const committed = await workspace.commit(request);
      if (committed !== undefined) early = { iteration, committed };
      return early?.iteration === iteration ? early.committed : undefined;
    },
  };
}
