import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { Digested } from "../os/digest.ts";
import type { SecretValues } from "../os/secrets.ts";

/** So much is looked at at once, in bytes. */
const CHUNK = 1 << 20;

/**
 * Copies a file of any length, with `***` where it holds one of the values: an agent may have found one and said it, and
 * artifacts are read by many (T2, T16). It is read once: looked through, digested and written in one go.
 *
 * @param source a link is not followed
 * @param target must not exist
 * @returns what the copy is
 * @throws the file system's own error
 */
export async function copyWithout(values: SecretValues, source: string, target: string): Promise<Digested> {
  const from = await open(source, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const to = await open(target, "wx");
    try {
      return await copy(values, from, to);
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
}

async function copy(values: SecretValues, from: FileHandle, to: FileHandle): Promise<Digested> {
  const hash = createHash("sha256");
  let bytes = 0;
  const put = async (piece: Buffer): Promise<void> => {
    const writing = writeAll(to, piece);
    hash.update(piece);
    bytes += piece.length;
    await writing;
  };
  const { longest } = values;
  const { size } = await from.stat();
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK, size + 1) + longest);
  let held = 0;
  for (;;) {
    const { bytesRead } = await from.read(buffer, held, buffer.length - longest, null);
    const known = buffer.subarray(0, held + bytesRead);
    const clean = values.areInBytes(known) ? Buffer.from(values.hiddenIn(known.toString("latin1")), "latin1") : known;
    // A value may go on in what is read next.
    const end = bytesRead === 0 ? clean.length : Math.max(0, clean.length - longest);
    await put(clean.subarray(0, end));
    if (bytesRead === 0) return { bytes, sha256: hash.digest("hex") };
    held = clean.copy(buffer, 0, end);
  }
}

async function writeAll(to: FileHandle, piece: Buffer): Promise<void> {
  for (let at = 0; at < piece.length;) at += (await to.write(piece, at)).bytesWritten;
}
