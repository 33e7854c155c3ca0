import { randomBytes } from "node:crypto";
import { open, readdir, rename, rm } from "node:fs/promises";
import path from "node:path";

/**
 * Replaces a file as a whole: readers see the old content or the new one, never a part, and the new one is on the disk
 * when the promise resolves. The folder has to exist. A symbolic link at `file` is replaced, not followed.
 *
 * @param first what has to have happened before the new content may take its place; it is written meanwhile
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
  try {
    const handle = await open(temporary, "wx");
    try {
      await handle.writeFile(data);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await first;
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
  await syncFolder(path.dirname(file));
}

/** Adds to the end of a file, which is made when it is missing; on the disk when the promise resolves. */
export async function appendDurably(file: string, data: string | Uint8Array): Promise<void> {
  const handle = await open(file, "a");
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

const TEMPORARY_SUFFIX = ".tmp";

function temporaryPrefix(file: string): string {
  return `.${path.basename(file)}.`;
}
