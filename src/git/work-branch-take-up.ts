import { copyFile, mkdir, stat } from "node:fs/promises";
import path from "node:path";
import { personalGitEnvironment } from "./git.ts";
import { remoteRefusalOf } from "./remote-git-refusal.ts";
import { oneLine } from "../views/plain-text.ts";
import { printableList } from "./change.ts";
import { filteredAmong } from "./filtered-paths.ts";
import { operationInProgress, waitForIndexLock } from "./git-busy.ts";
import { scopeOf } from "./scope.ts";
import { startGit } from "./start-git.ts";
import { TheirIndex } from "./their-index.ts";
import type { TakenUp } from "./work-branch-answers.ts";
import { type BranchChange, changesBetween, dirtyPaths, inTheWay, populatedSubmodules } from "./work-branch-changes.ts";
import { fetchHere } from "./work-branch-fetch.ts";
import { beginHere, localBranch, landOn, type LocalBranch, obstacleTo } from "./work-branch-local.ts";
import type { Reach } from "./work-branch-reach.ts";

/** Where the fetched tip is noted in our own directory. */
const TIP = "refs/taken/tip";

type Refused = Extract<TakenUp, { taken: false }>;

/** See `WorkBranch.takeUp`. */
export async function takeUp(reach: Reach): Promise<TakenUp> {
  const { git, ref } = reach;
  const operation = await operationInProgress(git.repository);
  if (operation !== undefined) return refused(reach, "busy", `a ${operation} is in progress`);
  const fetched = await fetchHere(reach, `+${ref}:${TIP}`);
  if (fetched.exitCode !== 0) {
    const isAbsent = /couldn't find remote ref/u.test(fetched.stderr);
    return isAbsent ? begin(reach) : refused(reach, "unreachable", remoteRefusalOf(fetched).why);
  }
  const tip = await tipFetched(reach);
  if (tip === undefined) return refused(reach, "failed", "what was fetched is no commit");
  const local = await localBranch(reach, tip);
  if (local.stands === "elsewhere") return refused(reach, "busy", `${local.where} has it checked out`);
  if (local.stands === "ahead" && local.isCheckedOut) return there(tip, local.commit);
  if (local.stands === "ahead" || local.stands === "diverged")
    return refused(reach, "diverged", `the local branch has commits that the remote's has not`);
  const isThere = (await git.head()) === tip;
  const obstacle = await obstacleTo(reach, local, tip);
  if (obstacle !== undefined) return refused(reach, "failed", obstacle);
  const moved = isThere ? { changes: [] } : await bringCheckoutTo(reach, tip);
  if ("taken" in moved) return moved;
  // From here on time does not break it off: HEAD has to be where the files are.
  const why = await landOn(reach, local, tip);
  if (why !== undefined) {
    const half = `The files are those of the branch ${reach.branch} already, and HEAD could not be put on it: ${why}.`;
    return { taken: false, because: "failed", why: `${half} Checking it out again completes it.` };
  }
  if (isThere && local.isCheckedOut) return there(tip, tip);
  return { taken: true, how: "moved", tip, head: tip, notices: await noticesOf(reach, moved.changes) };
}

/** The remote has no such branch: the local one begins at what is checked out, and no file is touched. */
async function begin(reach: Reach): Promise<TakenUp> {
  const head = await reach.git.head();
  const local: LocalBranch = await localBranch(reach, head);
  if (local.stands === "elsewhere") return refused(reach, "busy", `${local.where} has it checked out`);
  if (local.stands === "ahead" || local.stands === "diverged")
    return refused(reach, "diverged", "the local branch has commits that what is checked out has not");
  const why = await beginHere(reach, local, head);
  if (why !== undefined) return refused(reach, "failed", why);
  const how = local.isCheckedOut ? "there" : "begun";
  return { taken: true, how, tip: null, head, notices: [] };
}

function there(tip: string, head: string | null): TakenUp {
  return { taken: true, how: "there", tip, head, notices: [] };
}

async function tipFetched({ remote, signal }: Reach): Promise<string | undefined> {
  const { exitCode, stdout } = await remote.try(["rev-parse", "--verify", "--quiet", `${TIP}^{commit}`], { signal });
  return exitCode === 0 ? stdout.trim() : undefined;
}

