import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { open, readdir } from "node:fs/promises";
import path from "node:path";

/** Hex SHA-256 of a text, taken as UTF-8. */
export function sha256(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}

/** A file's length in bytes and its SHA-256 in hex. */
export interface Digested {
  readonly bytes: number;
  readonly sha256: string;
}

/** In bytes. */
const CHUNK = 1 << 20;

/**
 * Digests a regular file in bounded memory; a link is not followed.
 *
 * @param limit bytes; a longer file is not read
 * @returns undefined when it is not a regular file or is longer
 * @throws the file system's own error
 */
export async function digestFile(file: string, limit: number): Promise<Digested | undefined> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const found = await handle.stat();
    if (!found.isFile() || found.size > limit) return undefined;
    const hash = createHash("sha256");
    const buffer = Buffer.allocUnsafe(Math.min(CHUNK, found.size + 1));
    let bytes = 0;
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, null);
      if (bytesRead === 0) break;
      bytes += bytesRead;
      if (bytes > limit) return undefined;
      hash.update(buffer.subarray(0, bytesRead));
    }
    return { bytes, sha256: hash.digest("hex") };
  } finally {
    await handle.close();
  }
}

/** More than any program of ours has; files, and bytes of all of them. */
const TREE_LIMITS = { files: 2_000, bytes: 1 << 30 };

/**
 * Digests a folder as a whole: the names and contents of all files in it, and nothing else. Bounded in memory and time.
 *
 * @returns hex; undefined when it holds a link or anything else that is no file, or too much
 * @throws the file system's own error
 */
export async function digestTree(folder: string): Promise<string | undefined> {
  const files: string[] = [];
  const folders = [""];
  for (let inside = folders.pop(); inside !== undefined; inside = folders.pop()) {
    for (const entry of await readdir(path.join(folder, inside), { withFileTypes: true })) {
      const name = path.posix.join(inside, entry.name);
      if (entry.isDirectory()) folders.push(name);
      else if (entry.isFile()) files.push(name);
      else return undefined;
      if (files.length + folders.length > TREE_LIMITS.files) return undefined;
    }
  }
  const whole = createHash("sha256");
  let left = TREE_LIMITS.bytes;
  for (const name of files.toSorted()) {
    const digested = await digestFile(path.join(folder, name), left);
    if (digested === undefined) return undefined;
    left -= digested.bytes;
    whole.update(`${JSON.stringify(name)} ${digested.bytes} ${digested.sha256}\n`);
  }
  return whole.digest("hex");
}
