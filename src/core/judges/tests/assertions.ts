import { type Assertion, type Constant, type Constants, plainSubject, valueOf } from "./assertion.ts";
import { type Claim, claimsOf } from "./condition.ts";
import type { Ecosystem } from "./ecosystem.ts";
import type { Matcher } from "./matchers.ts";
import { genericEnd, matched, sentenceClaims } from "./sentences.ts";
import { argumentsAt, inside, parts, past, type Span, statementAt, textAt, tokenAt } from "./spans.ts";
import type { Code } from "./tokens.ts";

const DOTS: ReadonlySet<string> = new Set([".", "::", "->", "?."]);
const LONGEST_CONSTANT = 60;
const LONGEST_SUBJECT = 60;

const MOST_ASSERTIONS = 5_000;
/** Words that may begin an assertion, at most; the text after the last of them is not read. */
const MOST_WORDS = 20_000;

/** The assertions of a text in order, those of helpers too; at most about 5,000. */
export function assertionsIn(code: Code, ecosystem: Ecosystem): readonly Assertion[] {
  const constants = new Map<string, Constant>();
  const found: Assertion[] = [];
  let words = 0;
  for (const [place, { kind, text, line }] of code.tokens.entries()) {
    if (text === "=" || text === ":=") note(code, place, constants);
    if (kind !== "word" || !speaks(code, ecosystem, place)) continue;
    words += 1;
    if (words > MOST_WORDS || found.length >= MOST_ASSERTIONS) break;
    for (const claim of claimsAt(code, ecosystem, place, constants)) found.push({ ...claim, place, line });
  }
  return found;
}

/** Notes what a name stands for from here on: `const two = 2`, `TWO = 2`, `got := f()`. */
function note(code: Code, place: number, constants: Map<string, Constant>): void {
  const typed = textAt(code, place - 2) === ":" ? place - 3 : place - 1; // `two: number =`
  const { kind, text, first } = tokenAt(code, typed);
  const before = tokenAt(code, typed - 1);
  if (kind !== "word" || !(first || before.kind === "word" || before.text === ";" || before.text === "{")) return;
  const value = statementAt(code, place + 1);
  if (value.to - value.from > LONGEST_CONSTANT) return;
  constants.delete(text); // a name does not stand for itself
  const constant = valueOf(code, value, constants);
  constants.set(text, { ...constant, text: plainSubject(constant.text) });
}

/** Whether a word may begin an assertion. */
function speaks(code: Code, { calls, openers, suffixes, keyword, failures }: Ecosystem, place: number): boolean {
  const word = textAt(code, place);
  const owned = `${textAt(code, place - 2)}.${word}`;
  if ([calls, openers].some((known) => known.has(word) || known.has(owned))) return true;
  return suffixes.has(word) || word === keyword || (word === "if" && failures.size > 0);
}

function claimsAt(code: Code, ecosystem: Ecosystem, place: number, constants: Constants): readonly Claim[] {
  const word = textAt(code, place);
  const isMember = DOTS.has(textAt(code, place - 1));
  const owned = isMember ? `${textAt(code, place - 2)}.${word}` : word;
  const matcher = ecosystem.calls.get(owned) ?? ecosystem.calls.get(word);
  if (matcher !== undefined) {
    const called = calledAt(code, ecosystem, place);
    if (called !== null) return callClaims(code, ecosystem, { matcher, called, place, constants });
  }
  const isOpener = ecosystem.openers.has(owned) || ecosystem.openers.has(word);
  if (isOpener && ["(", "{"].includes(textAt(code, place + 1))) return opened(code, ecosystem, place, constants);
  if (ecosystem.suffixes.has(word)) {
    const to = statementAt(code, place).to;
    const subject = subjectBefore(code, place);
    return sentenceClaims(code, ecosystem, { subject, from: place, to, bare: true, constants });
  }
  if (word === ecosystem.keyword && !isMember) return keywordClaims(code, place, constants);
  if (word === "if" && ecosystem.failures.size > 0) return failingIf(code, ecosystem, place, constants);
  return [];
}

interface Called {
  readonly args: readonly Span[];
  /** behind the arguments */
  readonly end: number;
}

