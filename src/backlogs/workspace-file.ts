import { constants } from "node:fs";
import { open, realpath } from "node:fs/promises";
import path from "node:path";
import { OperationalError } from "../core/errors.ts";
import { hasCode } from "../os/file-errors.ts";
import { inOwnFolder, isInside } from "../os/own-file.ts";

/** What is beyond is not read. */
const READ_LIMIT = 1_048_576;

/** A file of the workspace that the agent may write, and so may have replaced by anything. */
export interface WorkspaceFile {
  /** the workspace's root, absolute */
  readonly root: string;
  /** relative to the root */
  readonly path: string;
  /** the setting that names it */
  readonly setting: "todo-file" | "plan-file";
}

/** The whole lines of the first MiB of a file, and whether that is all of it. */
interface FileHead {
  readonly text: string;
  readonly whole: boolean;
  /** whether there is such a file */
  readonly found: boolean;
}

/**
 * Reads a file of the workspace; one that is not there is empty.
 *
 * @throws OperationalError when the path leads out of the workspace, also through a symbolic link, or names something
 * that is not a file
 */
export async function readWorkspaceFile(wanted: WorkspaceFile): Promise<FileHead> {
  const file = await locate(wanted);
  return file === undefined ? { text: "", whole: true, found: false } : readHead(file, wanted);
}

/** The file's real path; undefined when it does not exist. */
async function locate(wanted: WorkspaceFile): Promise<string | undefined> {
  const root = await realpath(wanted.root);
  if (!isInside(wanted.root, path.resolve(wanted.root, wanted.path))) throw outside(wanted);
  try {
    const file = await realpath(path.resolve(wanted.root, wanted.path));
    if (!isInside(root, file)) throw outside(wanted);
    return file;
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return undefined;
    throw error;
  }
}

async function readHead(file: string, wanted: WorkspaceFile): Promise<FileHead> {
  // Without O_NONBLOCK a named pipe that the agent put there would hold the loop.
  const { dir, base } = path.parse(file);
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
  // What was found may have become a link since.
  const handle = await inOwnFolder({ root: await realpath(wanted.root), path: dir }, (at) =>
    open(path.join(at, base), flags),
  );
  try {
    if (!(await handle.stat()).isFile()) throw notAFile(wanted);
    const buffer = Buffer.alloc(READ_LIMIT);
    let length = 0;
    for (;;) {
      const { bytesRead } = await handle.read(buffer, length, READ_LIMIT - length, length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    const whole = length < READ_LIMIT;
    const end = whole ? length : buffer.lastIndexOf("\n") + 1;
    return { text: buffer.toString("utf8", 0, end), whole, found: true };
  } finally {
    await handle.close();
  }
}

/** What people call the file, and what its errors are called by. */
const NAMES = {
  "todo-file": { called: "todo file", code: "TODO" },
  "plan-file": { called: "plan", code: "PLAN" },
} as const;

function outside(wanted: WorkspaceFile): OperationalError {
  const next = `Name a ${wanted.setting} inside the workspace that is no symbolic link to the outside`;
  return unread(wanted, "OUTSIDE_WORKSPACE", "lies outside the workspace", next);
}

function notAFile(wanted: WorkspaceFile): OperationalError {
  const { path: shown, setting } = wanted;
  const next = `Put a regular file in its place (git checkout -- ${shown}), or name another as ${setting}`;
  return unread(wanted, "NOT_A_FILE", "is no regular file", next);
}

function unread({ path: shown, setting }: WorkspaceFile, kind: string, why: string, next: string): OperationalError {
  const { called, code } = NAMES[setting];
  return new OperationalError({
    code: `${code}_${kind}`,
    what: `The ${called} ${shown} ${why}, so it was not read. The work is unharmed, and the loop is where it was.`,
    next: `${next}; then resume the loop.`,
  });
}
