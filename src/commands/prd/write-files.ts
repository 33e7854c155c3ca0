import path from "node:path";
import { messageOf, OperationalError, UsageError } from "../../core/errors.ts";
import { excludeFromGitStatus } from "../../git/status.ts";
import { unlessMissing } from "../../os/file-errors.ts";
import { inOwnFolder, inOwnFolderIfThere, type OwnFolder, readOwnFile, replaceFile } from "../../os/own-file.ts";
import { prdFolder } from "../../prd/folder.ts";

/** A file of a PRD's folder, by its name there. */
export interface PrdFile {
  readonly name: string;
  readonly text: string;
}

/** What of a PRD's folder is nobody's to commit. */
const UNCOMMITTED = ["progress.md", "agent.log", "events.jsonl", "draft.json", "draft.md"];

const LONGEST = 8 << 20;

export function folderOf(root: string, name: string): OwnFolder {
  return { root, path: path.join(root, prdFolder(name)) };
}

/** A file of the PRD's folder; undefined: it is not there. @throws OperationalError `LINK_REFUSED` */
export async function readPrdFile(root: string, prd: string, name: string): Promise<string | undefined> {
  return inOwnFolderIfThere(folderOf(root, prd), (at) => unlessMissing(readOwnFile(path.join(at, name), LONGEST)));
}

/**
 * The names of those that are there and say something else.
 *
 * @throws OperationalError `LINK_REFUSED`
 */
export async function differing(root: string, prd: string, files: readonly PrdFile[]): Promise<readonly string[]> {
  const found = await Promise.all(files.map(({ name }) => readPrdFile(root, prd, name)));
  return files.flatMap(({ name, text }, index) => {
    const there = found[index];
    return there === undefined || there === text ? [] : [name];
  });
}

/**
 * @param untouched the files as they are to fill in: who has not begun with that has nothing to lose
 * @throws UsageError `IN_THE_WAY` when files of a PRD are there and say something else
 */
export async function refuseOverwriting(
  root: string,
  prd: string,
  files: readonly PrdFile[],
  untouched: readonly PrdFile[],
): Promise<void> {
  const touched = await differing(root, prd, untouched);
  const names = (await differing(root, prd, files)).filter((name) => touched.includes(name));
  if (names.length === 0) return;
  throw new UsageError(
    names.map((name) => ({
      code: "IN_THE_WAY",
      what: `${prdFolder(prd)}/${name} is there already, and nothing is overwritten.`,
      next: "Choose another name, edit it, or overwrite it with --force.",
    })),
  );
}

/**
 * Writes files to a PRD's folder, each as a whole, and makes the folder if it is missing; what a loop keeps there is
 * hidden from git.
 *
 * @throws OperationalError `PRD_UNWRITABLE`, `EXCLUDE_UNWRITABLE` or `LINK_REFUSED`
 */
export async function writePrdFiles(root: string, prd: string, files: readonly PrdFile[]): Promise<void> {
  await excludeFromGitStatus(
    root,
    UNCOMMITTED.map((name) => `${prdFolder(prd)}/${name}`),
  );
  try {
    await inOwnFolder(folderOf(root, prd), async (at) => {
      for (const { name, text } of files) await replaceFile(at, name, (handle) => handle.writeFile(text));
    });
  } catch (cause) {
    if (cause instanceof OperationalError) throw cause;
    throw new OperationalError(
      {
        code: "PRD_UNWRITABLE",
        what: `${prdFolder(prd)} could not be written: ${messageOf(cause)}. A file is there as it was, or complete.`,
        next: "Make room, or correct who may write there; then give the command again.",
      },
      { cause },
    );
  }
}
