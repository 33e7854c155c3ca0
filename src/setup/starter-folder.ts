import { lstat, mkdir, realpath, rm, rmdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { messageOf, OperationalError, type Problem, UsageError } from "../core/errors.ts";
import { hasCode, unlessMissing } from "../os/file-errors.ts";
import type { StarterFile } from "./starter-file.ts";
import { initRepository, isGitRepository } from "../git/repository.ts";

const LONGEST_NAME = 100;
const NAME = /^[\p{L}\p{N}_][\p{L}\p{M}\p{N}._-]*$/u;
/** What Windows keeps for devices; a repository is cloned everywhere. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?$/iu;

/** A folder that files for a person are going to be written to. */
export interface StarterFolder {
  /** as the person named it: `.` or the name of a folder right here */
  readonly name: string;
  readonly path: string;
}

/**
 * The folder of that name in the current one; `.` is the current one.
 *
 * @throws UsageError when the name is a path, or one that not every system takes
 */
export function starterFolder(name: string, cwd: string): StarterFolder {
  const isName = NAME.test(name) && name.length <= LONGEST_NAME && !name.endsWith(".") && !RESERVED.test(name);
  if (name === "." || isName) return { name, path: path.resolve(cwd, name) };
  throw new UsageError([
    {
      code: "NAME_INVALID",
      what: `${JSON.stringify(name)} is no name for a folder.`,
      next: "Use letters, digits, dots, - and _, beginning with a letter or a digit; or . for the current folder. To make it elsewhere, change to that place first.",
    },
  ]);
}

/** What was made, besides the files. */
export interface Made {
  /** whether the folder became a git repository, because it lay in none */
  readonly repository: boolean;
}

/**
 * Writes files to a folder, which is made when it is missing, and makes it a git repository when it lies in none.
 * All of it or nothing: what was written is removed again when the rest cannot be written.
 *
 * @throws UsageError when any of the files is there already, with the names of all; nothing is written then
 * @throws OperationalError `FOLDER_UNWRITABLE`, or `GIT_FAILED` when git makes no repository
 */
export async function writeStarterFiles(folder: StarterFolder, files: readonly StarterFile[]): Promise<Made> {
  await refuseWhatIsThere(folder, files);
  const undo: (() => Promise<void>)[] = [];
  try {
    await makeFolder(folder.path, undo);
    const repository = !(await isGitRepository(folder.path));
    for (const { path: name, text } of files) {
      const file = path.join(folder.path, name);
      await makeFolder(path.dirname(file), undo);
      await writeFile(file, text, { flag: "wx" });
      undo.unshift(async () => rm(file));
    }
    if (repository) await makeRepository(folder.path);
    return { repository };
  } catch (cause) {
    for (const step of undo) await step().catch(() => undefined);
    if (cause instanceof OperationalError) throw cause;
    const what = `${folder.path} could not be written: ${messageOf(cause)}. What was written to it is removed again.`;
    const next = "Make room, or correct who may write there; then give the command again.";
    throw new OperationalError({ code: "FOLDER_UNWRITABLE", what, next }, { cause });
  }
}

async function refuseWhatIsThere(folder: StarterFolder, files: readonly StarterFile[]): Promise<void> {
  const problems: Problem[] = [];
  const own = await unlessMissing(lstat(folder.path));
  if (own !== undefined && folder.name !== "." && !own.isDirectory()) problems.push(inTheWay(folder.name, "no folder"));
  const below = new Set(files.map((file) => path.posix.dirname(file.path)).filter((name) => name !== "."));
  for (const name of problems.length > 0 ? [] : below) {
    const there = await unlessMissing(lstat(path.join(folder.path, name)));
    if (there !== undefined && !there.isDirectory()) problems.push(inTheWay(name, "no folder"));
  }
  for (const file of problems.length > 0 ? [] : files)
    if ((await unlessMissing(lstat(path.join(folder.path, file.path)))) !== undefined)
      problems.push(inTheWay(path.posix.join(folder.name, file.path), "there already, and nothing is overwritten"));
  if (problems.length > 0) throw new UsageError(problems);
}

function inTheWay(name: string, why: string): Problem {
  return { code: "IN_THE_WAY", what: `${name} is ${why}.`, next: `Move ${name} away, or choose another name.` };
}

async function makeFolder(folder: string, undo: (() => Promise<void>)[]): Promise<void> {
  try {
    await mkdir(folder);
    undo.unshift(async () => rmdir(folder));
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  }
}

async function makeRepository(folder: string): Promise<void> {
  const { exitCode, stderr } = await initRepository(folder);
  if (exitCode === 0) return;
  throw new OperationalError({
    code: "GIT_FAILED",
    what: `git made no repository in ${await realpath(folder)}: ${stderr.trim()}. The files are removed again.`,
    next: "Correct what git says, or run git init there yourself; then give the command again.",
  });
}
