import { z } from "zod";
import type { Random } from "./random.ts";

/** What a text grows out of. */
export interface Material {
  readonly seeds: readonly string[];
  /** words that mean something to what reads the text */
  readonly words: readonly string[];
}

/** UTF-16 units; one case in fifty may be ten times as long. */
const LONGEST = 12_000;

/** What has broken parsers before: ends, signs that close something, invisible ones, halves of characters. */
const ODD: readonly string[] = [
  ..."\0 \t \r \n \r\n \u0085 \u2028 \u2029 \u200B \u200D \u202E \uFEFF \uFFFD \uD800 \uDC00 \uFE0F \u0301".split(" "),
  ..."\u001B[31m \u001B]0;t\u0007 \u009B1A 😀 é ſ K ／ ＜ — “ \\ \\\\ \\u0000 \\n \" ' ` ``` ~~~ $ % %00 %ff & < > </ -->".split(
    " ",
  ),
  ..."<!-- ::error:: ##[error] __proto__ constructor toString hasOwnProperty prototype null undefined NaN Infinity".split(
    " ",
  ),
  ..."-1 0 -0 1e999 1e308 0.1 00 9007199254740993 99999999999999999999 4294967296 2147483648 1.2.3 0x10 true".split(
    " ",
  ),
  ...[
    " ",
    "",
    "a".repeat(300),
    " ".repeat(300),
    "[".repeat(200),
    "(".repeat(60),
    "\t\t\t\t",
    "- ",
    "../",
    "/..",
    "\n\n",
  ],
];

/** A seed, changed in one to a dozen places. */
export function mutated(random: Random, { seeds, words }: Material): string {
  let text = random.one(seeds);
  const limit = random.once(50) ? 10 * LONGEST : LONGEST;
  const times = random.once(20) ? 0 : 1 + random.below(random.once(4) ? 12 : 4);
  for (let i = 0; i < times; i += 1) {
    text = random.one(CHANGES)(text, random, { seeds, words });
    if (text.length > limit) text = text.slice(0, limit);
  }
  return text;
}

/** The same for a byte string. */
export function mutatedBytes(random: Random, material: Material): string {
  return mutated(random, material).replaceAll(/[^\0-\u00FF]/gu, (character) =>
    Buffer.from(character).toString("latin1"),
  );
}

type Change = (text: string, random: Random, material: Material) => string;

function put(text: string, at: number, instead: string, length = 0): string {
  return text.slice(0, at) + instead + text.slice(at + length);
}

function byLines(change: (lines: string[], random: Random, material: Material) => void): Change {
  return (text, random, material) => {
    const lines = text.split("\n");
    change(lines, random, material);
    return lines.join("\n");
  };
}

const CHANGES: readonly Change[] = [
  // one character becomes a neighbour, or any
  (text, random) => {
    const at = random.below(text.length);
    const code = text.charCodeAt(at) || 0;
    return put(text, at, String.fromCharCode(random.once(3) ? random.below(256) : code ^ (1 << random.below(8))), 1);
  },
  (text, random) => put(text, random.below(text.length + 1), random.one(ODD), random.below(3)),
  (text, random, { words }) =>
    words.length === 0 ? text : put(text, random.below(text.length + 1), random.one(words), random.below(2)),
  // a piece is gone, twice there, there very often, or at another place
  (text, random) => put(text, random.below(text.length), "", 1 + random.below(random.once(2) ? 8 : text.length / 2)),
  (text, random) => {
    const [at, length] = [random.below(text.length), 1 + random.below(200)];
    return put(text, at, text.slice(at, at + length).repeat(1 + random.below(3)));
  },
  (text, random) => {
    const [at, length] = [random.below(text.length), 1 + random.below(random.once(2) ? 4 : 60)];
    return put(text, at, text.slice(at, at + length).repeat(1 + random.below(random.once(10) ? 3000 : 300)));
  },
  (text, random) => {
    const [at, length] = [random.below(text.length), 1 + random.below(60)];
    return put(put(text, at, "", length), random.below(text.length - length), text.slice(at, at + length));
  },
  (text, random) => text.slice(0, random.below(text.length)),
  (text, random) => text.slice(random.below(text.length)),
  // half of this, half of another
  (text, random, { seeds }) => {
    const other = random.one(seeds);
    return text.slice(0, random.below(text.length + 1)) + other.slice(random.below(other.length + 1));
  },
  (text, random) => text.replace(/\d+/u, () => random.one(ODD)),
  (text, random) => {
    const numbers = [...text.matchAll(/\d+/gu)];
    if (numbers.length === 0) return text;
    const { index, 0: digits } = random.one(numbers);
    return put(
      text,
      index,
      String(random.one([0, 1, 2 ** 31, 2 ** 53, Number(digits) + 1, -Number(digits)])),
      digits.length,
    );
  },
  byLines((lines, random) => lines.splice(random.below(lines.length), 1)),
  byLines((lines, random) => lines.splice(random.below(lines.length), 0, random.one(lines))),
  byLines((lines, random) => {
    const [one, other] = [random.below(lines.length), random.below(lines.length)];
    [lines[one], lines[other]] = [lines[other] ?? "", lines[one] ?? ""];
  }),
  byLines((lines, random, { seeds }) =>
    lines.splice(random.below(lines.length + 1), 0, random.one(random.one(seeds).split("\n"))),
  ),
];

