import { open, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import type { GitResult } from "./git.ts";
import type { Reach } from "./work-branch-reach.ts";

/**
 * Fetches into the person's repository, as deep as it is itself, so that their git and the agent's can read the history.
 *
 * @param what a commit's id, or a refspec
 * @param depth how many commits into a shallow checkout; as many as it has without it
 */
export async function fetchHere(reach: Reach, what: string, depth?: number): Promise<GitResult> {
  const { git, remote, signal } = reach;
  const shallow = await linesOf(path.join(git.repository.commonDir, "shallow"));
  if (shallow.length === 0) return remote.fetch(what, null, signal);
  const fetched = await remote.fetch(what, depth ?? (await depthOfCheckout(reach)), signal);
  if (fetched.exitCode === 0) await noteShallow(reach, shallow);
  return fetched;
}

async function depthOfCheckout({ git, remote, signal }: Reach): Promise<number> {
  const head = await git.head();
  if (head === null) return 1;
  const counted = await remote.try(["rev-list", "--count", "--first-parent", head], { signal });
  return Math.max(1, Number.parseInt(counted.stdout, 10) || 1);
}

/**
 * Tells the person's repository of fetched commits whose parents are not here. What it has is never cut off: the remote
 * also names commits whose parents it did not send because of the depth, though they are here.
 */
async function noteShallow(reach: Reach, before: readonly string[]): Promise<void> {
  const { git, remote, signal } = reach;
  const known = new Set(before);
  const named = (await linesOf(path.join(remote.place.folder, "shallow"))).filter((commit) => !known.has(commit));
  const cut: string[] = [];
  for (const commit of named) {
    const { stdout } = await remote.try(["cat-file", "commit", commit], { signal });
    const header = stdout.slice(0, stdout.indexOf("\n\n"));
    const parents = [...header.matchAll(/^parent ([0-9a-f]+)$/gmu)].map(([, parent = ""]) => parent);
    const here = await Promise.all(
      parents.map(async (parent) => (await remote.try(["cat-file", "-e", parent], { signal })).exitCode === 0),
    );
    if (here.includes(false)) cut.push(commit);
  }
  if (cut.length > 0) await replaceShallow(git.repository.commonDir, [...before, ...cut]);
  await remote.agreeOnShallow();
}

/** The way git does it: whoever holds the lock may write. */
async function replaceShallow(commonDir: string, commits: readonly string[]): Promise<void> {
  const lock = path.join(commonDir, "shallow.lock");
  const handle = await open(lock, "wx");
  try {
    await handle.writeFile(commits.map((commit) => `${commit}\n`).join(""));
    await handle.close();
    await rename(lock, path.join(commonDir, "shallow"));
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(lock, { force: true });
    throw error;
  }
}

async function linesOf(file: string): Promise<readonly string[]> {
  const text = await readFile(file, "utf8").catch(() => "");
  return text.split("\n").filter((line) => /^[0-9a-f]{40,64}$/u.test(line));
}
