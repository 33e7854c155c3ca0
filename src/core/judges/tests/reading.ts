import type { Assertion } from "./assertion.ts";
import { assertionsIn } from "./assertions.ts";
import { type CaseSpan, casesIn } from "./cases.ts";
import { deadSpans, within } from "./dead-code.ts";
import type { Ecosystem } from "./ecosystem.ts";
import { type Row, rowsIn } from "./rows.ts";
import { past, textAt, textOf } from "./spans.ts";
import { type Code, codeOf } from "./tokens.ts";

/** A test that runs, with what it holds. */
export interface TestCase {
  readonly name: string;
  readonly line: number;
  /** its code with one space between tokens; at most 8,000 UTF-16 units */
  readonly body: string;
  readonly assertions: readonly Assertion[];
  /** the names that it calls, each as often as it does */
  readonly calls: ReadonlyMap<string, number>;
}

/** What a text of tests holds. What never runs is left out. */
export interface Reading {
  readonly code: Code;
  readonly lines: readonly string[];
  readonly cases: readonly TestCase[];
  /** what stands in no test: in helpers, in what is done before each */
  readonly outside: readonly Assertion[];
  /** how many assertions a function holds that is no test, by its name */
  readonly helpers: ReadonlyMap<string, number>;
  readonly rows: readonly Row[];
}

/** Reads tests, whatever the text is. Takes time linear in the length; at most 2,000 tests and 5,000 assertions. */
export function readingOf(text: string, ecosystem: Ecosystem): Reading {
  const code = codeOf(text, ecosystem.syntax);
  const spans = casesIn(code, ecosystem);
  const dead = deadSpans(code, ecosystem, spans);
  const isDead = within(dead);
  const alive = spans.toSorted((a, b) => a.from - b.from).filter(({ from }) => !isDead(from));
  const isDeadToo = within(dead);
  const assertions = assertionsIn(code, ecosystem).filter(({ place }) => !isDeadToo(place));
  const innermost = owners(alive);
  const held = new Map<CaseSpan | null, Assertion[]>();
  for (const assertion of assertions) {
    const owner = innermost(assertion.place);
    const others = held.get(owner);
    if (others === undefined) held.set(owner, [assertion]);
    else others.push(assertion);
  }
  const calls = callsOf(code, ecosystem, alive);
  const outside = ecosystem.mixed ? [] : (held.get(null) ?? []);
  return {
    code,
    lines: text.split("\n"),
    cases: alive.map((span) => ({
      ...{ name: span.name, line: span.line, body: textOf(code, span) },
      assertions: held.get(span) ?? [],
      calls: calls.get(span) ?? new Map(),
    })),
    outside,
    helpers: helpersOf(code, outside),
    rows: rowsIn(code, ecosystem),
  };
}

/** The innermost test of places, asked for in rising order. */
function owners(cases: readonly CaseSpan[]): (place: number) => CaseSpan | null {
  const open: CaseSpan[] = [];
  let next = 0;
  return (place) => {
    for (let one = cases[next]; one !== undefined && one.from <= place; one = cases[next]) {
      open.push(one);
      next += 1;
    }
    for (let last = open.at(-1); last !== undefined && last.to <= place; last = open.at(-1)) open.pop();
    return open.at(-1) ?? null;
  };
}

/** The names that tests call, without the words of assertions. */
function callsOf(
  code: Code,
  ecosystem: Ecosystem,
  cases: readonly CaseSpan[],
): ReadonlyMap<CaseSpan, ReadonlyMap<string, number>> {
  const innermost = owners(cases);
  const found = new Map<CaseSpan, Map<string, number>>();
  for (const [place, { kind, text }] of code.tokens.entries()) {
    const owner = innermost(place);
    if (owner === null || kind !== "word" || textAt(code, place + 1) !== "(" || place === owner.from) continue;
    const owned = `${textAt(code, place - 2)}.${text}`;
    const { calls: known, openers, matchers } = ecosystem;
    if (known.has(text) || known.has(owned) || openers.has(text) || openers.has(owned) || matchers.has(text)) continue;
    const calls = found.get(owner) ?? new Map<string, number>();
    found.set(owner, calls.set(text, (calls.get(text) ?? 0) + 1));
  }
  return found;
}

const DEFINING: ReadonlySet<string> = new Set(["def", "fn", "func", "function", "fun", "sub"]);
const BODIES: ReadonlySet<string> = new Set(["{", ":", "->", "throws", "=>"]);
const CONTROL: ReadonlySet<string> = new Set("if for while switch catch match with foreach elif unless".split(" "));

/** How many assertions stand behind the name of each function, before the next. */
function helpersOf(code: Code, outside: readonly Assertion[]): ReadonlyMap<string, number> {
  const helpers = new Map<string, number>();
  let name = "";
  let place = 0;
  for (const assertion of outside) {
    for (; place < assertion.place; place += 1) name = definedAt(code, place) ?? name;
    helpers.set(name, (helpers.get(name) ?? 0) + 1);
  }
  return helpers;
}

function definedAt(code: Code, place: number): string | null {
  const { tokens } = code;
  const token = tokens[place];
  if (token?.kind !== "word" || CONTROL.has(token.text)) return null;
  const next = textAt(code, place + 1);
  const isSaid = DEFINING.has(textAt(code, place - 1));
  const isBuilt = next === "(" && BODIES.has(textAt(code, past(code, place + 1)));
  const isGiven = next === "=" && ["(", "async", "function"].includes(textAt(code, place + 2));
  return isSaid || isBuilt || isGiven ? token.text : null;
}
