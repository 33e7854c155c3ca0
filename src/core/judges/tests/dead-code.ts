import type { CaseSpan } from "./cases.ts";
import type { Ecosystem } from "./ecosystem.ts";
import { indentedBlock, past, type Span, statementAround, statementAt, textAt, textOf, tokenAt } from "./spans.ts";
import type { Code } from "./tokens.ts";

const NEVER: ReadonlySet<string> = new Set([
  "false",
  "False",
  "FALSE",
  "0",
  "nil",
  "None",
  "1 == 0",
  "1 == 2",
  "! true",
]);

/** What never runs: behind `if (false)`, `false &&`, or behind a `return` that nothing stands before. */
export function deadSpans(code: Code, ecosystem: Ecosystem, cases: readonly CaseSpan[]): readonly Span[] {
  const found: Span[] = [];
  for (const [place, { text }] of code.tokens.entries()) {
    if (text === "if" || text === "while") found.push(...neverTaken(code, ecosystem, place));
    const isNever = NEVER.has(text) && textAt(code, place + 1) === "&&";
    if (isNever && tokenAt(code, place).first) found.push(statementAt(code, place + 2));
  }
  return [...found, ...cases.flatMap((one) => behindReturn(code, ecosystem, one))];
}

function neverTaken(code: Code, { indented }: Ecosystem, place: number): readonly Span[] {
  const inBrackets = textAt(code, place + 1) === "(";
  const end = inBrackets ? past(code, place + 1) : conditionEnd(code, place + 1);
  const condition = inBrackets ? { from: place + 2, to: end - 1 } : { from: place + 1, to: end };
  if (!NEVER.has(textOf(code, condition))) return [];
  if (textAt(code, end) === "{") return [{ from: end, to: past(code, end) }];
  // `work if false` of Ruby
  if (indented) return [tokenAt(code, place).first ? indentedBlock(code, place) : statementAround(code, place)];
  return [statementAt(code, end)];
}

/** A condition that counts here has at most three tokens. */
function conditionEnd(code: Code, from: number): number {
  let at = from;
  while (at < from + 3 && !tokenAt(code, at + 1).first && !["{", ":"].includes(textAt(code, at))) at += 1;
  return ["{", ":"].includes(textAt(code, at)) ? at : at + 1;
}

function behindReturn(code: Code, { indented }: Ecosystem, { from, to }: CaseSpan): readonly Span[] {
  const body = indented ? { from: bodyBegin(code, from), to } : braces(code, { from, to });
  const { column } = tokenAt(code, body.from);
  for (let place = body.from; place < body.to; place = indented ? place + 1 : past(code, place)) {
    const { text, first, column: at } = tokenAt(code, place);
    if (text !== "return") continue;
    const before = textAt(code, place - 1);
    const alone = indented ? first && at === column : [";", "{", "}"].includes(before) || (first && before !== ")");
    const end = tokenAt(code, place + 1).first ? place + 1 : statementAt(code, place + 1).to;
    // What a test returns is its last word; what counts is what stands behind.
    if (alone && end < body.to) return [{ from: textAt(code, end) === ";" ? end + 1 : end, to: body.to }];
  }
  return [];
}

/** The first token of the first line behind the head. */
function bodyBegin(code: Code, from: number): number {
  const { line } = tokenAt(code, from);
  let at = from;
  while (at < code.tokens.length && tokenAt(code, at).line === line) at += 1;
  return at;
}

const LONGEST_HEAD = 400;

/** What stands in the braces of a test's function; nothing where it has none. */
function braces(code: Code, { from, to }: Span): Span {
  for (let place = from; place < Math.min(to, from + LONGEST_HEAD); place += 1) {
    const before = textAt(code, place - 1);
    const end = code.closes.get(place);
    if (textAt(code, place) === "{" && (before === "=>" || before === ")" || end === to - 1) && end !== undefined)
      return { from: place + 1, to: end };
  }
  return { from: to, to };
}

/** Whether places, asked for in rising order, are in one of the spans. */
export function within(spans: readonly Span[]): (place: number) => boolean {
  const sorted = spans.toSorted((a, b) => a.from - b.from);
  let next = 0;
  let reach = -1;
  return (place) => {
    for (let span = sorted[next]; span !== undefined && span.from <= place; span = sorted[next]) {
      reach = Math.max(reach, span.to);
      next += 1;
    }
    return place < reach;
  };
}
