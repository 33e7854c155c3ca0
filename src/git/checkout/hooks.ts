import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import path from "node:path";
import type { Workspace } from "../../core/ports.ts";
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

/**
 * Tells which commit hooks the loop's commits do not run: those that are there when a run begins, and later each that has
 * come since, before a commit. A hook that a turn has written would be run by the person's own git.
 */
export function tellsHooks(
  find: (() => Promise<readonly string[]>) | undefined,
  notice: (text: string) => void,
): () => Promise<void> {
  const told = new Set<string>();
  let isLater = false;
  return async () => {
    const hooks = (await find?.()) ?? [];
    const others = hooks.filter((hook) => !told.has(hook));
    for (const hook of others) told.add(hook);
    const named = others.join(", ");
    if (others.length > 0 && isLater) {
      notice(
        `commit hooks were put into this repository while the run went on: ${named}. The loop does not run them, and your own git commit does: look at them first, and remove what is not yours`,
      );
    } else if (others.length > 0) {
      notice(`commit hooks of this repository are not run: ${named}. What they check, a quality command can check`);
    }
    isLater = true;
  };
}

/** A workspace that tells before each commit. */
export function tellingHooks(workspace: Workspace, tell: () => Promise<void>): Workspace {
  return {
    ...workspace,
    async commit(request) {
      await tell();
      return workspace.commit(request);
    },
  };
}
