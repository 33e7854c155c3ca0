import { type Assertion, type Constants, isLiteral, isNothing, plainSubject, resolved, valueOf } from "./assertion.ts";
import { argumentsAt, parts, past, type Span, textAt, textOf, tokenAt } from "./spans.ts";
import type { Code } from "./tokens.ts";

/** What is held of a subject, before it is known where. */
export type Claim = Omit<Assertion, "place" | "line">;
type Plain = Claim["relation"];

const COMPARED: Readonly<Record<string, readonly [Plain, boolean]>> = {
  "==": ["eq", false],
  "===": ["eq", false],
  is: ["eq", false],
  "!=": ["eq", true],
  "!==": ["eq", true],
  "<": ["less", false],
  "<=": ["less", false],
  ">": ["more", false],
  ">=": ["more", false],
  in: ["contains", false],
  "=~": ["matches", false],
  instanceof: ["type", false],
};
const words = (text: string, relation: Plain) => text.split(" ").map((word) => [word, relation] as const);
/** Calls that compare, whatever they belong to. */
const COMPARING: ReadonlyMap<string, Plain> = new Map([
  ...words("equals Equal DeepEqual isEqual eql? equal? eq EqualFold allclose isclose array_equal", "eq"),
  ...words(
    "includes contains Contains include? startsWith HasPrefix HasSuffix start_with? endswith startswith",
    "contains",
  ),
  ...words("test match MatchString matches matches! match? fullmatch search", "matches"),
  ...words("isinstance is_a? kind_of? isArray", "type"),
  ...words("nil? is_none is_null isNull", "eq"),
  ...words("is_some is_ok isPresent has_value", "some"),
  ...words("empty? is_empty isEmpty", "length"),
]);

export interface Given {
  readonly negated: boolean;
  readonly constants: Constants;
  /** how deep in brackets and negations */
  readonly depth?: number;
}

const DEEPEST = 12;

/** What a condition holds, part by part where parts have to hold all. */
export function claimsOf(code: Code, span: Span, { negated, constants, depth = 0 }: Given): readonly Claim[] {
  const whole = unwrapped(code, span);
  if (depth > DEEPEST) return [];
  const given = { negated, constants, depth: depth + 1 };
  const [first, second] = [textAt(code, whole.from), textAt(code, whole.from + 1)];
  const all = negated ? ["||", "or"] : ["&&", "and"];
  const claims = parts(code, whole, ({ text }) => all.includes(text));
  if (claims.length > 1) return claims.flatMap((part) => claimsOf(code, part, given));
  const some = parts(code, whole, ({ text }) => ["||", "or", "&&", "and"].includes(text));
  if (some.length > 1) return [either(code, whole, some)];
  const isNot = first === "not" || (first === "!" && comparison(code, whole) === null);
  if (isNot && second !== "") {
    return claimsOf(code, { from: whole.from + 1, to: whole.to }, { ...given, negated: !negated });
  }
  return [claimOf(code, whole, given)];
}

/** One of several is enough. */
function either(code: Code, whole: Span, some: readonly Span[]): Claim {
  const literal = some.some((part) => isLiteral(code, part));
  const subject = textOf(code, whole);
  return { ...NO_VALUE, subject, about: subject, relation: "truthy", negated: false, trivial: literal };
}

const NO_VALUE = { expected: null, literal: false, expectedLine: 0, tolerance: null } as const;

function unwrapped(code: Code, span: Span): Span {
  let { from, to } = span;
  while (textAt(code, from) === "(" && past(code, from) === to) [from, to] = [from + 1, to - 1];
  return { from, to };
}

interface Comparison {
  readonly relation: Plain;
  readonly negated: boolean;
  readonly left: Span;
  readonly right: Span;
}

