import { inflateSync } from "node:zlib";

/** A ref that a push moves; null: it is not there before, or not afterwards. */
export interface RefMove {
  readonly ref: string;
  readonly from: string | null;
  readonly to: string | null;
}

/** What a client sends to `git receive-pack` (gitprotocol-pack). */
export interface Push {
  readonly moves: readonly RefMove[];
  /** empty where every ref is deleted, or all objects are there */
  readonly pack: Buffer;
  readonly hasSideBand: boolean;
}

const COMMAND = /^([\da-f]+) ([\da-f]+) ([^\0\n]+)(?:\0(.*))?/su;
const NOTHING = /^0+$/u;

/** Takes a push apart; commands of a shallow client, which say no ref, are left out. */
export function readPush(body: Buffer): Push {
  const moves: RefMove[] = [];
  let hasSideBand = false;
  let at = 0;
  for (;;) {
    const length = Number.parseInt(body.toString("latin1", at, at + 4), 16);
    if (!(length > 0)) break;
    const line = body.toString("utf8", at + 4, at + length);
    at += length;
    const [, from = "", to = "", ref = "", capabilities = ""] = COMMAND.exec(line) ?? [];
    if (ref === "") continue;
    moves.push({ ref: ref.trim(), from: idOf(from), to: idOf(to) });
    hasSideBand ||= capabilities.includes("side-band-64k");
  }
  const pack = body.indexOf("PACK", at);
  return { moves, pack: pack === -1 ? Buffer.alloc(0) : body.subarray(pack), hasSideBand };
}

function idOf(id: string): string | null {
  return NOTHING.test(id) ? null : id;
}

/** The answer to a push of which no ref is moved. */
export function refusePush({ moves, hasSideBand }: Push, why: string): Buffer {
  const report = [line("unpack ok\n"), ...moves.map(({ ref }) => line(`ng ${ref} ${why}\n`)), "0000"].join("");
  return Buffer.from(hasSideBand ? `${line(`\u0001${report}`)}0000` : report);
}

function line(text: string): string {
  return `${(Buffer.byteLength(text) + 4).toString(16).padStart(4, "0")}${text}`;
}

/** More than this is not looked through. */
const LARGE = 1 << 20;
const TAIL = { sha1: 20, sha256: 32 } as const;
const [COMMIT, OFFSET_DELTA, NAMED_DELTA] = [1, 6, 7];
const PARENT = /^parent ([\da-f]+)$/gmu;

/** What shows in a pack without its base. */
export interface PackContent {
  /** whether an object, or what it adds to another one, holds the bytes that were asked for; true where that takes long */
  readonly mentions: boolean;
  /** of its commits */
  readonly parents: readonly string[];
}

/** Looks through a pack for some bytes. */
export function lookThrough(pack: Buffer, text: string, format: keyof typeof TAIL): PackContent {
  const parents: string[] = [];
  if (pack.length === 0) return { mentions: false, parents };
  if (pack.length > LARGE) return { mentions: true, parents };
  let at = 12;
  for (let left = pack.readUInt32BE(8); left > 0; left -= 1) {
    const type = ((pack[at] ?? 0) >> 4) & 7;
    at = endOfNumber(pack, at);
    if (type === OFFSET_DELTA) at = endOfNumber(pack, at);
    if (type === NAMED_DELTA) at += TAIL[format];
    const { buffer, engine } = inflated(pack.subarray(at));
    if (buffer.includes(text)) return { mentions: true, parents };
    if (type === COMMIT) parents.push(...Array.from(buffer.toString("latin1").matchAll(PARENT), ([, id = ""]) => id));
    at += engine.bytesWritten;
  }
  return { mentions: false, parents };
}

function endOfNumber(pack: Buffer, from: number): number {
  let at = from;
  while (((pack[at] ?? 0) & 0x80) !== 0) at += 1;
  return at + 1;
}

interface Inflated {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}

/** With `info`, Node says as well how much of the input it took, which its types leave out. */
function inflated(input: Buffer): Inflated {
  const given: unknown = inflateSync(input, { info: true });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as Node documents it
  return given as Inflated;
}