/** The arguments of the call whose name stands at a place; null: it is none. */
function calledAt(code: Code, { indented }: Ecosystem, place: number): Called | null {
  const next = tokenAt(code, place + 1);
  if (next.text === "(") return { args: argumentsAt(code, place + 1), end: past(code, place + 1) };
  if (next.text === "<") {
    const close = genericEnd(code, place + 1);
    if (close === null) return null;
    if (textAt(code, close + 1) === "{") return { args: [{ from: place + 2, to: close }], end: close + 1 };
    if (textAt(code, close + 1) !== "(") return null;
    // The type comes last: its place is not known to the table, its name is.
    const args = [...argumentsAt(code, close + 1), { from: place + 2, to: close }];
    return { args, end: past(code, close + 1) };
  }
  if (next.text === "{") return { args: [], end: place + 1 };
  const isBare = indented && !next.first && (next.kind !== "sign" || [":", "[", "-", "!"].includes(next.text));
  if (!isBare || textAt(code, place - 1) === "def") return null;
  const { from, to } = statementAt(code, place + 1);
  const block = parts(code, { from, to }, ({ text }) => text === "do" || text === "{")[0] ?? { from, to: from };
  return { args: parts(code, block, ({ text }) => text === ","), end: block.to };
}

interface CallForm {
  readonly matcher: Matcher;
  readonly called: Called;
  readonly place: number;
  readonly constants: Constants;
}

function callClaims(
  code: Code,
  { mixed }: Ecosystem,
  { matcher, called, place, constants }: CallForm,
): readonly Claim[] {
  const { args, end } = called;
  const subject = matcher.subject === null ? undefined : args[matcher.subject];
  if (matcher.relation === "cond") {
    return subject === undefined ? [] : claimsOf(code, subject, { negated: matcher.negated, constants });
  }
  const isBlock = matcher.subject === null || textAt(code, end) === "{";
  const about = subject ?? (isBlock ? blockAfter(code, end, place) : undefined);
  if (about === undefined || (mixed && args.length === 0)) return [];
  const claim = matched(code, matcher, { args, negated: false, sentence: { subject: about, constants } });
  // An error without a place among the arguments is not told.
  return [{ ...claim, trivial: claim.trivial && claim.relation !== "throws" && claim.relation !== "other" }];
}

/** What a call with a block is about, else what stands before its dot. */
function blockAfter(code: Code, end: number, place: number): Span {
  const next = textAt(code, end);
  if (next === "{") return inside(code, end);
  if (next === "do") return statementAt(code, end + 1);
  if (next === ":" || next === "as") {
    const from = textAt(code, end) === "as" ? end + 3 : end + 1;
    return statementAt(code, from);
  }
  const [, body, ...more] = argumentsAt(code, place + 1);
  if (body !== undefined) return { from: body.from, to: (more.at(-1) ?? body).to };
  return subjectBefore(code, place);
}

/** From the beginning of a statement to a place in it; at most 60 tokens. */
function subjectBefore(code: Code, place: number): Span {
  let from = place;
  while (from > 0 && place - from < LONGEST_SUBJECT && !tokenAt(code, from).first) {
    const { text } = tokenAt(code, from - 1);
    if ([";", "{", "}", "=>"].includes(text)) break;
    from -= 1;
  }
  const to = textAt(code, place - 1) === "." ? place - 1 : place;
  return { from, to: Math.max(from, to) };
}

/** `expect(a).toBe(b)`, `expect { a }.to raise_error`, `assertThat(a, is(b))`. */
function opened(code: Code, ecosystem: Ecosystem, place: number, constants: Constants): readonly Claim[] {
  const [subject = inside(code, place + 1), constraint, ...more] = argumentsAt(code, place + 1);
  const end = past(code, place + 1);
  const goesOn = DOTS.has(textAt(code, end));
  const bare = ecosystem.indented;
  const span =
    goesOn || constraint === undefined
      ? { from: end, to: goesOn ? statementAt(code, end).to : end }
      : { from: constraint.from, to: (more.at(-1) ?? constraint).to };
  return sentenceClaims(code, ecosystem, { subject, ...span, bare, constants });
}

/** `assert a == b, "message"` */
function keywordClaims(code: Code, place: number, constants: Constants): readonly Claim[] {
  const statement = statementAt(code, place + 1);
  const [condition] = parts(code, statement, ({ text }) => text === "," || text === ":");
  return condition === undefined ? [] : claimsOf(code, condition, { negated: false, constants });
}

const LONGEST_HEAD = 80;
const LONGEST_FAILURE = 16;

/** `if got != want { t.Errorf("…") }` holds that they are equal. */
function failingIf(code: Code, { failures }: Ecosystem, place: number, constants: Constants): readonly Claim[] {
  let open = place + 1;
  while (open < place + LONGEST_HEAD && textAt(code, open) !== "{") open = past(code, open);
  const body = inside(code, open);
  const fails = code.tokens
    .slice(body.from, Math.min(body.to, body.from + LONGEST_FAILURE))
    .some(({ text }) => failures.has(text));
  if (!fails) return [];
  const condition = parts(code, { from: place + 1, to: open }, ({ text }) => text === ";").at(-1);
  return condition === undefined ? [] : claimsOf(code, condition, { negated: true, constants });
}
