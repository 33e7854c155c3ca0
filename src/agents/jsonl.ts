import { once } from "node:events";
import { createWriteStream, type WriteStream } from "node:fs";
import { open } from "node:fs/promises";
import type { Readable } from "node:stream";

/** A longer line is not parsed: no agent says anything that long on purpose, and it would have to fit into memory. */
export const MAX_LINE_BYTES = 16 * 1024 * 1024;

const NEWLINE = 0x0a;
/** How much may wait for the disk before the agent's output is no longer read. */
const RAW_BUFFER_BYTES = 1024 * 1024;

/** Lines that arrived together. */
export interface LineBatch {
  readonly lines: readonly string[];
  /** how many lines were longer than `MAX_LINE_BYTES` and are left out */
  readonly skipped: number;
}

/**
 * Cuts a stream of bytes into lines.
 *
 * Works on bytes, because a newline byte is a newline wherever it stands in UTF-8: each byte is decoded once, all the
 * whole lines of a chunk together, and only a line that crosses chunks is copied.
 */
export class LineSplitter {
  #pieces: Buffer[] = [];
  #length = 0;
  #skipping = false;

  push(chunk: Buffer): LineBatch {
    const first = chunk.indexOf(NEWLINE);
    if (first === -1) {
      this.#keep(chunk);
      return { lines: [], skipped: 0 };
    }
    const last = chunk.lastIndexOf(NEWLINE);
    const crossing: string[] = [];
    let skipped = 0;
    let from = 0;
    if (this.#length > 0 || this.#skipping) {
      this.#keep(chunk.subarray(0, first));
      if (this.#skipping) skipped = 1;
      else crossing.push(this.#take());
      this.#skipping = false;
      from = first + 1;
    }
    const whole = from <= last ? chunk.toString("utf8", from, last).split("\n") : [];
    this.#keep(chunk.subarray(last + 1));
    return { lines: crossing.length === 0 ? whole : [...crossing, ...whole], skipped };
  }

  /** What stands after the last newline: a line that was torn off when the program died. */
  rest(): LineBatch {
    const skipped = this.#skipping ? 1 : 0;
    this.#skipping = false;
    return { lines: this.#length > 0 ? [this.#take()] : [], skipped };
  }

  #keep(piece: Buffer): void {
    if (piece.length === 0 || this.#skipping) return;
    this.#length += piece.length;
    if (this.#length > MAX_LINE_BYTES) {
      this.#skipping = true;
      this.#drop();
    } else this.#pieces.push(piece);
  }

  #take(): string {
    const line = Buffer.concat(this.#pieces, this.#length).toString("utf8");
    this.#drop();
    return line;
  }

  #drop(): void {
    this.#pieces = [];
    this.#length = 0;
  }
}

/** The agent's raw stream on disk (W-26). Another attempt at the same iteration is added to what is there. */
export class RawFile {
  readonly #stream: WriteStream;
  #failed: Error | undefined;

  private constructor(stream: WriteStream) {
    this.#stream = stream;
    stream.on("error", (error) => (this.#failed = error));
  }

  /** Opens it for adding, on a new line. @throws when the file cannot be opened */
  static async open(path: string): Promise<RawFile> {
    const handle = await open(path, "a+");
    const torn = await endsInsideLine(handle);
    const raw = new RawFile(createWriteStream(path, { fd: handle, highWaterMark: RAW_BUFFER_BYTES }));
    if (torn) raw.#stream.write("\n");
    return raw;
  }

  /** Why the file is incomplete: the disk is full, for example. */
  get failed(): Error | undefined {
    return this.#failed;
  }

  /** @returns what to wait for before more is written; nothing when there is still room */
  write(chunk: Buffer): Promise<unknown> | undefined {
    if (this.#failed !== undefined || this.#stream.write(chunk)) return undefined;
    return once(this.#stream, "drain").catch(() => {});
  }

  async close(): Promise<void> {
    if (!this.#stream.destroyed) await new Promise<void>((resolve) => this.#stream.end(() => resolve()));
  }
}

async function endsInsideLine(handle: Awaited<ReturnType<typeof open>>): Promise<boolean> {
  const { size } = await handle.stat();
  if (size === 0) return false;
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] !== NEWLINE;
}

/** Reads `stream` to its end: every byte goes to `raw`, every line to the caller, no faster than the disk takes it. */
export async function* readLines(stream: Readable, raw: RawFile): AsyncGenerator<LineBatch> {
  const splitter = new LineSplitter();
  for await (const chunk of stream) {
    const room = raw.write(chunk);
    if (room !== undefined) await room;
    yield splitter.push(chunk);
  }
  yield splitter.rest();
}
