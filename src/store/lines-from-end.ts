import type { FileHandle } from "node:fs/promises";

const CHUNK = 1 << 16;
const NEWLINE = 0x0a;

/** The lines of a file, last one first; reads no more of a long file than needed. */
export async function* linesFromEnd(handle: FileHandle) {
  let start = (await handle.stat()).size;
  let held: Buffer = Buffer.alloc(0);
  while (start > 0) {
    const length = Math.min(CHUNK, start);
    start -= length;
    held = Buffer.concat([await readAt(handle, start, length), held]);
    for (let last = lastLineStart(held); last > 0; last = lastLineStart(held)) {
      yield placed(held.subarray(last), start + last);
      held = held.subarray(0, last);
    }
  }
  if (held.length > 0) yield placed(held, 0);
}

/** Reads `length` bytes at `position`; fewer only where the file ends. */
export async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

/** Where the last line begins, not counting its own newline; 0 when `bytes` holds no earlier line's end. */
function lastLineStart(bytes: Buffer): number {
  return bytes.length < 2 ? 0 : bytes.lastIndexOf(NEWLINE, bytes.length - 2) + 1;
}

/** A line with its place in bytes; `end` is behind its newline, which a torn last line does not have. */
function placed(bytes: Buffer, start: number) {
  const complete = bytes.at(-1) === NEWLINE;
  const text = bytes.toString("utf8", 0, complete ? bytes.length - 1 : bytes.length);
  return { start, end: start + bytes.length, text, complete };
}
