import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { lstat, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { hasCode } from "./file-errors.ts";
import { openToAppend } from "./own-file.ts";

const TEMPORARY_SUFFIX = ".tmp";

/**
 * Replaces a file as a whole: readers see the old content or the new one, never a part, and the new one is on the disk
 * when the promise resolves. The folder has to exist. A symbolic link at `file` is replaced, not followed.
 *
 * @param first has to finish before the new content may replace the old; it is written in parallel
 * @throws the file system's own error, or that of `first`; the old content is unharmed then
 */
export async function writeFileDurably(
  file: string,
  data: string | Uint8Array,
  first?: Promise<unknown>,
): Promise<void> {
  const unique = `${process.pid}-${randomBytes(6).toString("hex")}`;
  const temporary = path.join(path.dirname(file), `${temporaryPrefix(file)}${unique}${TEMPORARY_SUFFIX}`);
  // It may fail before it is waited for.
  first?.catch(() => undefined);
  await replaceBy(temporary, file, data, { isDurable: true, first });
  await syncFolder(path.dirname(file));
}

/**
 * Adds to the end of a file, which is made when it is missing; on the disk when the promise resolves.
 *
 * @throws OperationalError `LINK_REFUSED` for a link and for a file with a second name; else the file system's error
 */
export async function appendDurably(file: string, data: string | Uint8Array): Promise<void> {
  const handle = await openToAppend(file);
  let isNew = false;
  try {
    isNew = (await handle.stat()).size === 0;
    await handle.appendFile(data);
    await handle.datasync();
  } finally {
    await handle.close();
  }
  if (isNew) await syncFolder(path.dirname(file));
}

/** Makes the names in a folder durable: files that were made, renamed or removed there. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Removes what a killed `writeFileDurably` left behind for `file`. Only its one writer may do this. */
export async function removeTemporaries(file: string): Promise<void> {
  const folder = path.dirname(file);
  const prefix = temporaryPrefix(file);
  for (const name of await readdir(folder)) {
    if (name.startsWith(prefix) && name.endsWith(TEMPORARY_SUFFIX)) await rm(path.join(folder, name), { force: true });
  }
}

/**
 * A folder where others write as well and may have put a link: none is followed, so that nothing is written elsewhere.
 *
 * @returns the folder, absolute; it is made when it is missing
 * @throws Error when it is not a folder of its own, else the file system's error
 */
export async function sharedFolder(root: string, name: string): Promise<string> {
  const folder = path.join(root, name);
  // The person named the root itself.
  if (name === "") return folder;
  await mkdir(folder).catch((error: unknown) => {
    if (!hasCode(error, "EEXIST")) throw error;
  });
  if ((await lstat(folder)).isDirectory()) return folder;
  throw new Error(`${folder} is no folder of its own, and links are not followed`);
}

/** A file's name until its new content is complete: always the same, so that it can be recognised. */
export function unfinishedName(name: string): string {
  return `.${name.replace(/^\./u, "")}.smithers-tmp`;
}

/**
 * Replaces a file of a shared folder as a whole: readers see the old content or the new one. Neither has to be on the
 * disk when the promise resolves, because it can be written again. One writer at a time.
 */
export async function replaceIn(folder: string, name: string, data: string | Uint8Array): Promise<void> {
  const unfinished = path.join(folder, unfinishedName(name));
  // One that a killed run has left, or a link.
  await rm(unfinished, { force: true });
  await replaceBy(unfinished, path.join(folder, name), data, { isDurable: false });
}

/** Neither follows a link nor waits for the reader of a pipe. */
const APPEND =
  constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Adds to the end of a file of a shared folder, which is made when it is missing. */
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

async function replaceBy(
  temporary: string,
  file: string,
  data: string | Uint8Array,
  { isDurable, first }: { isDurable: boolean; first?: Promise<unknown> | undefined },
): Promise<void> {
  const handle = await open(temporary, "wx");
  try {
    try {
      await handle.writeFile(data);
      if (isDurable) await handle.sync();
    } finally {
      await handle.close();
    }
    await first;
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

function temporaryPrefix(file: string): string {
  return `.${path.basename(file)}.`;
}
