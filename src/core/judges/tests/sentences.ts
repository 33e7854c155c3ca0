import { type Constants, isNothing, plainSubject, resolved } from "./assertion.ts";
import { type Claim, held, namedTolerance, ofDigits } from "./condition.ts";
import type { Ecosystem } from "./ecosystem.ts";
import type { Matcher } from "./matchers.ts";
import { argumentsAt, inside, parts, past, type Span, statementAt, textAt, textOf, tokenAt } from "./spans.ts";
import type { Code } from "./tokens.ts";

/** What a sentence is about, and where it goes on. */
export interface Sentence {
  readonly subject: Span;
  readonly from: number;
  readonly to: number;
  /** whether arguments may stand without brackets */
  readonly bare: boolean;
  readonly constants: Constants;
}

/** Words whose brackets hold a matcher: `is(equalTo(1))`, `.to(eq(1))`. */
const ENTERED: ReadonlySet<string> = new Set(
  "is not to To not_to to_not NotTo ToNot Should ShouldNot and_ allOf".split(" "),
);
const LINKS: ReadonlySet<string> = new Set(["(", ".", "?.", "&.", "->", ")", "!", "::"]);
const BOUNDS: ReadonlyMap<string, "less" | "more"> = new Map([
  ["<", "less"],
  ["<=", "less"],
  [">", "more"],
  [">=", "more"],
]);

/** What a sentence says of its subject, in order: `.not.toBe(1)`, `is(equalTo(1))`, `to eq 1`. */
export function sentenceClaims(code: Code, ecosystem: Ecosystem, sentence: Sentence): readonly Claim[] {
  const { to, bare } = sentence;
  const found: Claim[] = [];
  let unknown = null as Span | null;
  let negated = false;
  let place = sentence.from;
  while (place < to) {
    const { kind, text } = tokenAt(code, place);
    const bound = BOUNDS.get(text);
    const matcher = kind === "word" ? ecosystem.matchers.get(text) : undefined;
    if (bound !== undefined && bare) {
      found.splice(0, found.length, compared(code, sentence, { relation: bound, negated, from: place + 1 }));
      break;
    }
    if (kind === "number" || kind === "string") {
      if (found.length === 0) found.push(compared(code, sentence, { relation: "eq", negated, from: place }));
      break;
    }
    if (kind === "sign") {
      if (!LINKS.has(text)) break;
      if (text === "!") negated = !negated;
      place += 1;
    } else if (ecosystem.negators.has(text)) {
      negated = !negated;
      place += 1;
    } else if (matcher !== undefined) {
      const { args, end } = argumentsOf(code, place, sentence);
      const last = found.at(-1);
      const claim = matched(code, matcher, { args, negated, sentence });
      if (matcher.relation !== "within") found.push(claim);
      else if (last !== undefined) found.splice(-1, 1, within(last, claim));
      negated = false;
      place = end;
    } else {
      const opens = textAt(code, place + 1) === "(" && !ENTERED.has(text);
      const end = opens ? past(code, place + 1) : place + 1;
      unknown = { from: unknown?.from ?? place, to: Math.min(end, to) };
      place = end;
    }
  }
  if (found.length > 0 || unknown === null) return found;
  const expected = textOf(code, unknown);
  const subject = plainSubject(textOf(code, sentence.subject));
  const { line } = tokenAt(code, unknown.from);
  const about = resolved(subject, sentence.constants);
  const unread = { literal: false, expectedLine: line, tolerance: null, trivial: false };
  return [{ subject, about, relation: "other", negated, expected, ...unread }];
}

interface Compared {
  readonly relation: "less" | "more" | "eq";
  readonly negated: boolean;
  readonly from: number;
}

function compared(code: Code, { subject, to, constants }: Sentence, { relation, negated, from }: Compared): Claim {
  const end = statementAt(code, from).to;
  const [expected = { from, to }] = parts(code, { from, to: Math.min(end, to) }, ({ text }) => text === ",");
  return held(code, { relation, negated, subject, expected, constants });
}

