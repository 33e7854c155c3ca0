import path from "node:path";
import { OperationalError } from "../core/errors.ts";
import type { Committed, CommitRequest } from "../core/ports.ts";
import type { Snapshot } from "../core/state.ts";
import { isSameHead } from "../core/story/head.ts";
import { oneLine } from "../views/plain-text.ts";
import { CAREFUL } from "./work-tree/apply-tree.ts";
import { indexOf, rememberLeftOut, withoutIgnored } from "./work-tree/ignored.ts";
import { refuseInProgress } from "./busy.ts";
import {
  encoded,
  type FileChange,
  indexLine,
  isAbsent,
  isFile,
  isSubmodule,
  nulTerminated,
  printable,
  printableList,
  type Side,
} from "./diff.ts";
import { filteredAmong, isUnchangedLargeFile } from "./filters.ts";
import { isObjectId, lines } from "./git.ts";
import { writingObjects } from "./locks/left-objects.ts";
import { locking } from "./locks/locks.ts";
import type { PrivateGit } from "./private-git.ts";
import type { Scope } from "./repository.ts";
import { commitOf, type Pair } from "./true-trees.ts";
import { NOTHING_STAGED, snapshotOf, type Staged, type Staging } from "./snapshot.ts";

/** What the work tree is measured with. */
export interface Measuring {
  readonly git: PrivateGit;
  readonly scope: Scope;
  readonly staging: Staging;
}

/** What a commit is made with. */
interface Committing extends Measuring {
  /** throws when a commit may not change these files */
  readonly refuse: (changes: readonly FileChange[], staged: Staged) => Promise<void>;
}

/**
 * Commits the work tree's scope on the person's current branch (C13). No hook, filter or signing program runs; the
 * branch moves only from the commit that we built on.
 *
 * Idempotent: undefined when the branch holds all of it already, or HEAD is this iteration's commit; or, for a story, the
 * commit that was made for this very request and never noted. Our own commit whose index was not brought up to date before
 * the process died is then completed.
 *
 * @throws OperationalError `PROTECTED_PATHS`; `GIT_FILTER_NEEDED` when only a filter could stage what has changed
 */
export async function commitWork(use: Committing, request: CommitRequest): Promise<Committed | undefined> {
  const { git, scope, staging } = use;
  const staged = await staging.stage();
  await refuseInProgress(git.repository, staged.theirs.unmerged);
  const { head } = staged;
  const isMade = await isMadeAlready(git, staged, request);
  const { changes: all, isUnchanged } = await changesIn(use, staged);
  const changes = request.story === undefined ? all : await withoutIgnored(git, staged.base, all);
  const taken = new Set<FileChange>(changes);
  const out = all.filter((change) => !taken.has(change));
  const index = await indexOf(git, head);
  const needFilter = changes.filter(({ filtered }) => filtered).map((change) => change.path);
  if (needFilter.length > 0) throw filterNeeded(needFilter);
  await use.refuse(changes, staged);
  if (changes.length === 0 || (await isMadeForIteration(git, head, request))) {
    return head === null ? undefined : completed(use, request, head, staged);
  }
  if (isMade) throw headMoved("files have changed since its commit was made, by a process that died");
  const commit = await writingObjects(git.repository, async () => {
    const tree = await treeWith(git, index, changes);
    await refuseOthers(git, [staged.base, tree], changes);
    return writeCommit(git, tree, head, request);
  });
  await rememberLeftOut(
    git,
    out.map((change) => change.path),
  );
  await moveHead(git, staged, commit, request);
  const ignored = named(out);
  const bring = () => bringIndexTo(git, scope, commit);
  await (ignored.length === 0 ? staging.keepFor(bring) : bring());
  // Large files are staged otherwise than the person's git would, and what is left out is in no index any more.
  const isOther = isUnchanged || ignored.length > 0;
  const after = isOther ? await staging.stage() : { ...staged, head: commit, theirs: NOTHING_STAGED };
  const submodules = named(changes.filter(({ before, after: side }) => isSubmodule(before) || isSubmodule(side)));
  return {
    ...{ commit, snapshot: snapshotOf(after) },
    ...(submodules.length === 0 ? {} : { submodules }),
    ...(ignored.length === 0 ? {} : { ignored }),
  };
}

/**
 * Then a process that died has made it: what has changed since is somebody else's, and waits for the next one. A loop that
 * starts over under the same id may stand on a commit of the same number.
 */
