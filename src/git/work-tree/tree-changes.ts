import { nulFields } from "../git.ts";
import type { OwnRepository } from "./own-repository.ts";

/** A file as a tree holds it; what is not there has a mode of zeros. */
export interface Side {
  readonly mode: string;
  readonly object: string;
}

/** Where two trees differ. `path` is a byte string, relative to the trees. */
export interface TreeChange {
  readonly path: string;
  readonly before: Side;
  readonly after: Side;
}

/** Every file that differs between two trees. */
export async function changesBetween(
  git: OwnRepository,
  before: string,
  after: string,
  signal: AbortSignal,
): Promise<readonly TreeChange[]> {
  if (before === after) return [];
  const args = ["diff-tree", "-r", "--raw", "-z", "--no-renames", "--no-abbrev", before, after];
  const fields = nulFields(await git.run(args, { signal }));
  const changes: TreeChange[] = [];
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const [raw = "", path = ""] = [fields[i], fields[i + 1]];
    const [oldMode = "", newMode = "", oldObject = "", newObject = ""] = raw.slice(1).split(" ");
    changes.push({ path, before: { mode: oldMode, object: oldObject }, after: { mode: newMode, object: newObject } });
  }
  return changes;
}

/** Whether a tree has no file there. */
export function isAbsent(side: Side): boolean {
  return /^0+$/u.test(side.mode);
}

/** Whether a tree has the commit of another repository there. */
export function isSubmodule(side: Side): boolean {
  return side.mode === "160000";
}

/** A line that `git update-index --index-info` reads; what is absent is removed. */
export function indexLine(path: string, { mode, object }: Side): string {
  return `${mode} ${object}\t${path}`;
}