function argumentsOf(code: Code, place: number, { to, bare }: Sentence): { args: readonly Span[]; end: number } {
  const open = textAt(code, place + 1);
  if (open === "(") return { args: argumentsAt(code, place + 1), end: past(code, place + 1) };
  // `Throw<Error>()`
  const close = open === "<" ? genericEnd(code, place + 1) : null;
  if (close !== null) {
    const rest = textAt(code, close + 1) === "(" ? argumentsAt(code, close + 1) : [];
    return { args: [{ from: place + 2, to: close }, ...rest], end: past(code, close + 1) };
  }
  if (!bare || open === "." || open === ">" || open === "<" || open === "do") return { args: [], end: place + 1 };
  if (open === "{") return { args: [inside(code, place + 1)], end: past(code, place + 1) };
  const end = Math.min(to, statementAt(code, place + 1).to);
  // `be_within(1).of 3` goes on after a call in brackets only.
  return { args: parts(code, { from: place + 1, to: end }, ({ text }) => text === "," || text === "do"), end };
}

const LONGEST_GENERIC = 16;

/** The place of the `>` that ends what `<` begins; null: it is a comparison. */
export function genericEnd(code: Code, open: number): number | null {
  for (let place = open + 1; place < open + LONGEST_GENERIC; place += 1) {
    if (textAt(code, place) === ">") return place;
  }
  return null;
}

interface Matched {
  readonly args: readonly Span[];
  readonly negated: boolean;
  readonly sentence: Pick<Sentence, "subject" | "constants">;
}

/** What a matcher with these arguments holds. */
export function matched(code: Code, matcher: Matcher, { args, negated, sentence }: Matched): Claim {
  const { subject, constants } = sentence;
  const relation = matcher.relation === "cond" || matcher.relation === "within" ? "other" : matcher.relation;
  const place = typeof matcher.expected === "number" ? args[matcher.expected] : undefined;
  const given = typeof matcher.expected === "string" ? matcher.expected : null;
  const expected = place ?? { from: subject.to, to: subject.to };
  const claim = held(code, { relation, negated: matcher.negated !== negated, subject, expected, constants });
  const tolerance = toleranceOf(code, matcher, args, constants) ?? claim.tolerance;
  const isApprox = claim.relation === "eq" && tolerance !== null;
  const plain: Claim = { ...claim, tolerance, relation: isApprox ? "approx" : claim.relation };
  // An error or a type is told by its name.
  const named = place !== undefined && (relation === "throws" || relation === "type");
  if (plain.relation === "eq" && plain.negated && isNothing(given ?? ""))
    return { ...plain, relation: "some", negated: false };
  if (given === null) return named ? { ...plain, literal: true } : plain;
  return { ...plain, expected: given, literal: true, trivial: plain.trivial || plain.subject === given };
}

function toleranceOf(code: Code, matcher: Matcher, args: readonly Span[], constants: Constants): number | null {
  const named = args
    .slice(1)
    .map((span) => namedTolerance(textOf(code, span)))
    .find((value) => value !== null);
  if (named !== undefined) return named;
  const span = matcher.tolerance === null ? undefined : args[matcher.tolerance];
  if (span === undefined) return null;
  const known = span.to - span.from === 1 ? constants.get(textAt(code, span.from))?.text : undefined;
  const text = known ?? textOf(code, span);
  // A number of its own, or within a call: `within(0.1)`; a message is none.
  const number = /^(?:[A-Za-z_. ]+\( )?(?<number>\d[\d._]*(?:[eE][+-]?\d+)?)/u.exec(text)?.groups?.["number"];
  if (number === undefined) return null;
  const value = Number(number.replaceAll("_", ""));
  return matcher.digits ? ofDigits(value) : value;
}

/** `.of(3)` and `.Within(0.1)` complete what was said before. */
function within(last: Claim, { expected, literal, expectedLine, tolerance }: Claim): Claim {
  return {
    ...last,
    relation: last.relation === "eq" ? "approx" : last.relation,
    tolerance: tolerance ?? last.tolerance,
    ...(expected === null ? {} : { expected, literal, expectedLine }),
  };
}
