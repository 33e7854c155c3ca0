import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { partsOfSecret } from "../core/policy/secret-variables.ts";
import type { Digested } from "./digest.ts";
import { LONGEST_TOKEN, type Range, tokensIn } from "./token-formats.ts";

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

const HIDDEN = "***";

/** The first part of a text without its secrets. */
interface Cleaned {
  readonly text: string;
  /** how much of what follows belongs to a secret that the part ends in, and is hidden with it */
  readonly more: number;
}

/** A secret in a text. */
interface Found extends Range {
  readonly isGiven: boolean;
}

/**
 * Finds given values, also the way that they are written in URLs, JSON, HTML, shells, hex and base64, and whatever has the form of a token
 * or a private key. All texts are byte strings.
 */
export class SecretValues {
  /** for what holds no text: nothing is found */
  static readonly none = new SecretValues([], false);

  #values: readonly string[] = [];
  readonly #formats: boolean;

  /** @param formats whether tokens are also found by their form */
  constructor(values: readonly string[], formats = true) {
    this.#formats = formats;
    this.add(...values);
  }

  /** Looks for these as well from now on, and for what is secret by itself in one of several lines. */
  add(...values: readonly string[]): void {
    const whole = values.filter((value) => value.length >= SHORTEST);
    const written = whole.flatMap((value) => [value, ...partsOfSecret(value)]).flatMap(spellings);
    this.#values = [...new Set([...this.#values, ...written.map(byteString)])];
  }

  /** How long the longest is that can be found; 0: nothing is looked for. */
  get longest(): number {
    return Math.max(this.#formats ? LONGEST_TOKEN : 0, ...this.#values.map((value) => value.length));
  }

  areIn(text: string): boolean {
    return this.#values.some((value) => text.includes(value)) || (this.#formats && tokensIn(text).length > 0);
  }

  /** Where they are, in order. `isGiven`: it is one of the values, else it has the form of a token or a private key. */
  found(text: string): readonly Found[] {
    const given = this.#given(text).map((range) => ({ ...range, isGiven: true }));
    const forms = (this.#formats ? tokensIn(text) : []).map((range) => ({ ...range, isGiven: false }));
    const others = forms.filter(({ start, end }) => !given.some((range) => range.start < end && start < range.end));
    return [...given, ...others].toSorted((a, b) => a.start - b.start);
  }

  /** The text without them. */
  hiddenIn(text: string): string {
    return this.cleaned(text, text.length, 0).text;
  }

  /**
   * The same for a text that is no byte string.
   *
   * @param end shows no more of the text; what goes on behind it is found as well
   */
  hiddenInWords(text: string, end = text.length): string {
    const bytes = byteString(text);
    const shown = text.slice(0, end);
    const upTo = end < text.length ? byteString(shown.replace(/[\uD800-\uDBFF]$/u, "")).length : bytes.length;
    const hidden = this.cleaned(bytes, upTo, 0).text;
    // Nearly all texts hold none.
    return hidden === bytes.slice(0, upTo) ? shown : Buffer.from(hidden, "latin1").toString();
  }

  /**
   * A text without them up to `end`; one that goes on behind it is found as well.
   *
   * @param already how much of the beginning belongs to a secret that was hidden before
   */
  cleaned(text: string, end: number, already: number): Cleaned {
    let clean = "";
    let at = 0;
    for (const range of this.#rangesIn(text, already)) {
      if (range.start >= end) break;
      clean += text.slice(at, range.start) + (range.start === 0 && already > 0 ? "" : HIDDEN);
      at = range.end;
    }
    return { text: at < end ? clean + text.slice(at, end) : clean, more: Math.max(0, at - end) };
  }

  /** In order; what overlaps is one. */
  #rangesIn(text: string, already: number): readonly Range[] {
    const found: Range[] = [...(already > 0 ? [{ start: 0, end: already }] : []), ...this.#given(text)];
    for (const range of this.#formats ? tokensIn(text) : []) found.push(range);
    const joined: Range[] = [];
    for (const range of found.toSorted((a, b) => a.start - b.start)) {
      const last = joined.at(-1);
      if (last === undefined || range.start >= last.end) joined.push(range);
      else joined.splice(-1, 1, { start: last.start, end: Math.max(last.end, range.end) });
    }
    return joined;
  }

  #given(text: string): readonly Range[] {
    const found: Range[] = [];
    for (const value of this.#values) {
      for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + value.length))
        found.push({ start: at, end: at + value.length });
    }
    return found;
  }
}

