import { type FileHandle, lstat, mkdir, open, readlink, realpath, rename, rm, stat } from "node:fs/promises";
import { constants, existsSync } from "node:fs";
import path from "node:path";
import { OperationalError } from "../core/errors.ts";
import { hasCode } from "./file-errors.ts";

/**
 * A folder of ours where an agent may write as well: no part of its path below `root` may be a link, so that nothing is
 * read or written elsewhere (T14). Links in the path of `root` are the person's own, and followed.
 */
export interface OwnFolder {
  /** absolute; the workspace, or a folder outside of it that the person named */
  readonly root: string;
  /** absolute; `root` or below it */
  readonly path: string;
}

/**
 * A folder of the workspace, also one that is named by way of a link from outside; undefined: it lies elsewhere, where a
 * person named it and links are theirs.
 *
 * @param workspace absolute
 * @param folder absolute; need not exist
 */
export async function workspaceFolder(workspace: string, folder: string): Promise<OwnFolder | undefined> {
  if (isInside(workspace, folder)) return { root: workspace, path: folder };
  const [top, real] = await Promise.all([realOf(workspace), realOf(folder)]);
  return isInside(top, real) ? { root: top, path: real } : undefined;
}

/** The same for a folder that we make: where it lies elsewhere, the folder around it is the root, and it is no link. */
export async function ownFolder(workspace: string, folder: string): Promise<OwnFolder> {
  return (await workspaceFolder(workspace, folder)) ?? { root: path.dirname(folder), path: folder };
}

/** A missing end of the path is kept as it is. */
async function realOf(file: string): Promise<string> {
  const real = await realpath(file).catch(() => undefined);
  if (real !== undefined || file === path.dirname(file)) return real ?? file;
  return path.join(await realOf(path.dirname(file)), path.basename(file));
}

