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
