import { nulFields } from "./git.ts";
import type { PrivateGit } from "./private-git.ts";
import type { Scope } from "./scope.ts";

/** A file as git holds it; what is not there has a mode of zeros. */
export interface Side {
  readonly mode: string;
  readonly object: string;
}

/** Where a commit and our index differ. `path` is a byte string, relative to the top. */
export interface Difference {
  readonly path: string;
  readonly committed: Side;
  readonly indexed: Side;
}

/** What differs between a commit or tree `base` and our index, within the scope. */
export async function differencesFrom(git: PrivateGit, base: string, scope: Scope): Promise<readonly Difference[]> {
  const args = ["diff-index", "--cached", "--raw", "-r", "-z", "--no-renames", base, "--", ...scope.included];
  return differencesIn(await git.run(args, { index: git.index }));
}

/** Reads what `--raw -z` says, a byte string; what other formats say behind it is left out. */
export function differencesIn(bytes: string): readonly Difference[] {
  const fields = nulFields(bytes);
  const differences: Difference[] = [];
  for (let i = 0; fields[i]?.startsWith(":") === true; i += 2) {
    const [path = "", raw = ""] = [fields[i + 1], fields[i]];
    const [oldMode = "", newMode = "", oldObject = "", newObject = ""] = raw.slice(1).split(" ");
    const committed = { mode: oldMode, object: oldObject };
    differences.push({ path, committed, indexed: { mode: newMode, object: newObject } });
  }
  return differences;
}

export function isAbsent(side: Side): boolean {
  return /^0+$/u.test(side.mode);
}

export function isSubmodule(side: Side): boolean {
  return side.mode === "160000";
}

/** What `git update-index --index-info` reads; what is absent is removed. */
export function indexLine(path: string, side: Side): string {
  return `${side.mode} ${side.object}\t${path}`;
}
