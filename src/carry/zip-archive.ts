import { createHash } from "node:crypto";
import { constants, createReadStream, createWriteStream } from "node:fs";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import path from "node:path";
import { PassThrough, type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createInflateRaw } from "node:zlib";
import type { Digested } from "./file-digest.ts";

/** Where a file's content lies in an archive, as the archive's directory says it; in bytes. */
interface Entry {
  readonly method: number;
  readonly bytes: number;
  /** of the header before the content */
  readonly at: number;
}

/** Signatures and lengths of a zip archive's records (APPNOTE 4.3), in bytes. */
const END = { signature: 0x06054b50, bytes: 22 };
const LISTED = { signature: 0x02014b50, bytes: 46 };
const HEADER = { signature: 0x04034b50, bytes: 30 };
const STORED = 0;
const DEFLATED = 8;

/** Longest directory that is read, in bytes: some hundred for each file that a bundle may hold. */
const DIRECTORY_LIMIT = 1 << 20;

/** So much of a file is worked on at a time, in bytes. */
const CHUNK = 1 << 18;

/**
 * Takes single files out of a zip archive, by name and up to a length, and digests them on the way: nothing else of what
 * an archive claims to hold ever reaches the disk (T14). Archives of 4 GB, with a comment or in parts are none of ours.
 */
export class ZipArchive {
  readonly #file: string;
  readonly #entries: ReadonlyMap<string, Entry>;

  /** @throws Error when the file is no such archive; the file system's own error */
  static async open(file: string): Promise<ZipArchive> {
    const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      return new ZipArchive(file, await readEntries(handle));
    } finally {
      await handle.close();
    }
  }

  private constructor(file: string, entries: ReadonlyMap<string, Entry>) {
    this.#file = file;
    this.#entries = entries;
  }

  /**
   * Writes a file of the archive below `folder`.
   *
   * @param name in the archive, and relative to `folder`; of our own choosing, where it must not exist yet
   * @param limit bytes; what is longer is not written to its end
   * @returns undefined when the archive has no such file, or a longer one
   * @throws Error when what the archive holds cannot be read; the file system's own error
   */
  async extract(name: string, folder: string, limit: number): Promise<Digested | undefined> {
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    const target = path.join(folder, name);
    await mkdir(path.dirname(target), { recursive: true });
    const packed = await this.#content(entry);
    const plain = entry.method === STORED ? new PassThrough() : createInflateRaw({ chunkSize: CHUNK });
    const digesting = new Digesting(limit);
    try {
      await pipeline(packed, plain, digesting, createWriteStream(target, { flags: "wx", highWaterMark: CHUNK }));
    } catch (error) {
      if (digesting.isOver) return undefined;
      throw error;
    }
    return digesting.digested();
  }

  async #content({ at, bytes }: Entry): Promise<Readable> {
    const handle = await open(this.#file, constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      const header = await readAt(handle, at, HEADER.bytes);
      if (header.readUInt32LE(0) !== HEADER.signature) throw new Error("a file is not where its directory says");
      const start = at + HEADER.bytes + header.readUInt16LE(26) + header.readUInt16LE(28);
      const options = { start, end: start + bytes - 1, highWaterMark: CHUNK };
      return bytes === 0 ? emptyStream() : createReadStream(this.#file, options);
    } finally {
      await handle.close();
    }
  }
}

/** Lets bytes through, digests them, and breaks off beyond its limit. */
class Digesting extends Transform {
  isOver = false;
  readonly #limit: number;
  readonly #hash = createHash("sha256");
  #bytes = 0;

  constructor(limit: number) {
    super({ highWaterMark: CHUNK });
    this.#limit = limit;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: (error: Error | null, out?: Buffer) => void) {
    this.#bytes += chunk.length;
    this.isOver = this.#bytes > this.#limit;
    if (this.isOver) return done(new Error(`it is longer than ${this.#limit} bytes`));
    this.#hash.update(chunk);
    done(null, chunk);
  }

  /** What went through. */
  digested(): Digested {
    return { bytes: this.#bytes, sha256: this.#hash.digest("hex") };
  }
}

async function readEntries(handle: FileHandle): Promise<ReadonlyMap<string, Entry>> {
  const { size } = await handle.stat();
  const end = await readAt(handle, size - END.bytes, END.bytes);
  const [count, bytes, at] = [end.readUInt16LE(10), end.readUInt32LE(12), end.readUInt32LE(16)];
  if (end.readUInt32LE(0) !== END.signature || bytes > DIRECTORY_LIMIT) throw new Error("it does not end as one");
  const directory = await readAt(handle, at, bytes);
  const entries = new Map<string, Entry>();
  for (let offset = 0, n = 0; n < count; n++) {
    const { name, entry, next } = readListed(directory, offset);
    if (entries.has(name)) throw new Error("its directory names a file twice");
    entries.set(name, entry);
    offset = next;
  }
  return entries;
}

/** The directory's line at `offset`. */
function readListed(directory: Buffer, offset: number): { name: string; entry: Entry; next: number } {
  if (offset + LISTED.bytes > directory.length || directory.readUInt32LE(offset) !== LISTED.signature) {
    throw new Error("its directory is cut off");
  }
  const method = directory.readUInt16LE(offset + 10);
  const isEncrypted = (directory.readUInt16LE(offset + 8) & 1) === 1;
  if (isEncrypted || (method !== STORED && method !== DEFLATED)) throw new Error("a file in it is not deflated");
  const [name, extra, comment] = [28, 30, 32].map((field) => directory.readUInt16LE(offset + field));
  const named = offset + LISTED.bytes;
  const ends = named + (name ?? 0);
  return {
    name: directory.toString("utf8", named, ends),
    entry: { method, bytes: directory.readUInt32LE(offset + 20), at: directory.readUInt32LE(offset + 42) },
    next: ends + (extra ?? 0) + (comment ?? 0),
  };
}

async function readAt(handle: FileHandle, at: number, bytes: number): Promise<Buffer> {
  const { buffer, bytesRead } = at < 0 ? NOTHING_READ : await handle.read(Buffer.alloc(bytes), 0, bytes, at);
  if (bytesRead < bytes) throw new Error("it is cut off");
  return buffer;
}

const NOTHING_READ = { buffer: Buffer.alloc(0), bytesRead: -1 };

function emptyStream(): Readable {
  return new PassThrough().end();
}
