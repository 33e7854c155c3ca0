import path from "node:path";
import { messageOf, OperationalError } from "../core/errors.ts";
import { unlessMissing } from "../os/file-errors.ts";
import { inOwnFolder, openToAppend, readOwnFile } from "../os/own-file.ts";
import { decoded, nulFields } from "./diff.ts";
import { hardenedGitEnvironment, startGit } from "./git.ts";
import { findRepository } from "./repository.ts";

/**
 * Adds paths to the repository's `info/exclude`, so that `git status` does not show them. Idempotent; does nothing
 * outside git.
 *
 * @param paths files and folders below `root`, relative to it, with `/` between their parts
 * @throws OperationalError `EXCLUDE_UNWRITABLE`
 */
export async function excludeFromGitStatus(root: string, paths: readonly string[]): Promise<void> {
  const repository = await findRepository(root);
  if (repository === undefined) return;
  const folder = { root: repository.commonDir, path: path.join(repository.commonDir, "info") };
  const file = path.join(folder.path, "exclude");
  const patterns = paths.map((name) => patternFor(repository.prefix + name));
  try {
    // An earlier turn can have put a link there (T14).
    await inOwnFolder(folder, (at) => addLines(path.join(at, "exclude"), patterns));
  } catch (cause) {
    const what = `The loop's files cannot be hidden from git status: ${file} cannot be read and written (${messageOf(cause)}). No turn was taken.`;
    const next = "Make it a file that this user can read and write, then give the command again.";
    throw new OperationalError({ code: "EXCLUDE_UNWRITABLE", what, next }, { cause });
  }
}

const EXCLUDE_BYTES = 4 << 20;

async function addLines(file: string, lines: readonly string[]): Promise<void> {
  // A file that cannot be read must not be written either.
  const text = (await unlessMissing(readOwnFile(file, EXCLUDE_BYTES))) ?? "";
  const present = new Set(text.split("\n"));
  const missing = lines.filter((line) => !present.has(line));
  if (missing.length === 0) return;
  const separator = text === "" || text.endsWith("\n") ? "" : "\n";
  const handle = await openToAppend(file);
  try {
    await handle.appendFile(`${separator}${missing.join("\n")}\n`);
  } finally {
    await handle.close();
  }
}

/**
 * The ignore pattern, anchored at the top, that matches only this path. A pattern cannot contain a line break: `?`
 * replaces it, so that the rest of the path does not become a pattern of its own.
 */
function patternFor(name: string): string {
  const escaped = name.replaceAll(/[\\*?[\]!#]| $/gu, String.raw`\$&`).replaceAll(/[\r\n]/gu, "?");
  return `/${escaped}`;
}

/**
 * Which of these files somebody has put under git's control. None outside of git.
 *
 * @param names below `root`, relative to it, with `/` between their parts
 */
export async function trackedAmong(root: string, names: readonly string[]): Promise<readonly string[]> {
  const repository = await findRepository(root);
  if (repository === undefined) return [];
  const { top, gitDir, prefix } = repository;
  const env = { ...hardenedGitEnvironment(), GIT_DIR: gitDir, GIT_WORK_TREE: top };
  const args = ["--literal-pathspecs", "ls-files", "-z", "--", ...names.map((name) => `${prefix}${name}`)];
  const listed = new Set(nulFields(decoded((await startGit(args, { cwd: top, env })).stdout)));
  return names.filter((name) => listed.has(`${prefix}${name}`));
}