/** Brings index and work tree from HEAD to `tip`; HEAD itself stays. What was changed, or why nothing was. */
async function bringCheckoutTo(
  reach: Reach,
  tip: string,
): Promise<Refused | { readonly changes: readonly BranchChange[] }> {
  const { git, signal } = reach;
  const whole = scopeOf({ ...git.repository, prefix: "" }, []);
  const theirs = new TheirIndex(git, whole);
  const isFree = await waitForIndexLock(git).then(
    () => true,
    () => false,
  );
  if (!isFree) return refused(reach, "busy", "another git command holds index.lock");
  await theirs.copyTo(git.index);
  const head = (await git.head()) ?? (await git.run(["mktree"], { input: "" })).trim();
  const dirty = await dirtyPaths(git, head);
  if (dirty.length > 0) {
    // A run that was killed between the files and HEAD.
    if ((await dirtyPaths(git, tip)).length === 0) return { changes: [] };
    return refused(reach, "dirty", `${printableList(dirty)} ${have(dirty)} changes that are not committed`);
  }
  const changes = await changesBetween(reach, head, tip);
  const submodules = await populatedSubmodules(git, changes);
  if (submodules.length > 0) {
    const why = `${printableList(submodules)} would have to be at another commit, and submodules are left alone`;
    return refused(reach, "in_the_way", why);
  }
  const names = await inTheWay(git, changes);
  if (names.length > 0) return refused(reach, "in_the_way", `${printableList(names)} would be written over`);
  await fetchFilesOf(reach, changes);
  const bring = ["-m", "-u", head, tip];
  const careful = ["-c", "core.protectNTFS=true", "-c", "core.protectHFS=true", ...(await sparseArguments(reach))];
  const tried = await git.try([...careful, "read-tree", "-n", ...bring]);
  if (tried.exitCode !== 0) return refused(reach, "failed", oneLine(tried.stderr).slice(0, 300));
  signal.throwIfAborted();
  await git.try(["-c", "core.untrackedCache=keep", "update-index", "-q", "--refresh"], { index: theirs.file });
  const done = await git.try([...careful, "-c", "core.untrackedCache=keep", "read-tree", ...bring], {
    index: theirs.file,
  });
  if (done.exitCode === 0) return { changes };
  const why = `The branch ${reach.branch} was not checked out completely: ${oneLine(done.stderr).slice(0, 300)}.`;
  return {
    taken: false,
    because: "failed",
    why: `${why} HEAD is where it was; \`git reset --hard\` brings its files back.`,
  };
}

/** What of the files is not here yet, because the clone is a partial one. */
async function fetchFilesOf({ git, remote, signal }: Reach, changes: readonly BranchChange[]): Promise<void> {
  const blobs = [...new Set(changes.filter(({ after }) => after.isFile).map(({ after }) => after.object))];
  if (blobs.length === 0) return;
  const input = blobs.map((blob) => `${blob}\n`).join("");
  const listed = await git.run(["cat-file", "--batch-check=%(objecttype)"], { input });
  const missing = listed.split("\n").filter((line) => line.endsWith(" missing"));
  if (missing.length === 0) return;
  const fetched = await remote.fetchMissing(
    missing.map((line) => line.split(" ")[0] ?? ""),
    signal,
  );
  if (fetched.exitCode !== 0) throw new Error(`its files cannot be fetched: ${remoteRefusalOf(fetched).why}`);
}

/** A checkout that leaves files out goes on leaving them out. */
async function sparseArguments({ git }: Reach): Promise<readonly string[]> {
  const { gitDir, top } = git.repository;
  const patterns = path.join(gitDir, "info/sparse-checkout");
  if ((await stat(patterns).catch(() => undefined))?.isFile() !== true) return [];
  const env = { ...personalGitEnvironment(), GIT_DIR: gitDir };
  const asked = await startGit(["config", "--type=bool", "--get", "core.sparseCheckout"], { cwd: top, env });
  if (asked.stdout.trim() !== "true") return [];
  await mkdir(path.join(git.folder, "info"), { recursive: true });
  await copyFile(patterns, path.join(git.folder, "info/sparse-checkout"));
  return ["-c", "core.sparseCheckout=true"];
}

/** Filters are not run: files behind one are as git stores them. */
async function noticesOf({ git }: Reach, changes: readonly BranchChange[]): Promise<readonly string[]> {
  const written = changes.filter(({ after }) => after.isFile).map((change) => change.path);
  const filtered = [...(await filteredAmong(git, written))];
  if (filtered.length === 0) return [];
  return [
    `${printableList(filtered)} ${filtered.length === 1 ? "belongs" : "belong"} to a git filter such as LFS, which is never run here: the work tree has what git stores for it.`,
  ];
}

function refused({ branch }: Reach, because: Refused["because"], why: string): Refused {
  return { taken: false, because, why: `The branch ${branch} cannot be checked out: ${why}. Nothing was changed.` };
}

function have(paths: readonly string[]): string {
  return paths.length === 1 ? "has" : "have";
}
