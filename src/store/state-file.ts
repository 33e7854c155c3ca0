import { open, type FileHandle } from "node:fs/promises";
import { messageOf, OperationalError } from "../core/errors.ts";
import type { LoopState } from "../core/state.ts";
import { writeFileDurably } from "../os/atomic-file.ts";
import { damaged, decodeState, encodeState, STATE_LIMIT } from "./codec.ts";
import { unlessMissing } from "../os/file-errors.ts";

/**
 * Reads a state file without taking the loop's lock; whole, because writers replace it in one step (W-40).
 *
 * @returns undefined when there is none
 * @throws OperationalError `STATE_DAMAGED`, `STATE_NEWER` or `STATE_UNREADABLE`; the file is untouched
 */
export async function readState(file: string): Promise<LoopState | undefined> {
  const text = await readText(file);
  return text === undefined ? undefined : decodeState(text, file);
}

/** Replaces the state file, not before `first` is done; durable when resolved. */
export async function writeState(file: string, state: LoopState, first: Promise<unknown>): Promise<void> {
  await writeFileDurably(file, encodeState(state), first);
}

async function readText(file: string): Promise<string | undefined> {
  try {
    const handle = await unlessMissing(open(file, "r"));
    if (handle === undefined) return undefined;
    try {
      return await readBounded(handle, file);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof OperationalError) throw error;
    throw new OperationalError(
      {
        code: "STATE_UNREADABLE",
        what: `The state file ${file} cannot be read: ${messageOf(error)}.`,
        next: "Make the file readable for this user, or choose another --state-file.",
      },
      { cause: error },
    );
  }
}

async function readBounded(handle: FileHandle, file: string): Promise<string> {
  const { size } = await handle.stat();
  if (size > STATE_LIMIT) throw damaged(file, `it has ${size} bytes, and no state has more than ${STATE_LIMIT}`);
  return await handle.readFile("utf8");
}
