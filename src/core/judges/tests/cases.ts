import type { Ecosystem } from "./ecosystem.ts";
import { argumentsAt, indentedBlock, past, type Span, statementAt, textAt, textOf, tokenAt } from "./spans.ts";
import type { Code } from "./tokens.ts";

/** A test, as it stands in a text. */
export interface CaseSpan extends Span {
  readonly name: string;
  readonly line: number;
  /** how long it may take, in milliseconds; null: nothing is said */
  readonly timeout: string | null;
}

/** Whose methods make tests: `t.test("…")`. */
const OWNERS: ReadonlySet<string> = new Set(["t", "Deno", "QUnit", "b", "s", "suite", "this", "test", "it", "Given"]);
const LONGEST_HEAD = 60;

const MOST_CASES = 2_000;

/** The tests of a text in order, at most 2,000; those within others too. Skipped ones are tests. */
export function casesIn(code: Code, ecosystem: Ecosystem): readonly CaseSpan[] {
  const { calls, keywords, names, attributes } = ecosystem.cases;
  const found: CaseSpan[] = [];
  let pending: number | null = null; // an attribute that makes the next function a test
  for (const [place, { kind, text }] of code.tokens.entries()) {
    if (kind === "sign" || kind === "number") continue;
    if (found.length >= MOST_CASES) break;
    const before = tokenAt(code, place - 1);
    if (attributes.has(text) && ["@", "[", ",", "::", "."].includes(before.text)) {
      pending ??= place;
      continue;
    }
    const called = calls.has(text) ? caseCall(code, ecosystem, place) : null;
    if (called !== null) found.push(called);
    const isNamed = keywords.has(before.text) && names?.test(text) === true;
    const isMarked = pending !== null && isFunctionName(code, place);
    if (called !== null || !(isNamed || isMarked)) continue;
    const body = functionAt(code, ecosystem, place);
    const { line } = tokenAt(code, place);
    if (body !== null) found.push({ ...body, from: pending ?? body.from, name: text, line, timeout: null });
    pending = null;
  }
  return found;
}

function isFunctionName(code: Code, place: number): boolean {
  const before = tokenAt(code, place - 1);
  const isNamed = before.kind === "word" || before.text === ">" || before.text === "]";
  return isNamed && textAt(code, place + 1) === "(";
}

/** From a function's name to the end of its body. */
function functionAt(code: Code, { indented }: Ecosystem, place: number): Span | null {
  if (indented) {
    const head = textAt(code, place - 2) === "async" ? place - 2 : place - 1;
    return tokenAt(code, head).first ? indentedBlock(code, head) : null;
  }
  let open = past(code, place + 1);
  const longest = open + LONGEST_HEAD;
  while (open < longest && !["{", ";", "=", "=>", ""].includes(textAt(code, open))) open = past(code, open);
  const sign = textAt(code, open);
  if (sign === "=" || sign === "=>") return { from: place, to: statementAt(code, open + 1).to };
  return sign === "{" ? { from: place, to: Math.min(past(code, open), code.tokens.length) } : null;
}

/** `it.skip.each([…])("adds", …)`, `TEST(Sum, Adds) {`, `it "adds" do` */
function caseCall(code: Code, { indented }: Ecosystem, place: number): CaseSpan | null {
  const { line, first } = tokenAt(code, place);
  const isMember = [".", "->", "::", "?."].includes(textAt(code, place - 1));
  if (isMember && !OWNERS.has(textAt(code, place - 2))) return null;
  if (indented) {
    if (!first) return null;
    const named = tokenAt(code, textAt(code, place + 1) === "(" ? place + 2 : place + 1);
    const block = indentedBlock(code, place);
    const name = named.kind === "string" ? named.text : textOf(code, statementAt(code, place + 1));
    return { ...block, name, line, timeout: null };
  }
  const open = chainEnd(code, place);
  if (textAt(code, open) !== "(") return null;
  const [named, , limit] = argumentsAt(code, open);
  if (named === undefined || textAt(code, place - 1) === "function") return null;
  const end = past(code, open);
  const to = textAt(code, end) === "{" ? past(code, end) : end;
  const isString = tokenAt(code, named.from).kind === "string";
  const name = isString ? textAt(code, named.from) : textOf(code, { from: open + 1, to: end - 1 });
  const timeout = limit !== undefined && tokenAt(code, limit.from).kind === "number" ? textOf(code, limit) : null;
  return { name: name.slice(0, 300), line, from: place, to: Math.min(to, code.tokens.length), timeout };
}

/** The place behind `.skip.each(…)`, or behind `.each` and its table. */
function chainEnd(code: Code, place: number): number {
  let at = place + 1;
  while (textAt(code, at) === "." && tokenAt(code, at + 1).kind === "word") {
    const isTable = ["each", "for", "skipIf", "runIf"].includes(textAt(code, at + 1));
    at += 2;
    if (isTable) at = past(code, at);
  }
  return at;
}