/** Whether a path is the root or below it; both absolute, and taken as they are written. */
export function isInside(root: string, file: string): boolean {
  const relative = path.relative(root, file);
  return relative !== ".." && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

/**
 * Makes the folder if it is missing, and lets `work` act in it.
 *
 * @param work gets a path by which to reach the folder as long as `work` runs; on Linux it stays with the folder that was
 * looked at, whatever somebody puts into its place meanwhile
 * @throws OperationalError `LINK_REFUSED` when a link, or what is no folder, is in the way; else the file system's error
 */
export async function inOwnFolder<T>(folder: OwnFolder, work: (at: string) => Promise<T>): Promise<T> {
  return inThere(folder, work).catch(async (error: unknown) => {
    if (!(error instanceof Missing)) throw error;
    await makeBelow(folder);
    return inThere(folder, work);
  });
}

/** The same for a folder that is not made; undefined when it is missing. */
export async function inOwnFolderIfThere<T>(
  folder: OwnFolder,
  work: (at: string) => Promise<T>,
): Promise<T | undefined> {
  return inThere(folder, work).catch((error: unknown) => {
    if (!(error instanceof Missing)) throw error;
    return undefined;
  });
}

/** Makes the folder if it is missing. @throws as `inOwnFolder` */
export async function makeOwnFolder(folder: OwnFolder): Promise<void> {
  await inOwnFolder(folder, async () => {});
}

/** The folder itself, not something in it, is missing. */
class Missing extends Error {}

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const HANDLES = "/proc/self/fd";
const hasHandles = existsSync(HANDLES);

async function inThere<T>(folder: OwnFolder, work: (at: string) => Promise<T>): Promise<T> {
  // The person's own link, where the folder is the root.
  const flags = folder.path === folder.root ? FOLDER & ~constants.O_NOFOLLOW : FOLDER;
  const handle = await open(folder.path, flags).catch(async (error: unknown) => {
    if (hasCode(error, "ENOENT")) throw new Missing();
    if ((await lstat(folder.path).catch(() => undefined))?.isSymbolicLink() === true) throw linkRefused(folder.path);
    throw error;
  });
  try {
    if (!(await isItself(handle, folder))) throw linkRefused(folder.path);
    return await named(folder.path, hasHandles ? path.join(HANDLES, String(handle.fd)) : folder.path, work);
  } finally {
    await handle.close();
  }
}

/** In what goes wrong, people read the folder's own name. */
async function named<T>(folder: string, at: string, work: (at: string) => Promise<T>): Promise<T> {
  try {
    return await work(at);
  } catch (error) {
    if (error instanceof Error) {
      error.message = error.message.replaceAll(at, folder);
      if ("path" in error && typeof error.path === "string") error.path = error.path.replace(at, folder);
    }
    throw error;
  }
}

/** Whether the folder that is open is the one of that path, reached without a link below the root. */
async function isItself(handle: FileHandle, { root, path: wanted }: OwnFolder): Promise<boolean> {
  const expected = path.join(await realpath(root), path.relative(root, wanted));
  if (hasHandles) return (await readlink(path.join(HANDLES, String(handle.fd)))) === expected;
  const [opened, found] = await Promise.all([handle.stat(), stat(wanted)]);
  if (opened.dev !== found.dev || opened.ino !== found.ino) return false;
  for (let at = wanted; at !== root; at = path.dirname(at)) if (!(await lstat(at)).isDirectory()) return false;
  return true;
}

/** One part after the other: `mkdir` with `recursive` would follow links. */
async function makeBelow({ root, path: wanted }: OwnFolder): Promise<void> {
  await mkdir(root, { recursive: true });
  let at = root;
  for (const name of path.relative(root, wanted).split(path.sep)) {
    if (name === "") continue;
    await inThere({ root, path: at }, async (parent) =>
      mkdir(path.join(parent, name)).catch((error: unknown) => {
        if (!hasCode(error, "EEXIST")) throw error;
      }),
    );
    at = path.join(at, name);
  }
}

/** Neither follows a link nor waits for the other end of a pipe. */
const CAREFUL = constants.O_NOFOLLOW | constants.O_NONBLOCK;
const READ = constants.O_RDONLY | CAREFUL;
const APPEND = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | CAREFUL;

/**
 * Opens a file to read it.
 *
 * @throws OperationalError `LINK_REFUSED` for a link, a pipe or a device; else the file system's error (`ENOENT`)
 */
export async function openToRead(file: string): Promise<FileHandle> {
  return opened(file, READ, false);
}

/**
 * Opens a file to add to it, and makes it when it is missing. A file that has another name as well is somebody else's and
 * refused.
 *
 * @throws as `openToRead`
 */
export async function openToAppend(file: string): Promise<FileHandle> {
  return opened(file, APPEND, true);
}

/** The same for a file that is there and may be cut. @throws as `openToRead` */
export async function openToCut(file: string): Promise<FileHandle> {
  return opened(file, constants.O_RDWR | CAREFUL, true);
}

async function opened(file: string, flags: number, single: boolean): Promise<FileHandle> {
  const handle = await open(file, flags).catch((error: unknown) => {
    // Nobody reads that pipe, or it is a socket.
    if (hasCode(error, "ELOOP", "ENXIO")) throw linkRefused(file);
    throw error;
  });
  try {
    const found = await handle.stat();
    if (found.isDirectory()) throw new Error(`${file} is a folder`);
    if (!found.isFile() || (single && found.nlink > 1)) throw linkRefused(file);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** What is read at most of a file of ours, in bytes. */
const OWN_FILE_LIMIT = 64 << 20;

/**
 * The text of a file of ours.
 *
 * @param limit bytes
 * @throws as `openToRead`; Error when it is longer than `limit`
 */
export async function readOwnFile(file: string, limit = OWN_FILE_LIMIT): Promise<string> {
  return (await readOwnBytes(file, limit)).toString("utf8");
}

/** The bytes of a file of ours. @param limit of them @throws as `readOwnFile` */
export async function readOwnBytes(file: string, limit: number): Promise<Buffer> {
  const handle = await openToRead(file);
  try {
    const bytes = await readAtMost(handle, limit);
    if (bytes === undefined) {
      throw new Error(`${file} has ${(await handle.stat()).size} bytes, and only ${limit} are read`);
    }
    return bytes;
  } finally {
    await handle.close();
  }
}

/** What an open file holds, however it grows meanwhile; undefined: more than `limit` bytes. The file stays open. */
export async function readAtMost(handle: FileHandle, limit: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const stream: AsyncIterable<Buffer> = handle.createReadStream({ start: 0, end: limit, autoClose: false });
  for await (const chunk of stream) {
    bytes += chunk.length;
    chunks.push(chunk);
  }
  return bytes > limit ? undefined : Buffer.concat(chunks);
}

/**
 * Makes the content of a file anew, in the folder given by `inOwnFolder`: readers see the old one or the new one, and what
 * the name stood for, a link or a file with other names, is replaced and never written to.
 *
 * @param write fills the new file, which is open for writing
 */
export async function replaceFile(
  at: string,
  name: string,
  write: (to: FileHandle) => Promise<unknown>,
): Promise<void> {
  const unfinished = path.join(at, `.${name}.${process.pid}.tmp`);
  await rm(unfinished, { force: true });
  try {
    const handle = await open(unfinished, "wx");
    try {
      await write(handle);
    } finally {
      await handle.close();
    }
    await rename(unfinished, path.join(at, name));
  } finally {
    await rm(unfinished, { force: true });
  }
}

function linkRefused(file: string): OperationalError {
  return new OperationalError({
    code: "LINK_REFUSED",
    what: `${file} is a link or not ours: it was left alone`,
    next: "Nothing was read or written there. Look where it leads, remove it, then resume the loop.",
  });
}
