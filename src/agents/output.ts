import type { Readable } from "node:stream";
import type { RawFile } from "./turn-files.ts";

/** A longer line is not parsed: no agent prints one on purpose, and it would have to fit into memory. */
export const MAX_LINE_BYTES = 16 * 1024 * 1024;

const NEWLINE = 0x0a;

/** Lines that arrived together. */
export interface LineBatch {
  readonly lines: readonly string[];
  /** how many lines were longer than `MAX_LINE_BYTES` and are left out */
  readonly skipped: number;
}

/** Cuts a stream of bytes into lines: in UTF-8 a newline byte is always a newline. */
export class LineSplitter {
  #pieces: Buffer[] = [];
  #length = 0;
  #skipping = false;

  push(chunk: Buffer): LineBatch {
    const lines: string[] = [];
    let skipped = 0;
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      this.#keep(chunk.subarray(from, end));
      if (this.#skipping) skipped += 1;
      else lines.push(this.#take());
      this.#skipping = false;
      from = end + 1;
    }
    this.#keep(chunk.subarray(from));
    return { lines, skipped };
  }

  /** What follows the last newline: a line that was cut off when the program died. */
  rest(): LineBatch {
    return { lines: this.#length > 0 ? [this.#take()] : [], skipped: this.#skipping ? 1 : 0 };
  }

  #keep(piece: Buffer): void {
    if (piece.length === 0 || this.#skipping) return;
    this.#pieces.push(piece);
    this.#length += piece.length;
    this.#skipping = this.#length > MAX_LINE_BYTES;
    if (this.#skipping) this.#take();
  }

  #take(): string {
    const line = Buffer.concat(this.#pieces).toString("utf8");
    this.#pieces = [];
    this.#length = 0;
    return line;
  }
}

/** Reads `stream` to its end: every byte goes to `raw`, every line to the caller, no faster than the disk takes it. */
export async function* readLines(stream: AsyncIterable<Buffer>, raw: RawFile): AsyncGenerator<LineBatch> {
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

/** Whether a byte continues a character of UTF-8. */
function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
