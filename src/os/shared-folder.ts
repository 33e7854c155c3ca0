import { constants } from "node:fs";
import { lstat, mkdir, open, rename, rm } from "node:fs/promises";
import path from "node:path";
import { hasCode } from "./file-errors.ts";

/**
 * Files in a folder where others write as well, who may have put a link there: none is followed, so that nothing is
 * written anywhere else.
 *
 * @returns the folder, absolute; it is made when it is missing
 * @throws Error when what is there is no folder of its own, else the file system's error
 */
export async function sharedFolder(root: string, name: string): Promise<string> {
  const folder = path.join(root, name);
  // The root itself is what the person has named.
  if (name === "") return folder;
  await mkdir(folder).catch((error: unknown) => {
    if (!hasCode(error, "EEXIST")) throw error;
  });
  if ((await lstat(folder)).isDirectory()) return folder;
  throw new Error(`${folder} is no folder of its own, and links are not followed`);
}

/** What a file is called until its new content is complete: the same each time, so that it can be told apart. */
export function unfinishedName(name: string): string {
  return `.${name.replace(/^\./u, "")}.smithers-tmp`;
}

/**
 * Replaces a file as a whole: readers see the old content or the new one. Neither is on the disk when the promise
 * resolves, for what can be written again need not be. One writer at a time.
 */
export async function replaceIn(folder: string, name: string, text: string): Promise<void> {
  const unfinished = path.join(folder, unfinishedName(name));
  // One that a killed run has left, or a link.
  await rm(unfinished, { force: true });
  const handle = await open(unfinished, "wx");
  try {
    await handle.writeFile(text);
  } finally {
    await handle.close();
  }
  try {
    await rename(unfinished, path.join(folder, name));
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** Neither follows a link nor waits for the reader of a pipe. */
const APPEND =
  constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Adds to the end of a file, which is made when it is missing. */
export async function appendIn(folder: string, name: string, text: string): Promise<void> {
  const handle = await open(path.join(folder, name), APPEND);
  try {
    const file = await handle.stat();
    if (!file.isFile() || file.nlink > 1) throw new Error(`${path.join(folder, name)} is no file of its own`);
    await handle.appendFile(text);
  } finally {
    await handle.close();
  }
}
