import type { Relation } from "./matchers.ts";
import { type Span, textOf, tokenAt } from "./spans.ts";
import type { Code } from "./tokens.ts";

/** What a test holds of something. Texts have one space between tokens. */
export interface Assertion {
  /** its first token */
  readonly place: number;
  readonly line: number;
  readonly subject: string;
  /** the subject, with what its first name stands for */
  readonly about: string;
  readonly relation: Exclude<Relation, "cond" | "within">;
  readonly negated: boolean;
  readonly expected: string | null;
  /** whether what is expected is written down, and not computed */
  readonly literal: boolean;
  /** where what is expected is written down */
  readonly expectedLine: number;
  /** the larger, the less is asked for; null: none is given */
  readonly tolerance: number | null;
  /** whether it holds whatever the code does */
  readonly trivial: boolean;
}

/** What stands for any value. */
const WILD = /\b(?:anything|any|ANY|Anything|AnyOf|AnyArg|kind_of|IsAny|instance_of) ?(?:\(|$)|\bmock \. ANY\b/gu;
const GENERAL_ERRORS =
  /^(?:Error|Exception|BaseException|Throwable|StandardError|RuntimeException|System \. Exception)(?: ::? class| \. class)?$/u;
const NOTHING: ReadonlySet<string> = new Set(["null", "nil", "None", "undefined", "NULL", "nullptr"]);
const STRENGTHS: Readonly<Record<Assertion["relation"], number>> = {
  ...{ eq: 5, throws: 5, called: 5, snapshot: 5, other: 5, approx: 4 },
  ...{ contains: 3, matches: 3, length: 3, less: 3, more: 3, type: 2, truthy: 2, some: 1 },
};
const NEGATED = 2;

export function isNothing(text: string): boolean {
  return NOTHING.has(text);
}

/** How many values are refused, roughly: 0: none, 5: all but one. */
export function strengthOf(assertion: Assertion): number {
  const { relation, negated, expected, trivial } = assertion;
  if (trivial) return 0;
  if (negated) return relation === "some" ? STRENGTHS.eq : NEGATED;
  if (relation === "throws" && isGeneral(expected)) return NEGATED;
  if (relation === "called" && expected === null) return NEGATED;
  return STRENGTHS[relation] - (wildcards(assertion) > 0 ? 1 : 0);
}

function isGeneral(error: string | null): boolean {
  return error === null || GENERAL_ERRORS.test(error);
}

export function wildcards({ expected }: Assertion): number {
  return expected?.match(WILD)?.length ?? 0;
}

/** The same of two assertions that hold the same. */
export function keyOf({ subject, relation, negated, expected, tolerance }: Assertion): string {
  return [relation, negated, subject, expected, tolerance].join("\0");
}

const THUNK =
  /^(?:async )?(?:\( \) (?:=>|->)|function \( \)|lambda :|func \( \)|fn \( \)|\| \||\|\||static fn \( \) =>)?(?: ?\{)? ?(?:return |await |yield )?/u;

/** A subject without what only puts it off: `() => f(1)` is `f ( 1 )`. */
export function plainSubject(text: string): string {
  const begun = text.replace(THUNK, "");
  return begun === text ? text : begun.replace(/(?: ;)?(?: \})?$/u, "");
}

const LITERAL_WORDS: ReadonlySet<string> = new Set(
  (
    "true false null nil None True False undefined NaN Infinity nullptr NULL new vec! Some Ok Err List Set Map map of listOf mapOf " +
    "setOf arrayOf emptyList Arrays asList Decimal BigDecimal BigInt Date to array string int int64 float64 byte bool Array " +
    "class std vector String u8 i32 u64 f64 approx pytest"
  ).split(" "),
);
const LITERAL_SIGNS: ReadonlySet<string> = new Set("[ ] { } ( ) , : - + :: . => = & % @ # * < > ->".split(" "));

const LONGEST_LITERAL = 4_000;

/** Whether a value is written down: nothing in it is named but its keys and what makes values. At most 4,000 tokens. */
export function isLiteral(code: Code, { from, to }: Span): boolean {
  if (to - from > LONGEST_LITERAL) return false;
  for (let place = from; place < to; place += 1) {
    const { kind, text } = tokenAt(code, place);
    const next = tokenAt(code, place + 1).text;
    const isKey = place + 1 < to && (next === ":" || next === "=>" || next === "=");
    if (kind === "word" && !isKey && !LITERAL_WORDS.has(text)) return false;
    if (kind === "sign" && !LITERAL_SIGNS.has(text)) return false;
  }
  return true;
}

/** What a name stands for, where it was said. */
export interface Constant {
  readonly text: string;
  readonly literal: boolean;
  readonly line: number;
}
export type Constants = ReadonlyMap<string, Constant>;

/** A text whose first name is told by what it stands for. */
export function resolved(text: string, constants: Constants): string {
  const end = text.indexOf(" ");
  const name = end === -1 ? text : text.slice(0, end);
  const known = constants.get(name);
  return known === undefined ? text : known.text + text.slice(name.length);
}

/** What stands in a span, or what its only name stands for. */
export function valueOf(code: Code, span: Span, constants: Constants): Constant {
  const { kind, text, line } = tokenAt(code, span.from);
  const known = kind === "word" && span.to - span.from === 1 ? constants.get(text) : undefined;
  return known ?? { text: textOf(code, span), literal: isLiteral(code, span), line };
}
