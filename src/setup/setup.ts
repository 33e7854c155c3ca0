import path from "node:path";
import { lstat, mkdir, realpath, rm, rmdir, writeFile } from "node:fs/promises";
import type { Command, Invocation } from "../app/command.ts";
import { note, printJson, printLines, type Shell } from "../app/shell.ts";
import { messageOf, OperationalError, type Problem, UsageError } from "../core/errors.ts";
import { initRepository, isGitRepository } from "../git/repository.ts";
import { hasCode, unlessMissing } from "../os/file-errors.ts";
import { line, plainText } from "../views/plain-text.ts";
import { SETUP_FILES, type SetupFile } from "./control-files.ts";

/**
 * `smithers setup <name>`: a folder with Ralph's control files to fill in and the settings that use them, in a git
 * repository. Overwrites nothing.
 */
export const setup: Command = async (invocation, shell) => {
  const folder = setupFolder(invocation.operand, shell.cwd);
  const madeRepository = await writeSetupFiles(folder, SETUP_FILES);
  const fill = "say in PROMPT.md what is wanted, and in @fix_plan.md what has to be done";
  tellStarted({ folder, files: SETUP_FILES, madeRepository, fill, notices: [], facts: {} }, invocation, shell);
  return 0;
};

const LONGEST_NAME = 100;
const NAME = /^[\p{L}\p{N}_][\p{L}\p{M}\p{N}._-]*$/u;
/** What Windows keeps for devices; a repository is cloned everywhere. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?$/iu;

/** A folder to which files for a person are written. */
export interface SetupFolder {
  /** as the person named it: `.` or the name of a folder right here */
  readonly name: string;
  readonly path: string;
}

/**
 * The folder of that name in the current one; `.` is the current one.
 *
 * @throws UsageError when the name is a path, or one that not every system takes
 */
export function setupFolder(name: string, cwd: string): SetupFolder {
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

/**
 * Writes files to a folder, makes the folder if it is missing, and a git repository if it is in none. All of it
 * or nothing: removes again what was written when the rest cannot be.
 *
 * @returns whether it became a git repository
 * @throws UsageError when any of the files exists already, with the names of all; nothing is written then
 * @throws OperationalError `FOLDER_UNWRITABLE`, or `GIT_FAILED` when git makes no repository
 */
export async function writeSetupFiles(folder: SetupFolder, files: readonly SetupFile[]): Promise<boolean> {
  await refuseWhatIsThere(folder, files);
  const undo: (() => Promise<void>)[] = [];
  try {
    await makeFolder(folder.path, undo);
    const liesInNone = !(await isGitRepository(folder.path));
    for (const { path: name, text } of files) {
      const file = path.join(folder.path, name);
      await makeFolder(path.dirname(file), undo);
      await writeFile(file, text, { flag: "wx" });
      undo.unshift(async () => rm(file));
    }
    if (liesInNone) await makeRepository(folder.path);
    return liesInNone;
  } catch (cause) {
    for (const step of undo) await step().catch(() => undefined);
    if (cause instanceof OperationalError) throw cause;
    const what = `${folder.path} could not be written: ${messageOf(cause)}. What was written to it is removed again.`;
    const next = "Make room, or correct who may write there; then give the command again.";
    throw new OperationalError({ code: "FOLDER_UNWRITABLE", what, next }, { cause });
  }
}

async function refuseWhatIsThere({ name, path: root }: SetupFolder, files: readonly SetupFile[]): Promise<void> {
  const found = (below: string) => unlessMissing(lstat(path.join(root, below)));
  const isNoFolder = async (below: string) => (await found(below))?.isDirectory() === false;
  const problems: Problem[] = [];
  if (name !== "." && (await isNoFolder("."))) problems.push(inTheWay(name, "no folder"));
  const below = new Set(files.map((file) => path.posix.dirname(file.path)).filter((folder) => folder !== "."));
  for (const folder of problems.length > 0 ? [] : below)
    if (await isNoFolder(folder)) problems.push(inTheWay(folder, "no folder"));
  for (const file of problems.length > 0 ? [] : files)
    if ((await found(file.path)) !== undefined)
      problems.push(inTheWay(path.posix.join(name, file.path), "there already, and nothing is overwritten"));
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

/** A folder that a loop can begin in. */
interface Started {
  readonly folder: SetupFolder;
  readonly files: readonly SetupFile[];
  /** whether it became a git repository */
  readonly madeRepository: boolean;
  /** what the person has to do with the files, as part of a sentence */
  readonly fill: string;
  readonly notices: readonly string[];
  /** what else the JSON result tells */
  readonly facts: Readonly<Record<string, unknown>>;
}

/** Tells what was made and what to do next. */
export function tellStarted(
  { folder, files, madeRepository, fill, notices, facts }: Started,
  invocation: Invocation,
  shell: Shell,
): void {
  for (const notice of notices) note(shell, plainText(notice));
  const next = [
    ...(folder.name === "." ? [] : [`cd ${folder.name}`]),
    fill,
    `${shell.program} run --full-auto --dry-run   shows the first prompt`,
    `${shell.program} run --full-auto             begins`,
  ];
  if (invocation.json)
    return printJson(shell, {
      ...{ schema: 1, folder: folder.path, files: files.map((file) => file.path), repository_made: madeRepository },
      ...{ ...facts, notices, next: next.map((step) => step.replace(/\s{2,}.*$/u, "")) },
    });
  const width = Math.max(...files.map((file) => file.path.length));
  const rows = files.map((file) => `  ${plainText(file.path).padEnd(width)}  ${file.about}`);
  const repository = madeRepository ? ["  a git repository, in which nothing is committed yet"] : [];
  const where = folder.name === "." ? "Here are now:" : `${folder.name} now holds:`;
  const told = [where, ...rows, ...repository, "", "Next:", ...next.map((step) => `  ${step}`)];
  printLines(
    shell,
    told.map((text) => line(text)),
  );
}
