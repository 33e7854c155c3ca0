import { createCipheriv, createDecipheriv, createHash, randomBytes, scryptSync } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { openToRead } from "./own-file.ts";

/**
 * A sealed file: `SMSEAL`, a NUL, the version, the salt of the key, the nonce, the content encrypted with AES-256-GCM,
 * and the tag that proves all of it. The version fixes the algorithms and their parameters: none is read from a file.
 */
const MAGIC = Buffer.from("SMSEAL\0", "latin1");
const VERSION = 1;
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SALT_AT = MAGIC.length + 1;
const NONCE_AT = SALT_AT + SALT_BYTES;
const HEADER_BYTES = NONCE_AT + NONCE_BYTES;
const CIPHER = "aes-256-gcm";
const KEY_BYTES = 32;
/** 8 MiB of memory and about 20 ms; the key should be a random secret, not a word. */
const SCRYPT = { N: 2 ** 13, r: 8, p: 1 };

/** Why something sealed could not be opened. What was there before is untouched. */
export class SealError extends Error {
  override readonly name = "SealError";
  /** `altered`: somebody changed it, or the key is another one; the two cannot be told apart */
  readonly because: "not_sealed" | "newer" | "altered";

  constructor(because: SealError["because"], message: string) {
    super(message);
    this.because = because;
  }
}

/** Encrypts; what comes out can be opened with the same `key` only, and not be altered unnoticed. */
export function seal(key: string, plain: Buffer): Buffer {
  const header = newHeader(key);
  const cipher = cipherFor(key, header);
  return Buffer.concat([header, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/**
 * The other way round.
 *
 * @throws SealError when `sealed` was never sealed, was altered, or was made with another key
 */
export function unseal(key: string, sealed: Buffer): Buffer {
  const decipher = decipherFor(key, sealed.subarray(0, HEADER_BYTES), sealed.length);
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  const plain = decipher.update(sealed.subarray(HEADER_BYTES, -TAG_BYTES));
  return Buffer.concat([plain, proved(() => decipher.final())]);
}

/**
 * Like `seal`, from file to file in bounded memory. `to` is replaced. Rejects with the file system's own error.
 *
 * @param from a link is not followed
 * @param limit bytes; Error when there is more, however the file grows meanwhile
 */
export async function sealFile(key: string, from: string, to: string, limit = Infinity): Promise<void> {
  const header = newHeader(key);
  const cipher = cipherFor(key, header);
  const handle = await openToRead(from);
  const plain: AsyncIterable<Buffer> = handle.createReadStream({ start: 0, autoClose: false });
  const framed = async function* () {
    yield header;
    let bytes = 0;
    for await (const chunk of plain) {
      bytes += chunk.length;
      if (bytes > limit) throw new Error(`${from} has more than ${limit} bytes.`);
      yield cipher.update(chunk);
    }
    yield Buffer.concat([cipher.final(), cipher.getAuthTag()]);
  };
  try {
    await pipeline(framed(), createWriteStream(to));
  } finally {
    await handle.close();
  }
}

/**
 * Like `unseal`, from file to file in bounded memory. `to` appears, or is replaced, when all of it is proved.
 *
 * @throws SealError when `from` was never sealed, was altered, or was made with another key
 */
export async function unsealFile(key: string, from: string, to: string): Promise<void> {
  const { header, tag, bytes } = await readEnds(from);
  const decipher = decipherFor(key, header, bytes);
  decipher.setAuthTag(tag);
  const opened = async function* () {
    for await (const chunk of contentOf(from, bytes)) yield decipher.update(chunk);
    yield proved(() => decipher.final());
  };
  const unproved = `${to}.${randomBytes(6).toString("hex")}.unproved`;
  try {
    await pipeline(opened(), createWriteStream(unproved, { flags: "wx" }));
    await rename(unproved, to);
  } catch (error) {
    await rm(unproved, { force: true });
    throw error;
  }
}

async function readEnds(file: string): Promise<{ header: Buffer; tag: Buffer; bytes: number }> {
  const handle = await open(file, "r");
  try {
    const bytes = (await handle.stat()).size;
    const header = Buffer.alloc(Math.min(HEADER_BYTES, bytes));
    await handle.read(header, 0, header.length, 0);
    const tag = Buffer.alloc(TAG_BYTES);
    if (bytes >= TAG_BYTES) await handle.read(tag, 0, TAG_BYTES, bytes - TAG_BYTES);
    return { header, tag, bytes };
  } finally {
    await handle.close();
  }
}

/** The bytes between header and tag. */
function contentOf(file: string, bytes: number): AsyncIterable<Buffer> | Iterable<Buffer> {
  const end = bytes - TAG_BYTES - 1;
  return end < HEADER_BYTES ? [] : createReadStream(file, { start: HEADER_BYTES, end });
}

function cipherFor(key: string, header: Buffer) {
  const cipher = createCipheriv(CIPHER, derive(key, saltOf(header)), header.subarray(NONCE_AT));
  return cipher.setAAD(header);
}

function decipherFor(key: string, header: Buffer, bytes: number) {
  if (bytes < HEADER_BYTES + TAG_BYTES || !header.subarray(0, MAGIC.length).equals(MAGIC))
    throw new SealError("not_sealed", "this is not something that was sealed");
  if (header[MAGIC.length] !== VERSION) throw new SealError("newer", "this was sealed by a newer version");
  const options = { authTagLength: TAG_BYTES };
  const decipher = createDecipheriv(CIPHER, derive(key, saltOf(header)), header.subarray(NONCE_AT), options);
  return decipher.setAAD(header);
}

function proved(final: () => Buffer): Buffer {
  try {
    return final();
  } catch {
    throw new SealError("altered", "it was sealed with another key, or somebody altered it");
  }
}

/** Everything that one process seals with one key has one salt, so that the key is derived once. */
function newHeader(key: string): Buffer {
  const name = createHash("sha256").update(key, "utf8").digest("hex");
  const salt = salts.get(name) ?? randomBytes(SALT_BYTES);
  salts.set(name, salt);
  return Buffer.concat([MAGIC, Buffer.of(VERSION), salt, randomBytes(NONCE_BYTES)]);
}

function saltOf(header: Buffer): Buffer {
  return header.subarray(SALT_AT, NONCE_AT);
}

function derive(key: string, salt: Buffer): Buffer {
  const name = createHash("sha256").update(salt).update(key, "utf8").digest("hex");
  const derived = derivedKeys.get(name) ?? scryptSync(key, salt, KEY_BYTES, SCRYPT);
  derivedKeys.set(name, derived);
  return derived;
}

const salts = new Map<string, Buffer>();
const derivedKeys = new Map<string, Buffer>();
