import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { Digested } from "./digest.ts";

/** Names of files that hold secrets, as part of any path; in lower case (C13). `*` stands for anything. */
const SECRET_NAMES: readonly string[] = [
  ..."*.pem *.key *.p8 *.p12 *.pfx *.jks *.keystore *.ppk *.kdbx id_rsa* id_dsa* id_ecdsa* id_ed25519*".split(" "),
  ...".env* .netrc .pgpass .pypirc .git-credentials auth.json".split(" "),
];

const SECRET_NAME = new RegExp(`^(?:${SECRET_NAMES.map(toPattern).join("|")})$`, "iu");

/** Whether a path, or one of the folders in it, has the name of a file of secrets. */
export function isNamedSecret(path: string): boolean {
  return path.split("/").some((name) => SECRET_NAME.test(name));
}

/** Shorter values are in every file. */
const SHORTEST = 6;

/** Finds given values, also the way that they are written in URLs, JSON and base64. All texts are byte strings. */
export class SecretValues {
  readonly #values: readonly string[];

  constructor(values: readonly string[]) {
    const written = new Set(values.flatMap((value) => (value.length < SHORTEST ? [] : spellings(value))));
    // The longest first: a shorter one may be a part of it.
    this.#values = [...written]
      .map((value) => Buffer.from(value).toString("latin1"))
      .toSorted((a, b) => b.length - a.length);
  }

  /** How long the longest is; 0: none. */
  get longest(): number {
    return Math.max(0, ...this.#values.map((value) => value.length));
  }

  areInBytes(bytes: Buffer): boolean {
    return this.#values.some((value) => bytes.includes(value, 0, "latin1"));
  }

  areIn(text: string): boolean {
    return this.#values.some((value) => text.includes(value));
  }

  /** The text without them. */
  hiddenIn(text: string): string {
    return this.#values.reduce((hidden, value) => hidden.replaceAll(value, "***"), text);
  }
}

function spellings(value: string): readonly string[] {
  return [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1), ...withinBase64(value)];
}

/** How the value looks in base64, alone or inside of a longer text: one way for each place where it may begin. */
function withinBase64(value: string): readonly string[] {
  const bytes = Buffer.from(value);
  return [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    return encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
}

function toPattern(name: string): string {
  return name.replaceAll(".", String.raw`\.`).replaceAll("*", ".*");
}

/** How many bytes of a file are searched at a time. */
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
  const { longest } = values;
  const { size } = await from.stat();
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK, size + 1) + longest);
  let bytes = 0;
  for (let held = 0; ;) {
    const { bytesRead } = await from.read(buffer, held, buffer.length - longest, null);
    const known = buffer.subarray(0, held + bytesRead);
    const clean = values.areInBytes(known) ? Buffer.from(values.hiddenIn(known.toString("latin1")), "latin1") : known;
    // A value may go on in what is read next.
    const end = bytesRead === 0 ? clean.length : Math.max(0, clean.length - longest);
    // Digested while it is written.
    const writing = writeAll(to, clean.subarray(0, end));
    hash.update(clean.subarray(0, end));
    await writing;
    bytes += end;
    if (bytesRead === 0) return { bytes, sha256: hash.digest("hex") };
    held = clean.copy(buffer, 0, end);
  }
}

async function writeAll(to: FileHandle, piece: Buffer): Promise<void> {
  for (let at = 0; at < piece.length;) at += (await to.write(piece, at)).bytesWritten;
}
