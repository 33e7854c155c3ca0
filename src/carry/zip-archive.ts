import { createHash } from "node:crypto";
import { constants, createWriteStream } from "node:fs";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from "yauzl";
import type { Digested } from "../os/digest.ts";

/** Longest directory that is read, in bytes: some hundred for each file that a bundle may hold. */
const DIRECTORY_LIMIT = 1 << 20;
/** What a file takes in the directory in addition to its name, in bytes. */
const LISTED_BYTES = 46;
/** How much is read at a time, in bytes. */
const CHUNK = 64 << 10;
const STORED = 0;
const DEFLATED = 8;

/**
 * Takes single files out of a zip archive, by name and up to a length, and digests them on the way: nothing else in the
 * archive reaches the disk (T14).
 */
export interface ZipArchive {
  /**
   * Writes a file of the archive below `folder`.
   *
   * @param name in the archive, and relative to `folder`; our own name, which must not exist there yet
   * @param limit bytes; a longer file is not written to its end
   * @returns undefined when the archive does not have the file, or a longer one
   * @throws Error when the archive cannot be read; the file system's own error
   */
  extract(name: string, folder: string, limit: number): Promise<Digested | undefined>;
  close(): Promise<void>;
}

/** @throws Error when the file is not a readable archive; the file system's own error */
export async function openZip(file: string): Promise<ZipArchive> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    // Names are only compared with ours: a name that leads elsewhere is not a reason to refuse the others.
    const { size } = await handle.stat();
    const reader = new WithinFile(handle, size);
    const options = { autoClose: false, decodeStrings: false };
    const zip = await inOurWords(fromRandomAccessReaderPromise(reader, size, options));
    const entries = await inOurWords(readEntries(zip));
    return {
      extract: async (name, folder, limit) => {
        const entry = entries.get(name);
        if (entry === undefined) return undefined;
        const target = path.join(folder, name);
        await mkdir(path.dirname(target), { recursive: true });
        return writeBounded(await inOurWords(zip.openReadStreamPromise(entry)), target, limit);
      },
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/**
 * Reads only where the file has bytes. A hostile archive names other places, and one beyond what a number holds makes
 * Node.js throw where nobody can catch it.
 */
class WithinFile extends RandomAccessReader {
  readonly #file: FileHandle;
  readonly #size: number;

  constructor(file: FileHandle, size: number) {
    super();
    this.#file = file;
    this.#size = size;
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    told: (error: Error | null, bytes?: number) => void,
  ): void {
    if (position + length > this.#size) setImmediate(told, new Error("unexpected EOF"));
    else this.#file.read(buffer, offset, length, position).then(({ bytesRead }) => told(null, bytesRead), told);
  }

  override createReadStream({ start, end }: { readonly start: number; readonly end: number }): Readable {
    return Readable.from(bytesOf(this.#file, start, end));
  }
}

/** A stream of Node.js would close the file with itself. */
async function* bytesOf(file: FileHandle, start: number, end: number): AsyncGenerator<Buffer> {
  for (let position = start; position < end;) {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(Math.min(CHUNK, end - position)), position });
    if (bytesRead === 0) throw new Error("unexpected EOF");
    yield buffer.subarray(0, bytesRead);
    position += bytesRead;
  }
}

async function writeBounded(content: Readable, target: string, limit: number): Promise<Digested | undefined> {
  const hash = createHash("sha256");
  let bytes = 0;
  const bounded = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > limit) throw new Error(`it is longer than ${limit} bytes`);
      hash.update(chunk);
      yield chunk;
    }
  };
  try {
    await pipeline(content, bounded, createWriteStream(target, { flags: "wx" }));
  } catch (error) {
    if (bytes > limit) return undefined;
    throw error;
  }
  return { bytes, sha256: hash.digest("hex") };
}

async function readEntries(zip: ZipFile): Promise<ReadonlyMap<string, Entry>> {
  const entries = new Map<string, Entry>();
  let bytes = 0;
  for await (const entry of zip.eachEntry()) {
    bytes += LISTED_BYTES + entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
    if (bytes > DIRECTORY_LIMIT) throw new Error(`its directory has more than ${DIRECTORY_LIMIT} bytes`);
    const { compressionMethod: method } = entry;
    if (entry.isEncrypted() || (method !== STORED && method !== DEFLATED))
      throw new Error("a file in it is not deflated");
    const name = entry.fileNameRaw.toString("utf8");
    if (entries.has(name)) throw new Error("its directory names a file twice");
    entries.set(name, entry);
  }
  return entries;
}

/** What the reader says of files that are not archives, or damaged ones. */
const OUR_WORDS: readonly (readonly [RegExp, string])[] = [
  [/^End of central directory/u, "it is cut off, or does not end as one"],
  [/^unexpected EOF|overflows file bounds/u, "it is cut off"],
  [/^invalid local file header/u, "a file is not where its directory says"],
];

async function inOurWords<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    const said = error instanceof Error ? error.message : "";
    const words = OUR_WORDS.find(([pattern]) => pattern.test(said))?.[1];
    throw words === undefined ? error : new Error(words, { cause: error });
  }
}