async function isMadeForIteration(git: PrivateGit, head: string | null, request: CommitRequest): Promise<boolean> {
  const { story, begun } = request;
  if (story !== undefined || head === null || begun === undefined || head === begun) return false;
  return isCommitOf(git, head, request);
}

function named(changes: readonly FileChange[]): readonly string[] {
  return changes.slice(0, LISTED).map((change) => printable(change.path));
}

/** Nothing is left to commit: `head` may be what a process that died has made for this request. */
async function completed(
  { git, scope, staging }: Committing,
  request: CommitRequest,
  head: string,
  { theirs }: Staged,
): Promise<Committed | undefined> {
  const { story } = request;
  if ((story === undefined && theirs.none) || !(await isCommitOf(git, head, request))) return undefined;
  if (!theirs.none) await bringIndexTo(git, scope, head);
  return story && { commit: head, snapshot: snapshotOf(await staging.stage()) };
}

/**
 * Which of these commits the history of HEAD holds, by what git has under their names; each of them is checked itself.
 * What lies between is not: whoever can write there can as well put HEAD on a commit that has any of them for a parent.
 *
 * @param ids whatever else is among them is not held
 * @throws OperationalError `GIT_OBJECT_FORGED`
 */
export async function commitsHeld(git: PrivateGit, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const head = await git.head();
  const wanted = new Set(ids.filter((id) => isObjectId(id) && id.length === head?.length));
  if (head === null || wanted.size === 0) return new Set();
  const shallow = path.join(git.repository.commonDir, "shallow");
  const args = ["--shallow-file", shallow, "rev-list", "--ignore-missing", "--stdin"];
  const others = new Set<string>();
  // A branch of its own may have a long history: only what was asked for is kept of it.
  const onOutput = linesOf((line) => wanted.has(line) && others.add(line));
  await git.run(args, { input: lines([...wanted, `^${head}`]), onOutput });
  const found = await git.trueObjects(
    [...wanted].filter((id) => !others.has(id)),
    {},
    -1,
  );
  return new Set([...found].flatMap(([id, { type }]) => (type === "commit" ? [id] : [])));
}

/** Takes output in pieces, as it comes. @param take gets each line without its end */
function linesOf(take: (line: string) => unknown): (chunk: Buffer) => void {
  let rest = "";
  return (chunk) => {
    const all = (rest + chunk.toString("latin1")).split("\n");
    rest = all.pop() ?? "";
    all.forEach(take);
  };
}

/** What differs from HEAD, as byte strings: what a commit would take in, or refuse because of a filter. */
export async function pathsDiffering(use: Measuring): Promise<readonly string[]> {
  return (await changesIn(use, await use.staging.stage())).changes.map((change) => change.path);
}

/**
 * Of what differs from HEAD, the paths that did not differ in just this way as a snapshot was taken: somebody has changed
 * them since, or HEAD no longer holds what it held of them. Commits that do not touch what differs change nothing.
 *
 * @returns byte strings relative to the top; undefined: what the snapshot held is lost
 */
export async function changedOtherwise(use: Measuring, since: Snapshot): Promise<readonly string[] | undefined> {
  const { git, staging } = use;
  const { prefix } = git.repository;
  const then = await git.differing(since.head === null ? null : `${since.head}:${prefix}`, since.tree);
  if (then === undefined) return undefined;
  const known = new Set(then.map((change) => said({ ...change, path: `${encoded(prefix)}${change.path}` })));
  const { changes } = await changesIn(use, await staging.stage());
  return changes.filter((change) => !known.has(said(change))).map((change) => change.path);
}

function said({ path, before, after }: FileChange): string {
  const side = ({ mode, object }: Side) => `${mode} ${object}`;
  return `${side(before)} ${side(after)} ${path}`;
}

/**
 * How many files a story's commit would take in, if it was built on this one.
 *
 * @param on null: it is the first; absent, or a commit that is not here: HEAD
 */
export async function countPending(use: Measuring, on?: string | null): Promise<number> {
  const { git, staging } = use;
  const staged = await staging.stage();
  const other = on === null ? await git.emptyTree() : on;
  const base = other !== undefined && other !== staged.base && (await git.has(other)) ? other : staged.base;
  const { changes } = await changesIn(use, { base });
  return (await withoutIgnored(git, base, changes)).length;
}

/** `filtered`: a filter would change the file's content */
export type WorkChange = FileChange & { readonly filtered: boolean };

