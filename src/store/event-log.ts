import type { FileHandle } from "node:fs/promises";
import path from "node:path";
import type { LoopEvent } from "../core/events.ts";
import { EVENTS_FILE } from "../core/names.ts";
import type { LoopState } from "../core/state.ts";
import { syncFolder } from "../os/atomic-file.ts";
import { unlessMissing } from "../os/file-errors.ts";
import { inOwnFolder, inOwnFolderIfThere, openToAppend, openToCut } from "../os/own-file.ts";
import { linesFromEnd } from "./lines-from-end.ts";
import { folderOf, type LoopFiles } from "./loop-files.ts";

const LINE_VERSION = 1; // version of the lines in `events.jsonl`
const HEAD = /^\{"v":\d+,"revision":(\d+),/u;

/**
 * `events.jsonl`: one line for each event, `{"v":1,"revision":N,…}`, only ever appended to. Its file stays open while
 * the loop runs.
 */
export class EventLog {
  readonly #files: LoopFiles;
  #handle: FileHandle | undefined;

  constructor(files: LoopFiles) {
    this.#files = files;
  }

  /** Adds the event that led to `state`; on the disk when the promise resolves. */
  async append(event: LoopEvent, state: LoopState): Promise<void> {
    const handle = await this.#opened();
    await handle.appendFile(encodeEvent(event, state));
    await handle.datasync();
  }

  /**
   * Cuts what a crash left after a state: events after its revision and a torn last line. Only reads the end of the
   * file, so that the length of a loop does not matter.
   */
  async cutAfter(revision: number): Promise<void> {
    await this.close();
    const handle = await inOwnFolderIfThere(await folderOf(this.#files), async (at) =>
      unlessMissing(openToCut(path.join(at, EVENTS_FILE))),
    );
    if (handle === undefined) return;
    try {
      const end = revision === 0 ? 0 : await endOf(handle, revision);
      if (end === (await handle.stat()).size) return;
      await handle.truncate(end);
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  async close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close();
  }

  /** The open file; opened again when somebody has deleted it, as `git clean -fdx` does. */
  async #opened(): Promise<FileHandle> {
    if (this.#handle !== undefined && (await this.#handle.stat()).nlink > 0) return this.#handle;
    await this.close();
    const handle = await inOwnFolder(await folderOf(this.#files), async (at) => {
      const made = await openToAppend(path.join(at, EVENTS_FILE));
      this.#handle = made;
      await syncFolder(at);
      return made;
    });
    return handle;
  }
}

/** The end of the last whole line with at most this revision. */
async function endOf(handle: FileHandle, revision: number): Promise<number> {
  for await (const line of linesFromEnd(handle)) {
    const found = HEAD.exec(line.text)?.[1];
    if (line.complete && found !== undefined && Number(found) <= revision) return line.end;
  }
  return 0;
}

/** An event as its line, with its end. A prompt that is too long for the state is in `prompt.txt`; here, as there, its head is enough. */
export function encodeEvent(event: LoopEvent, state: LoopState): string {
  const bounded =
    event.type === "loop_started" && state.prompt_path !== null
      ? { ...event, identity: { ...event.identity, prompt: state.prompt } }
      : event;
  return `${JSON.stringify({ v: LINE_VERSION, revision: state.revision, ...bounded })}\n`;
}
