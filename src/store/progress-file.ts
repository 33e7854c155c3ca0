import path from "node:path";
import type { FileHandle } from "node:fs/promises";
import { PROGRESS_FILE } from "../core/names.ts";
import type { ProgressNotes } from "../core/ports.ts";
import { appendDurably } from "../os/atomic-file.ts";
import { unlessMissing } from "../os/file-errors.ts";
import { inOwnFolder, inOwnFolderIfThere, openToRead, ownFolder } from "../os/own-file.ts";
import { linesFromEnd, readAt } from "./lines-from-end.ts";

const HEADING = /^## Iteration (\d+)$/u;
const HEADINGS_INSIDE = /^(?=## Iteration \d+$)/gmu;
const NEWLINE = 0x0a;

/**
 * A loop's `progress.md` (C18, W-66): what each iteration did, under `## Iteration N`. However long it is, only its end
 * is read.
 *
 * @param root the workspace: no link below it is followed
 */
export function createProgressFile(folder: string, root = path.dirname(folder)): ProgressNotes {
  const own = ownFolder(root, folder);
  return {
    async record(iteration, entry) {
      await inOwnFolder(await own, async (at) => {
        const file = path.join(at, PROGRESS_FILE);
        const last = await reading(file, lastEntry);
        const missing = missingText(last, iteration, textOf(iteration, entry));
        if (missing !== "") await appendDurably(file, missing);
      });
    },
    async tail(bytes) {
      const end = (handle: FileHandle): Promise<string> => wholeLines(handle, bytes);
      return (await inOwnFolderIfThere(await own, (at) => reading(path.join(at, PROGRESS_FILE), end))) ?? "";
    },
  };
}

interface Entry {
  readonly iteration: number;
  readonly text: string;
}

/** What the agent writes cannot pass for a heading of ours. */
function textOf(iteration: number, entry: string): string {
  const body = entry.trimEnd().replaceAll(HEADINGS_INSIDE, "\\");
  return `## Iteration ${iteration}\n\n${body}\n\n`;
}

/** What still has to be written of an entry: all of it, the rest of one that a crash cut off, or nothing. */
function missingText(last: Entry | undefined, iteration: number, text: string): string {
  if (last === undefined) return text;
  if (last.iteration === iteration && text.startsWith(last.text)) return text.slice(last.text.length);
  if (last.iteration >= iteration) return "";
  return last.text.endsWith("\n") ? text : `\n\n${text}`;
}

async function lastEntry(handle: FileHandle): Promise<Entry | undefined> {
  const { size } = await handle.stat();
  for await (const line of linesFromEnd(handle)) {
    const iteration = HEADING.exec(line.text)?.[1];
    if (iteration === undefined) continue;
    const text = await readAt(handle, line.start, size - line.start);
    return { iteration: Number(iteration), text: text.toString("utf8") };
  }
  return undefined;
}

/** One byte more than needed tells whether the first line in sight is a whole one. */
async function wholeLines(handle: FileHandle, bytes: number): Promise<string> {
  const { size } = await handle.stat();
  const end = await readAt(handle, Math.max(0, size - bytes - 1), Math.min(size, bytes + 1));
  return end.length <= bytes ? end.toString("utf8") : end.toString("utf8", end.indexOf(NEWLINE) + 1 || end.length);
}

async function reading<T>(file: string, read: (handle: FileHandle) => Promise<T>): Promise<T | undefined> {
  const handle = await unlessMissing(openToRead(file));
  if (handle === undefined) return undefined;
  try {
    return await read(handle);
  } finally {
    await handle.close();
  }
}
