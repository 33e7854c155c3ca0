import { rm } from "node:fs/promises";
import { indexLine, isAbsent, nulTerminated, type Side } from "../diff.ts";
import type { Git } from "../git.ts";
import { said } from "./apply-tree.ts";

/**
 * Writes a tree with nothing but these paths, byte strings relative to the top; `index`, a file of our own, then holds
 * the same. What is absent is left out.
 *
 * @throws Error for a name that git never writes, such as `.git`
 */
export async function partialTree(
  git: Git,
  index: string,
  files: readonly (readonly [name: string, side: Side])[],
): Promise<string> {
  const present = files.filter(([, side]) => !isAbsent(side));
  const input = nulTerminated(present.map(([name, side]) => indexLine(name, side)));
  // A lock is left by a run that was killed.
  await Promise.all([index, `${index}.lock`].map((file) => rm(file, { force: true })));
  await git.run(["read-tree", "--empty"], { index });
  const added = await git.try(["update-index", "--add", "-z", "--index-info"], { index, input });
  // Git skips such names, and only warns.
  if (added.exitCode !== 0 || added.stderr !== "")
    throw new Error(`git does not take all of it: ${said(added.stderr)}`);
  return (await git.run(["write-tree", "--missing-ok"], { index })).trim();
}