function byteString(text: string): string {
  return Buffer.from(text).toString("latin1");
}

/** How others write it: addresses, JSON, JSON in JSON, HTML, shells, hex, base64. Most tokens have few that differ. */
function spellings(value: string): readonly string[] {
  const json = JSON.stringify(value).slice(1, -1);
  const address = encodeURIComponent(value);
  const html = value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
  const bytes = Buffer.from(value);
  return [
    value,
    ...[address, lowerHex(address), address.replaceAll("%20", "+")],
    ...[address, lowerHex(address)].map((text) => text.replaceAll(/[!'()*]/gu, percent)),
    ...[json, json.replaceAll("/", String.raw`\/`), JSON.stringify(json).slice(1, -1), withEscapes(json)],
    ...[html, html.replaceAll("'", "&#39;"), html.replaceAll("'", "&#x27;")],
    ...[value.replaceAll("'", String.raw`'\''`), value.replaceAll(/[^\w@%+=:,./-]/gu, String.raw`\$&`)],
    ...[bytes.toString("hex"), bytes.toString("hex").toUpperCase()],
    ...withinBase64(value),
  ];
}

function lowerHex(address: string): string {
  return address.replaceAll(/%[\dA-F]{2}/gu, (escaped) => escaped.toLowerCase());
}

/** What `encodeURIComponent` leaves and others do not. */
function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** JSON of programs that write ASCII alone, and of those that spare HTML. */
function withEscapes(json: string): string {
  return json.replaceAll(/[<>&'\u007F-\uFFFF]/gu, (character) => {
    return String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/**
 * How the value looks in base64, alone or inside of a longer text: one way for each place where it may begin; also in the
 * alphabet for addresses.
 */
function withinBase64(value: string): readonly string[] {
  const bytes = Buffer.from(value);
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    const core = encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    return [core, core.replaceAll("+", "-").replaceAll("/", "_")];
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
 * @param limit bytes; Error when there is more, however the file grows meanwhile
 * @returns what the copy is
 * @throws the file system's own error
 */
export async function copyWithout(
  values: SecretValues,
  source: string,
  target: string,
  limit = Infinity,
): Promise<Digested> {
  const from = await open(source, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const to = await open(target, "wx");
    try {
      return await copy(values, from, to, limit);
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
}

async function copy(values: SecretValues, from: FileHandle, to: FileHandle, limit: number): Promise<Digested> {
  const hash = createHash("sha256");
  const { longest } = values;
  const { size } = await from.stat();
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK, size + 1) + longest);
  let bytes = 0;
  let already = 0;
  for (let held = 0; ;) {
    const { bytesRead } = await from.read(buffer, held, buffer.length - held, null);
    const known = held + bytesRead;
    if (bytesRead > 0 && known <= longest) {
      held = known;
      continue;
    }
    // A value may go on in what is read next.
    const end = bytesRead === 0 ? known : known - longest;
    const clean = values.cleaned(buffer.toString("latin1", 0, known), end, already);
    already = clean.more;
    const piece = Buffer.from(clean.text, "latin1");
    // Digested while it is written.
    const writing = writeAll(to, piece);
    hash.update(piece);
    await writing;
    bytes += piece.length;
    if (bytes > limit) throw new Error(`A file that is copied has more than ${limit} bytes.`);
    if (bytesRead === 0) return { bytes, sha256: hash.digest("hex") };
    held = buffer.copy(buffer, 0, end, known);
  }
}

async function writeAll(to: FileHandle, piece: Buffer): Promise<void> {
  for (let at = 0; at < piece.length;) at += (await to.write(piece, at)).bytesWritten;
}