interface Changes {
  readonly changes: readonly WorkChange[];
  /** whether files were left out that git only takes for changed, because filters are not run */
  readonly isUnchanged: boolean;
}

/** What the work tree holds otherwise than HEAD. */
export async function changesIn({ git, scope }: Measuring, { base }: Pick<Staged, "base">): Promise<Changes> {
  const all = await git.changes(["diff-index", "--cached", "-r", base, "--", ...scope.included]);
  const present = all.filter(({ after }) => !isAbsent(after)).map((change) => change.path);
  const filtered = await filteredAmong(git, present);
  const changes: WorkChange[] = [];
  for (const change of all) {
    const isFiltered = !isAbsent(change.after) && filtered.has(change.path);
    if (!isFiltered || !(await isUnchangedLargeFile(git, change))) changes.push({ ...change, filtered: isFiltered });
  }
  return { changes, isUnchanged: changes.length !== all.length };
}

/** Writes the commit into the person's repository; nothing names it yet. */
async function writeCommit(
  git: PrivateGit,
  tree: string,
  parent: string | null,
  request: CommitRequest,
): Promise<string> {
  const parents = parent === null ? [] : ["-p", parent];
  const args = ["-c", "i18n.commitEncoding=UTF-8", "commit-tree", tree, ...parents];
  const input = encoded(commitMessage(request));
  return (await git.run(args, { objects: "theirs", env: await authorship(git), input })).trim();
}

/**
 * Whether HEAD names, on what the request is built on, the very commit for it, made by a process that died.
 *
 * @throws OperationalError `GIT_HEAD_MOVED` when it names anything else
 */
async function isMadeAlready(git: PrivateGit, { head, branch }: Staged, request: CommitRequest): Promise<boolean> {
  const { on } = request;
  if (on === undefined || isSameHead(on, { head, branch })) return false;
  const isHere = head !== null && isSameHead({ ...on, head }, { head, branch });
  if (isHere && (await isCommitOf(git, head, request))) return true;
  throw headMoved("HEAD is not where it was when the work began");
}

/** What a commit on the branch locks besides the index. */
function headLocks(branch: string | null): readonly string[] {
  return branch === null ? ["HEAD"] : ["HEAD", `refs/heads/${branch}`];
}

/** Moves the person's branch, or their detached HEAD, if it is still where it was. */
async function moveHead(
  git: PrivateGit,
  { head: from, branch }: Staged,
  to: string,
  request: CommitRequest,
): Promise<void> {
  const subject = `commit (smithers): ${request.loopId}, iteration ${request.iteration}`;
  const none = "0".repeat(to.length);
  const use = { env: await authorship(git) };
  const move = () => git.tryTheirs(["update-ref", "-m", subject, "HEAD", to, from ?? none], use);
  const moved = await locking(git.repository, ["index", ...headLocks(branch)], move);
  if (moved.exitCode === 0) return;
  throw headMoved(`the branch moved while the loop's work was being committed: ${oneLine(moved.stderr)}`);
}

function headMoved(why: string): OperationalError {
  return new OperationalError({
    code: "GIT_HEAD_MOVED",
    what: `Nothing was committed: ${why}`,
    next: "The work is in your work tree, unharmed. Resume the loop, or commit it yourself.",
  });
}

/**
 * Makes the person's index agree with `commit` within the scope. Files whose content agrees are marked as known, so
 * that the next `git status` need not read them.
 */
export async function bringIndexTo(git: PrivateGit, scope: Scope, commit: string): Promise<void> {
  // Not with --quiet, which leaves out the marks in some versions of git.
  const args = ["-c", "core.untrackedCache=keep", "reset", commit, "--", ...scope.included];
  await locking(git.repository, ["index"], () => git.run(args, { index: git.theirIndex }));
}