function comparison(code: Code, { from, to }: Span): Comparison | null {
  for (let place = from + 1; place < to - 1; place = past(code, place)) {
    const { text } = tokenAt(code, place);
    const [relation, negated] = COMPARED[Object.hasOwn(COMPARED, text) ? text : "-"] ?? [];
    if (relation === undefined || negated === undefined) continue;
    const before = textAt(code, place - 1);
    const [notIn, isNot] = [text === "in" && before === "not", text === "is" && textAt(code, place + 1) === "not"];
    const left = { from, to: notIn ? place - 1 : place };
    const right = { from: isNot ? place + 2 : place + 1, to };
    const sides = text === "in" ? { left: right, right: left } : { left, right };
    return { relation, negated: negated || notIn || isNot, ...sides };
  }
  return null;
}

function claimOf(code: Code, span: Span, { negated, constants }: Given): Claim {
  const compared = comparison(code, span) ?? comparingCall(code, span);
  if (compared === null) {
    const subject = textOf(code, span);
    const about = resolved(subject, constants);
    return { ...NO_VALUE, subject, about, relation: "truthy", negated, trivial: isLiteral(code, span) };
  }
  const { relation, left, right } = compared;
  const turned = relation === "less" || relation === "more";
  const opposite = relation === "less" ? "more" : "less";
  return held(code, {
    relation: turned && negated ? opposite : relation,
    negated: turned ? false : compared.negated !== negated,
    subject: left,
    expected: right,
    constants,
  });
}

function comparingCall(code: Code, { from, to }: Span): Comparison | null {
  for (let place = from; place < to; place = past(code, place)) {
    const relation = COMPARING.get(textAt(code, place));
    if (relation === undefined || past(code, place + 1) !== to) continue;
    const [one, two] = argumentsAt(code, place + 1);
    const nothing = { from: to, to };
    if (one !== undefined && two !== undefined) return { relation, negated: false, left: one, right: two };
    return { relation, negated: false, left: { from, to: Math.max(from, place - 1) }, right: one ?? nothing };
  }
  return null;
}

export interface Held {
  readonly relation: Plain;
  readonly negated: boolean;
  readonly subject: Span;
  readonly expected: Span;
  readonly constants: Constants;
}

/** What is held of a subject. Of two values the one that is written down is what is expected. */
export function held(code: Code, { relation, negated, subject, expected, constants }: Held): Claim {
  const isTurned = relation === "eq" && isLiteral(code, subject) && !isLiteral(code, expected);
  const [left, right] = isTurned ? [expected, subject] : [subject, expected];
  const value = valueOf(code, right, constants);
  const text = plainSubject(textOf(code, left));
  const approx = relation === "eq" && /^(?:pytest \. )?approx \(|^(?:Catch :: )?Approx \(/u.test(value.text);
  const isSome = relation === "eq" && negated && isNothing(value.text);
  const about = resolved(text, constants);
  return {
    subject: text,
    about,
    relation: isSome ? "some" : approx ? "approx" : relation,
    negated: negated && !isSome,
    expected: isSome || value.text === "" ? null : approx ? nearTo(code, right) : value.text,
    literal: !isSome && value.literal,
    expectedLine: value.line,
    tolerance: approx ? namedTolerance(value.text) : null,
    trivial: text !== "" && (text === value.text || about === value.text || isLiteral(code, left)),
  };
}

/** The value of `approx(0.3, rel=0.1)` */
function nearTo(code: Code, { from, to }: Span): string {
  let open = from;
  while (open < to && textAt(code, open) !== "(") open += 1;
  const [value = { from, to }] = argumentsAt(code, open);
  return textOf(code, value);
}

const TOLERANCE =
  /\b(?<name>places|decimal|delta|rel|abs|rel_tol|abs_tol|rtol|atol|epsilon|max_relative|tolerance|margin|significant) (?:=|:|\() (?<value>[\d.eE_+-]{1,30})/u;

/** What `rel = 1e-3` or `places = 2` allows; the larger, the more. */
export function namedTolerance(text: string): number | null {
  const { name = "", value = "" } = TOLERANCE.exec(text)?.groups ?? {};
  if (value === "") return null;
  const isDigits = name === "places" || name === "decimal" || name === "significant";
  return isDigits ? ofDigits(Number(value)) : Number(value.replaceAll("_", ""));
}

export function ofDigits(digits: number): number {
  return 10 ** -digits;
}
