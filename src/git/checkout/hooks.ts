import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import path from "node:path";
import { exists } from "../../os/file-errors.ts";
import { decoded, nulFields } from "../diff.ts";
import { personalGitEnvironment, startGit } from "../git.ts";
import type { Repository } from "../repository.ts";

/** What git runs around a commit. */
const COMMIT_HOOKS = ["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"];

/**
 * The hooks that a person's own `git commit` would run here, and ours never does (T12): their files, seen from the work
 * tree's top where they are below it. Only looks.
 */
export async function commitHooksOf(repository: Repository): Promise<readonly string[]> {
  const { top, commonDir } = repository;
  const folder = (await configuredFolder(repository)) ?? path.join(commonDir, "hooks");
  const found: string[] = [];
  for (const name of COMMIT_HOOKS) {
    const file = path.join(folder, name);
    if (!(await isProgram(file))) continue;
    // Husky puts a starter for every hook there is into `_`; the scripts beside that folder are the person's.
    const script = path.basename(folder) === "_" ? path.join(path.dirname(folder), name) : file;
    if (script === file || (await exists(script))) found.push(script);
  }
  return found.map((file) => (file.startsWith(`${top}/`) ? path.relative(top, file) : file));
}

/** `core.hooksPath` as the person has set it, absolute. */
async function configuredFolder({ top, gitDir }: Repository): Promise<string | undefined> {
  const env = { ...personalGitEnvironment(), GIT_DIR: gitDir };
  const args = ["config", "--null", "--show-scope", "--type=path", "--get-all", "core.hooksPath"];
  const fields = nulFields((await startGit(args, { cwd: top, env })).stdout);
  // With ours, which outranks theirs, comes the scope `command`.
  const theirs = fields.findLast((_field, i) => i % 2 === 1 && fields[i - 1] !== "command");
  return theirs === undefined || theirs === "" ? undefined : path.resolve(top, decoded(theirs));
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