/** As whom git makes commits in the person's repository. */
export async function authorship(git: PrivateGit): Promise<Record<string, string>> {
  const { author } = await git.settings();
  return { GIT_AUTHOR_NAME: author.name, GIT_AUTHOR_EMAIL: author.email, ...(await git.committer()) };
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

/** Writes the tree of the index with the changes, and all that is new in it, into the person's repository. */
async function treeWith(git: PrivateGit, index: string, changes: readonly FileChange[]): Promise<string> {
  const run = (args: readonly string[], input = "") => git.run(args, { index, objects: "theirs", input });
  const update = [...CAREFUL, "update-index", "--add", "--replace", "-z"];
  const others = changes.filter(({ after }) => !isFile(after)).map((change) => indexLine(change.path, change.after));
  if (others.length > 0) await run([...update, "--index-info"], nulTerminated(others));
  const files = changes.filter(({ after }) => isFile(after)).map((change) => change.path);
  if (files.length > 0) await run([...update, "--remove", "--stdin"], nulTerminated(files));
  return (await run(["write-tree", "--missing-ok"])).trim();
}

/**
 * Refuses a tree that holds otherwise than HEAD what was not looked at: git builds on what lies under HEAD's name, which
 * the agent can write (T17).
 *
 * @throws OperationalError `GIT_OBJECT_FORGED`
 */
async function refuseOthers(git: PrivateGit, pair: Pair, changes: readonly FileChange[]): Promise<void> {
  const seen = new Set(changes.map((change) => change.path));
  const made = await git.differing(...pair);
  const others = (made ?? []).map((change) => change.path).filter((name) => !seen.has(name));
  if (made !== undefined && others.length === 0) return;
  throw new OperationalError({
    code: "GIT_OBJECT_FORGED",
    what: `The commit would change more than the work tree shows (${printableList(others) || "HEAD's files are not here"}): something wrote other objects under the names of those that HEAD has. Nothing was committed; your work tree is unharmed.`,
    next: "Give git fsck --full, put the objects right (git fetch --refetch, or a fresh clone), then resume the loop.",
  });
}

const TRAILER = /^[A-Za-z][A-Za-z0-9-]*: \S/u;

/** The message with the trailers by which a repeated settle recognises its own commit (C13). */
function commitMessage(request: CommitRequest): string {
  // A story's title is anybody's text: what it holds stays in the first line.
  const text = request.story === undefined ? request.message : oneLine(request.message);
  const message = text.replaceAll("\0", "").trim();
  const endsWithTrailers = trailersIn(message) !== "";
  return `${message}${endsWithTrailers ? "\n" : "\n\n"}${trailers(request).join("\n")}\n`;
}

/**
 * The message of one commit that stands for several: that of the last, which tells the outcome, the first lines of the
 * others, and the last one's trailers.
 *
 * @param messages oldest first
 */
export function squashedMessage(messages: readonly string[]): string {
  const last = messages.at(-1)?.trim() ?? "";
  const kept = trailersIn(last);
  const text = last.slice(0, last.length - kept.length).trim();
  const subjects = messages.slice(0, -1).map((message) => `- ${message.trim().split("\n")[0] ?? ""}`);
  const more = subjects.length > LISTED ? [`- and ${subjects.length - LISTED} more`] : [];
  const others = subjects.length === 0 ? [] : ["With it:\n\n" + [...subjects.slice(0, LISTED), ...more].join("\n")];
  return `${[text, ...others, ...(kept === "" ? [] : [kept])].join("\n\n")}\n`;
}

/** At most this many commits are named. */
const LISTED = 50;

/** The last paragraph of a trimmed message, if it consists of trailers; else "". */
export function trailersIn(message: string): string {
  const last = message.split(/\n{2,}/u).at(-1) ?? "";
  return last !== message && last.split("\n").every((line) => TRAILER.test(line)) ? last : "";
}

/**
 * Whether a commit of the person's repository was made for this request, as its trailers say.
 *
 * @throws OperationalError `GIT_OBJECT_FORGED`
 */
async function isCommitOf(git: PrivateGit, commit: string, request: CommitRequest): Promise<boolean> {
  const found = (await git.trueObjects([commit])).get(commit);
  if (found === undefined) return false;
  const { message, parents } = commitOf(commit, found);
  const { on } = request;
  if (on !== undefined && on.head !== commit && parents.join() !== (on.head ?? "")) return false;
  const present = trailersIn(message.trim()).split("\n");
  return trailers(request).every((trailer) => present.includes(trailer));
}

function trailers({ loopId, iteration, story }: CommitRequest): readonly string[] {
  const own = [`Smithers-Loop: ${loopId}`, `Smithers-Iteration: ${iteration}`];
  if (story === undefined) return own;
  const { id, prd, acceptedBy } = story;
  const accepted = acceptedBy === undefined ? [] : [`Smithers-Accepted-By: ${oneLine(acceptedBy)}`];
  return [...own, `Smithers-Story: ${oneLine(id)}`, `Smithers-Prd: ${oneLine(prd)}`, ...accepted];
}
