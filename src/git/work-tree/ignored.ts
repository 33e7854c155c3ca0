import { appendFile, mkdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { unlessMissing } from "../../os/file-errors.ts";
import { type FileChange, isAbsent, nulFields, nulTerminated } from "../diff.ts";
import type { PrivateGit } from "../private-git.ts";

/** An index of our own, which begins as a commit or tree; null: empty. @returns its file */
export async function indexOf(git: PrivateGit, tree: string | null, name = "commit-index"): Promise<string> {
  const index = path.join(git.folder, name);
  // Left by a run that was killed; nothing else uses this index.
  await rm(`${index}.lock`, { force: true });
  await git.run(["read-tree", tree ?? "--empty"], { index });
  return index;
}

/**
 * What the rules of a commit ignore, and it does not hold, is none of the work that is built on it, whatever that has
 * made of the rules or added by force: a person's `.env` stays where it is, and gets into no commit. Nor is what an earlier
 * commit has left out, even if the rules that came with it do not ignore it any more.
 *
 * @param base the commit, or the empty tree
 */
export async function withoutIgnored<T extends FileChange>(
  git: PrivateGit,
  base: string,
  changes: readonly T[],
): Promise<readonly T[]> {
  const added = changes.filter(({ before }) => isAbsent(before)).map((change) => change.path);
  if (added.length === 0) return changes;
  const index = await indexOf(git, base, "rules-index");
  const rules = await git.run(["ls-files", "-z", "--", ":(glob)**/.gitignore"], { index });
  // Git reads these from the index where the work tree does not have them: this one has nothing.
  await git.run(["update-index", "--skip-worktree", "-z", "--stdin"], { index, input: rules });
  const nowhere = path.join(git.folder, "nowhere");
  await mkdir(nowhere, { recursive: true });
  const args = ["check-ignore", "-z", "--stdin"];
  const asked = await git.try(args, { index, input: nulTerminated(added), env: { GIT_WORK_TREE: nowhere } });
  const ignored = new Set(asked.exitCode === 1 ? [] : nulFields(git.succeeded(args, asked)));
  for (const name of nulFields((await unlessMissing(readFile(leftOut(git), "latin1"))) ?? "")) ignored.add(name);
  return changes.filter((change) => !ignored.has(change.path));
}

/** Paths that a commit does not take in, so that the next does not either. */
export async function rememberLeftOut(git: PrivateGit, paths: readonly string[]): Promise<void> {
  if (paths.length > 0) await appendFile(leftOut(git), nulTerminated(paths), "latin1");
}

function leftOut({ folder }: PrivateGit): string {
  return path.join(folder, "left-out");
}
