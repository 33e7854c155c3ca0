import { OperationalError } from "../core/errors.ts";
import { type GitOptions, type GitResult, runGit } from "./git.ts";

/**
 * Runs git and waits for its end, whatever that is.
 *
 * @throws OperationalError `GIT_NOT_STARTED` when there is no git to start
 */
export async function startGit(args: readonly string[], options: GitOptions): Promise<GitResult> {
  try {
    return await runGit(args, options);
  } catch (cause) {
    throw new OperationalError(
      {
        code: "GIT_NOT_STARTED",
        what: `git could not be started in ${options.cwd}: ${String(cause)}`,
        next: "Install git and make sure that it is on the PATH, then give the command again.",
      },
      { cause },
    );
  }
}
