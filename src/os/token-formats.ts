import { bitsOf } from "../core/policy/secret-variables.ts";

/** A piece of a text; `end` is behind it. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Longest token that is found as a whole; in characters. */
export const LONGEST_TOKEN = 24_576;

/** How tokens begin. Everything after it is looked at by `TOKENS`, from there on and within bounds. */
const BEGINNING = /gh[oprsu]_|github_pat_|sk-|A[KS]IA|xox[a-z]-|xapp-|glpat-|npm_|hf_|AIza|pypi-|eyJ|-----BEGIN /gu;

/** Whole tokens, looked for where one begins; none may be part of a longer word. Repetitions are bounded. */
const TOKENS: readonly RegExp[] = [
  /gh[oprsu]_(?<random>[A-Za-z\d]{30,255})/uy,
  /github_pat_(?<random>[A-Za-z\d_]{40,255})/uy,
  /sk-(?<random>(?:ant-|proj-|svcacct-|or-)?[A-Za-z\d_-]{20,255})/uy,
  /A[KS]IA(?<random>[A-Z2-7]{16})(?![A-Za-z\d])/uy,
  /xox[a-z]-(?<random>[A-Za-z\d-]{20,255})/uy,
  /xapp-(?<random>[A-Za-z\d-]{20,255})/uy,
  /glpat-(?<random>[A-Za-z\d_.-]{20,255})/uy,
  /npm_(?<random>[A-Za-z\d]{36,255})/uy,
  /hf_(?<random>[A-Za-z\d]{30,255})/uy,
  /AIza(?<random>[A-Za-z\d_-]{35})(?![A-Za-z\d_-])/uy,
  /pypi-(?<random>[A-Za-z\d_-]{50,1000})/uy,
];

/** A private key, also where its lines are escaped; never the quotation mark that ends a text in JSON. */
const PRIVATE_KEY =
  /-----BEGIN (?:[A-Z\d]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:[A-Za-z\d+/=\s:,.]|-(?!----)|\\{1,8}[nrt/]){0,8000}(?:-----END [A-Z\d ]{0,40}-----)?/uy;

/** Words and placeholders such as `ghp_xxxxxxxx` are no tokens: bits for each character. */
const LEAST_BITS = 2.8;

const WORD = /[A-Za-z\d]/u;

/** Where a text holds tokens of known forms and private keys (T16), in order; the time grows with the length alone. */
export function tokensIn(text: string): readonly Range[] {
  const found: Range[] = [];
  const runs = [new Runs(), new Runs(), new Runs()] as const;
  BEGINNING.lastIndex = 0;
  for (let begun = BEGINNING.exec(text); begun !== null; begun = BEGINNING.exec(text)) {
    const start = begun.index;
    const isKey = begun[0].startsWith("-----");
    const end = isKey ? matchAt(PRIVATE_KEY, text, start)?.end : tokenAt(text, start, runs);
    if (end === undefined) continue;
    const before = found.at(-1);
    if (before === undefined || start >= before.end) found.push({ start, end });
    else found.splice(-1, 1, { start: before.start, end: Math.max(before.end, end) });
    // What looks like one may run into another that goes further.
    BEGINNING.lastIndex = start + begun[0].length;
  }
  return found;
}

/** Where runs of letters end. Each is measured once, however many beginnings it holds. */
class Runs {
  #start = 0;
  #end = -1;

  /** Behind the run that `at` is in. */
  endOf(text: string, at: number): number {
    if (at < this.#start || at > this.#end) {
      RUN.lastIndex = at;
      RUN.test(text);
      [this.#start, this.#end] = [at, RUN.lastIndex];
    }
    return this.#end;
  }
}
const RUN = /[A-Za-z\d_-]*/uy;

type ThreeRuns = readonly [Runs, Runs, Runs];

/** A JSON web token: three runs with points between; undefined: there is none. */
function webTokenAt(text: string, start: number, [head, claims, proof]: ThreeRuns): number | undefined {
  const one = head.endOf(text, start + 3);
  if (!isWithin(one - start - 3, 10, 4000) || !text.startsWith(".eyJ", one)) return undefined;
  const two = claims.endOf(text, one + 4);
  if (!isWithin(two - one - 4, 10, 8000) || text.charAt(two) !== ".") return undefined;
  const length = Math.min(proof.endOf(text, two + 1) - two - 1, 2000);
  return length < 16 ? undefined : two + 1 + length;
}

function isWithin(length: number, least: number, most: number): boolean {
  return length >= least && length <= most;
}

/** Enough to tell what was drawn by chance from what was written by hand; in characters. */
const JUDGED = 64;

function looksRandom(text: string): boolean {
  return /\d/u.test(text.slice(0, 4 * JUDGED)) && bitsOf(text.slice(0, JUDGED)) >= LEAST_BITS;
}

/** Where the token ends that begins at `start`; undefined: none does. */
function tokenAt(text: string, start: number, runs: ThreeRuns): number | undefined {
  // Behind a backslash, a letter is a sign: `\nsk-`.
  const isInWord = start > 0 && WORD.test(text.charAt(start - 1)) && text.charAt(start - 2) !== "\\";
  if (isInWord) return undefined;
  if (text.startsWith("eyJ", start)) {
    const end = webTokenAt(text, start, runs);
    return end !== undefined && looksRandom(text.slice(start + 3, start + 3 + 4 * JUDGED)) ? end : undefined;
  }
  for (const pattern of TOKENS) {
    const match = matchAt(pattern, text, start);
    if (match !== undefined) return looksRandom(match.random) ? match.end : undefined;
  }
  return undefined;
}

const KEY_BEGINS = /-----BEGIN [A-Z\d ]{0,40}PRIVATE KEY/u;
const KEY_LINE = /^[A-Za-z\d+/=:,\s-]*$/u;
/** Longer than any key. */
const KEY_LINES = 400;

/** Says of each line of a text, in order, whether it is an inner one of a private key. */
export function keyLines(): (line: string) => boolean {
  let left = 0;
  return (line) => {
    const inside = left > 0;
    left = inside ? left - 1 : 0;
    if (line.includes("-----END ")) left = 0;
    else if (KEY_BEGINS.test(line)) left = KEY_LINES;
    return inside && line.trim() !== "" && KEY_LINE.test(line);
  };
}

function matchAt(pattern: RegExp, text: string, at: number): { end: number; random: string } | undefined {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  return match === null ? undefined : { end: pattern.lastIndex, random: match.groups?.["random"] ?? "" };
}
