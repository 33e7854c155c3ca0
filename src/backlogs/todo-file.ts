import { constants } from "node:fs";
import { open, realpath } from "node:fs/promises";
import path from "node:path";
import { OperationalError } from "../core/errors.ts";
import { scanHardStops } from "../core/hard-stop/scan.ts";
import type { HardStops } from "../core/ports.ts";
import { hasCode } from "../platform/file-errors.ts";

/** What lies beyond is not looked at. */
const READ_LIMIT = 1_048_576;

export interface TodoFileOptions {
  /** the workspace's root, absolute */
  readonly root: string;
  /** the todo file, relative to the root */
  readonly path: string;
  readonly token: string;
  /** hex SHA-256 of a text */
  readonly digest: (text: string) => string;
}

/**
 * HARD STOP checkpoints in a todo file (W-43). The file is the agent's to write: a missing one holds no checkpoint,
 * and of a large one the whole lines of the first MiB are read.
 *
 * `scan` rejects with an OperationalError when the path leads out of the workspace, also through a symbolic link, or
 * names something that is no file.
 */
export function createTodoFile(options: TodoFileOptions): HardStops {
  return {
    async scan() {
      const file = await locate(options);
      const text = file === undefined ? "" : await readHead(file, options.path);
      return scanHardStops(text, options.token, options.digest);
    },
  };
}

/** For loops without a todo file. */
export const noHardStops: HardStops = {
  async scan() {
    return [];
  },
};

/** The file's real path; undefined when there is none. */
async function locate(options: TodoFileOptions): Promise<string | undefined> {
  const root = await realpath(options.root);
  if (!isInside(options.root, path.resolve(options.root, options.path))) throw outside(options.path);
  try {
    const file = await realpath(path.resolve(options.root, options.path));
    if (!isInside(root, file)) throw outside(options.path);
    return file;
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return undefined;
    throw error;
  }
}

async function readHead(file: string, shown: string): Promise<string> {
  // Without O_NONBLOCK a named pipe that the agent put there would hold the loop.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!(await handle.stat()).isFile()) throw notAFile(shown);
    const buffer = Buffer.alloc(READ_LIMIT);
    let length = 0;
    for (;;) {
      const { bytesRead } = await handle.read(buffer, length, READ_LIMIT - length, length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    const end = length < READ_LIMIT ? length : buffer.lastIndexOf("\n") + 1;
    return buffer.toString("utf8", 0, end);
  } finally {
    await handle.close();
  }
}

function isInside(root: string, file: string): boolean {
  const relative = path.relative(root, file);
  return relative !== ".." && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

function outside(shown: string): OperationalError {
  return new OperationalError({
    code: "TODO_OUTSIDE_WORKSPACE",
    what: `The todo file ${shown} lies outside the workspace, so it was not read.`,
    next: "Name a todo-file inside the workspace that is no symbolic link to the outside.",
  });
}

function notAFile(shown: string): OperationalError {
  return new OperationalError({
    code: "TODO_NOT_A_FILE",
    what: `The todo file ${shown} is no regular file, so it was not read.`,
    next: "Name a regular file as todo-file.",
  });
}
