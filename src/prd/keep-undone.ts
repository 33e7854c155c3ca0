import path from "node:path";
import { OperationalError } from "../core/errors.ts";
import { undoneName } from "../core/names.ts";
import { writeFileDurably } from "../os/atomic-file.ts";
import { unlessMissing } from "../os/file-errors.ts";
import { inOwnFolder, ownFolder, readOwnBytes } from "../os/own-file.ts";
import { LIMITS } from "./shape.ts";

/** What has that name and is no file of ours: a link, a folder, a pipe, or too much to read. */
export const FOREIGN = Symbol("foreign");

/** What a file holds; undefined: there is none. */
export async function bytesOrForeign(file: string): Promise<Buffer | undefined | typeof FOREIGN> {
  try {
    return await unlessMissing(readOwnBytes(file, 2 * LIMITS.bytes));
  } catch (error) {
    if (error instanceof OperationalError || (error instanceof Error && !("code" in error))) return FOREIGN;
    throw error;
  }
}

/**
 * Keeps what a document said in the loop's folder, durably. Called again for the same, it finds what it has kept.
 *
 * @param loop the workspace and the loop's folder, absolute
 * @param file the document's name
 * @returns the name in the loop's folder
 */
export async function keepUndone(
  loop: { readonly root: string; readonly folder: string },
  iteration: number,
  file: string,
  bytes: Buffer,
): Promise<string> {
  return inOwnFolder(await ownFolder(loop.root, loop.folder), async (at) => {
    for (let further = 0; ; further += 1) {
      const name = undoneName(iteration, file, further);
      const there = await bytesOrForeign(path.join(at, name));
      if (there === undefined) {
        await writeFileDurably(path.join(at, name), bytes);
        return name;
      }
      if (there !== FOREIGN && there.equals(bytes)) return name;
    }
  });
}
