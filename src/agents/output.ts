import type { Readable } from "node:stream";
import type { RawFile } from "./turn-files.ts";

/** A longer line is not parsed: no agent says anything that long on purpose, and it would have to fit into memory. */
export const MAX_LINE_BYTES = 16 * 1024 * 1024;

const NEWLINE = 0x0a;

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

/** Keeps the end of an output, in bounded memory however much comes. */
export class OutputTail {
  readonly #maxBytes: number;
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes > 2 * this.#maxBytes) this.#shorten();
  }

  /** Takes a stream to its end. */
  async drain(stream: Readable): Promise<void> {
    for await (const chunk of stream) this.push(chunk);
  }

  /** The last bytes as text; a character that is cut at the beginning is left out. */
  text(): string {
    const bytes = this.#shorten();
    let start = 0;
    while (start < 3 && isContinuation(bytes[start])) start += 1;
    return bytes.toString("utf8", start);
  }

  #shorten(): Buffer {
    const joined = Buffer.concat(this.#chunks);
    const end = Buffer.from(joined.subarray(Math.max(0, joined.length - this.#maxBytes)));
    this.#chunks = [end];
    this.#bytes = end.length;
    return end;
  }
}

/** Whether a byte of UTF-8 stands inside a character. */
function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
