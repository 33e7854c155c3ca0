import { readdir } from "node:fs/promises";
import path from "node:path";
import type { RemoteGit } from "./remote-git.ts";
import type { PrivateGit } from "./private-git.ts";

/** What an operation on the work branch is done with. */
export interface Reach {
  /** a git directory of our own over the person's work tree */
  readonly git: PrivateGit;
  readonly remote: RemoteGit;
  readonly branch: string;
  /** the branch's full name */
  readonly ref: string;
  readonly signal: AbortSignal;
}

/** Prepares both git directories for what is checked out now. */
export async function reachOut(reach: Reach): Promise<Reach> {
  const { git, remote, signal } = reach;
  await git.prepare();
  const { commonDir } = git.repository;
  const folder = path.join(commonDir, "objects");
  const [head, isPartial] = await Promise.all([git.head(), isPartialClone(folder)]);
  await remote.prepare({ folder, shallowFile: path.join(commonDir, "shallow"), isPartial, head }, signal);
  return reach;
}

/** Whether git may leave objects out: packs that promise them say so, whatever the configuration says. */
async function isPartialClone(objects: string): Promise<boolean> {
  const packs = await readdir(path.join(objects, "pack")).catch(() => []);
  return packs.some((name) => name.endsWith(".promisor"));
}

/** Whether `later` holds the history of `earlier`; not, when that cannot be seen here. */
export async function isAncestor({ remote, signal }: Reach, earlier: string, later: string): Promise<boolean> {
  return (await remote.try(["merge-base", "--is-ancestor", earlier, later], { signal })).exitCode === 0;
}

const OBJECT_ID = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/u;

/** An id that came from elsewhere, before git sees it. @throws Error when it is something else */
export function checkedCommit(id: string): string {
  if (OBJECT_ID.test(id)) return id;
  throw new Error(`${JSON.stringify(id.slice(0, 80))} is not the id of a commit`);
}
