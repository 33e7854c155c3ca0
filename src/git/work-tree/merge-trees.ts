import { done, failed, type Result, type Trouble } from "../../core/result.ts";
import { nulFields } from "../diff.ts";
import type { Git } from "../git.ts";
import { said } from "./apply-tree.ts";

/** Why two trees could not be merged; `because` is part of a sentence. */
interface NotMerged extends Trouble {
  /** what both have changed, byte strings; none: this git cannot merge at all */
  readonly paths: readonly string[];
}

/** Three trees, or commits. */
interface Sides {
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}

/**
 * Merges what `theirs` has changed since `base` into `ours`: no file is touched, and no driver of the repository runs.
 *
 * @returns the merged tree
 */
export async function mergeTrees(git: Git, { base, ours, theirs }: Sides): Promise<Result<string, NotMerged>> {
  const commit = async (of: string, parent?: string) => {
    const args = ["commit-tree", `${of}^{tree}`, "-m", "merge", ...(parent === undefined ? [] : ["-p", parent])];
    return (await git.run(args)).trim();
  };
  const from = await commit(base);
  const how = ["-c", "merge.directoryRenames=false", "merge-tree", "--write-tree", "--name-only", "-z"];
  const { exitCode, stdout, stderr } = await git.try([...how, await commit(ours, from), await commit(theirs, from)]);
  const [merged = "", ...paths] = nulFields(stdout);
  if (exitCode === 0) return done(merged);
  if (exitCode !== 1) return failed({ because: `this git cannot merge them: ${said(stderr)}`, paths: [] });
  const both = [...new Set(paths.slice(0, paths.indexOf("")))];
  return failed({ because: "both have changed the same", paths: both });
}
