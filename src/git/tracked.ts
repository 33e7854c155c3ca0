import { hardenedGitEnvironment, nulFields } from "./git.ts";
import { findRepository } from "./repository.ts";
import { startGit } from "./start-git.ts";

/**
 * Which of these files somebody has put under git's control. None outside of git.
 *
 * @param names below `root`, relative to it, with `/` between their parts
 */
export async function trackedAmong(root: string, names: readonly string[]): Promise<readonly string[]> {
  const repository = await findRepository(root);
  if (repository === undefined) return [];
  const env = { ...hardenedGitEnvironment(), GIT_DIR: repository.gitDir, GIT_WORK_TREE: repository.top };
  const asked = names.map((name) => `${repository.prefix}${name}`);
  const { stdout } = await startGit(["--literal-pathspecs", "ls-files", "-z", "--", ...asked], {
    cwd: repository.top,
    env,
  });
  const listed = new Set(nulFields(Buffer.from(stdout, "latin1").toString("utf8")));
  return names.filter((name) => listed.has(`${repository.prefix}${name}`));
}
