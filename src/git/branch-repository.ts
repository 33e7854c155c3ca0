import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { done, failed, type Result } from "../core/result.ts";
import { isObjectId, lines } from "./git.ts";
import { locking } from "./locks/locks.ts";
import type { PrivateGit } from "./private-git.ts";
import { type FetchTrouble, RemoteGit, type RemoteGitPlace } from "./remote-git.ts";
import { commitOf } from "./true-trees.ts";

/** The repository as an operation on the publish branch sees it: here and on the network. */
export interface BranchRepository {
  /** a git directory of our own over the person's work tree */
  readonly git: PrivateGit;
  readonly remote: RemoteGit;
  readonly branch: string;
  /** the branch's full name */
  readonly ref: string;
}

/** Prepares both git directories for what is checked out now. @param signal ends what is done on the network */
export async function openRepository(
  git: PrivateGit,
  place: RemoteGitPlace,
  branch: string,
  signal: AbortSignal,
): Promise<BranchRepository> {
  await git.prepare();
  const { commonDir } = git.repository;
  const folder = path.join(commonDir, "objects");
  const [head, isPartial] = await Promise.all([git.head(), isPartialClone(folder)]);
  const remote = new RemoteGit(place, signal);
  await remote.prepare({ folder, shallowFile: path.join(commonDir, "shallow"), isPartial, head });
  return { git, remote, branch, ref: `refs/heads/${branch}` };
}

/** Whether git may leave objects out: packs that promise them say so, the configuration is not asked. */
async function isPartialClone(objects: string): Promise<boolean> {
  const packs = await readdir(path.join(objects, "pack")).catch(() => []);
  return packs.some((name) => name.endsWith(".promisor"));
}

/**
 * Whether `later` holds the history of `earlier`, by commits that are what their ids say; not, when that cannot be seen
 * here.
 *
 * @throws OperationalError `GIT_OBJECT_FORGED`
 */
export async function isAncestor(
  { remote }: Pick<BranchRepository, "remote">,
  earlier: string,
  later: string,
): Promise<boolean> {
  if (earlier === later) return true;
  const listed = await remote.try(["rev-list", later, "--not", earlier]);
  const ids = listed.exitCode === 0 ? listed.stdout.split("\n").filter(isObjectId) : [];
  const commits = await remote.trueObjects(ids);
  const open = new Set([later]);
  for (const id of open) {
    const one = commits.get(id);
    for (const parent of one === undefined ? [] : commitOf(id, one).parents) open.add(parent);
    if (open.has(earlier)) return true;
  }
  return false;
}

/** Where the branch is on the remote; null: nowhere. */
export async function remoteTip({ remote, ref }: BranchRepository): Promise<Result<string | null>> {
  const listed = await remote.list("--heads", ref);
  return listed.ok ? done(listed.value.get(ref) ?? null) : failed({ because: listed.trouble.because });
}

/**
 * Fetches into the person's repository, as deep as it is itself, so that their git and the agent's can read the history.
 *
 * @param what a commit's id, or a refspec
 * @param depth how many commits into a shallow checkout; as many as it has without it
 */
export async function fetchHere(
  repository: BranchRepository,
  what: string,
  depth?: number,
): Promise<Result<undefined, FetchTrouble>> {
  const { git, remote } = repository;
  const shallow = await commitsIn(path.join(git.repository.commonDir, "shallow"));
  if (shallow.length === 0) return remote.fetch(what, null);
  const fetched = await remote.fetch(what, depth ?? (await depthOfCheckout(repository)));
  if (fetched.ok) await noteShallow(repository, shallow);
  return fetched;
}

async function depthOfCheckout({ git, remote }: BranchRepository): Promise<number> {
  const head = await git.head();
  if (head === null) return 1;
  const counted = await remote.try(["rev-list", "--count", "--first-parent", head]);
  return Math.max(1, Number.parseInt(counted.stdout, 10) || 1);
}

/**
 * Marks in the person's repository the fetched commits whose parents are not here. Never cuts off history that it has:
 * the remote also names commits whose parents are here, when the depth kept it from sending them.
 */
async function noteShallow({ git, remote }: BranchRepository, before: readonly string[]): Promise<void> {
  const known = new Set(before);
  const named = (await commitsIn(remote.file("shallow"))).filter((commit) => !known.has(commit));
  const cut: string[] = [];
  for (const commit of named) {
    const found = (await remote.trueObjects([commit])).get(commit);
    const parents = found === undefined ? [] : commitOf(commit, found).parents;
    const here = await Promise.all(parents.map((parent) => remote.has(parent)));
    if (here.includes(false)) cut.push(commit);
  }
  if (cut.length > 0) {
    const replace = () => replaceShallow(git.repository.commonDir, [...before, ...cut]);
    await locking(git.repository, ["shallow"], replace, "fetched");
  }
  await remote.agreeOnShallow();
}

/** The way git does it: the holder of the lock may write. */
async function replaceShallow(commonDir: string, commits: readonly string[]): Promise<void> {
  const lock = path.join(commonDir, "shallow.lock");
  await writeFile(lock, "", { flag: "wx" });
  try {
    await writeFile(lock, lines(commits));
    await rename(lock, path.join(commonDir, "shallow"));
  } catch (error) {
    await rm(lock, { force: true });
    throw error;
  }
}

async function commitsIn(file: string): Promise<readonly string[]> {
  const text = await readFile(file, "utf8").catch(() => "");
  return text.split("\n").filter(isObjectId);
}