/** One value inside a great many brackets. */
function deep(text: string, random: Random): string {
  const times = random.one([1_000, 20_000]);
  const plain = [...text.matchAll(/(?<=:)(?:\d+|null|true|false)/gu)];
  if (plain.length === 0) return text;
  const { index, 0: value } = random.one(plain);
  return put(text, index, `${"[".repeat(times)}${value}${"]".repeat(times)}`, value.length);
}

const Json = z.json();
type Json = z.infer<typeof Json>;

/** JSON whose values, keys and shape differ from a seed's here and there; now and then broken as a text besides. */
export function mutatedJson(random: Random, material: Material): string {
  const seed = random.one(material.seeds);
  let value = parsed(seed);
  if (value === undefined || random.once(8)) return mutated(random, material);
  const times = random.once(20) ? 0 : 1 + random.below(5);
  for (let i = 0; i < times; i += 1) value = changedJson(value, random, material);
  const text = JSON.stringify(value);
  // A key that JavaScript gives no object but JSON does.
  const named = random.once(30) ? text.replace(/"\w+":/u, '"__proto__":') : text;
  if (random.once(60)) return deep(named, random);
  return random.once(10) ? mutated(random, { ...material, seeds: [named] }) : named;
}

/** Seeds are the same for all cases. */
const known = new Map<string, Json | undefined>();

function parsed(seed: string): Json | undefined {
  if (!known.has(seed)) known.set(seed, read(seed));
  return known.get(seed);
}

function read(text: string): Json | undefined {
  try {
    return Json.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

const LEAVES: readonly Json[] = [
  ...[
    null,
    true,
    false,
    0,
    -1,
    1,
    1.5,
    1e308,
    2 ** 31,
    2 ** 53,
    2 ** 53 + 2,
    "",
    "0",
    "null",
    [],
    {},
    [[]],
    [null],
    { a: {} },
  ],
  ..."constructor __proto__ toString ../../etc/passwd /etc/passwd 2026-13-45T99:99:99Z 2026-03-01T12:00:00.000Z".split(
    " ",
  ),
  "x".repeat(5_000),
];

function changedJson(value: Json, random: Random, material: Material): Json {
  const target = random.below(count(value));
  let seen = 0;
  const visit = (inner: Json): Json => {
    const here = seen === target;
    seen += 1;
    if (here) return changedValue(inner, random, material);
    if (typeof inner !== "object" || inner === null) return inner;
    if (Array.isArray(inner)) return inner.map(visit);
    return Object.fromEntries(Object.entries(inner).map(([key, one]) => [key, visit(one)]));
  };
  return visit(value);
}

function count(value: Json): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce<number>((sum, inner) => sum + count(inner), 1);
}

function changedValue(value: Json, random: Random, material: Material): Json {
  if (random.once(3)) return leaf(random, material);
  if (typeof value === "string") return mutated(random, { ...material, seeds: [value, ...material.words] });
  if (typeof value === "number") return random.one([value + 1, -value, value * 1e9, value / 3, String(value)]);
  if (Array.isArray(value)) return changedArray(value, random, material);
  return typeof value === "object" && value !== null ? changedObject(value, random, material) : leaf(random, material);
}

function leaf(random: Random, { words }: Material): Json {
  return random.one(words.length > 0 && random.once(3) ? words : LEAVES);
}

function changedArray(value: Json[], random: Random, material: Material): Json {
  const some = [...value];
  if (some.length === 0 || random.once(3)) some.push(leaf(random, material));
  else if (random.once(2)) some.splice(random.below(some.length), 1);
  else some.push(...manyOf(value, random));
  return random.once(10) ? Object.fromEntries(some.entries()) : some;
}

/** Some of them again, as long as the text does not grow beyond what any reader takes. */
function manyOf(value: readonly Json[], random: Random): readonly Json[] {
  const sizes = new Map(value.map((one) => [one, JSON.stringify(one).length]));
  let room = 10 * LONGEST;
  return Array.from({ length: random.once(10) ? 2_500 : 3 }, () => random.one(value)).filter((one) => {
    room -= sizes.get(one) ?? 0;
    return room > 0;
  });
}

function changedObject(value: Record<string, Json>, random: Random, material: Material): Json {
  const pairs = Object.entries(value);
  if (pairs.length === 0 || random.once(3)) return { ...value, [random.one(ODD)]: leaf(random, material) };
  const [name, inner] = random.one(pairs);
  if (random.once(4)) return Object.fromEntries(pairs.filter(([key]) => key !== name));
  if (random.once(3)) return Object.fromEntries(pairs.map(([key, one]) => [key === name ? random.one(ODD) : key, one]));
  const [other] = random.one(pairs);
  return random.once(4) ? nested(value, 1 + random.below(200)) : { ...value, [other]: inner };
}

function nested(value: Json, times: number): Json {
  let around = value;
  for (let i = 0; i < times; i += 1) around = i % 2 === 0 ? [around] : { a: around };
  return around;
}

/** The bytes in pieces, as a pipe brings them. */
export function pieces(random: Random, bytes: Buffer): readonly Buffer[] {
  const cuts = Array.from({ length: random.below(6) }, () => random.below(bytes.length + 1)).toSorted((a, b) => a - b);
  return [...cuts, bytes.length].map((end, i) => bytes.subarray(cuts[i - 1] ?? 0, end));
}
