import type { Ecosystem } from "./ecosystem.ts";
import type { Reading } from "./reading.ts";
import { genericEnd } from "./sentences.ts";
import { argumentsAt, inside, past, type Span, statementAt, textAt, textOf, tokenAt } from "./spans.ts";
import type { Code } from "./tokens.ts";

/** The names of what a file of tests is there to test. */
interface Unit {
  /** as the file is called: `sum` of `sum.test.ts`; in lower case */
  readonly stem: string;
  /** what its assertions call */
  readonly called: ReadonlySet<string>;
}

const CALLED = /[\p{L}_$][\p{L}\p{N}_$]{0,100}[?!]? \(/gu;
const TEST_WORDS = /^(?:tests?|specs?|it)[._-]|[._-]?(?:tests?|specs?|testcase|it|e2e|test-d|cy)$/giu;
const LONGEST_TARGET = 60;

/** Lines on which a file of tests replaces what it is there to test, and did not before. */
export function newStubs(path: string, before: Reading, after: Reading, ecosystem: Ecosystem): readonly number[] {
  const unit = unitOf(path, before);
  const old = new Set(stubsIn(before, ecosystem, unit).map(({ text }) => text));
  const stubs = stubsIn(after, ecosystem, unit).filter(({ text }) => !old.has(text));
  return [...stubs.map(({ line }) => line), ...redefined(before.code, after.code, unit)];
}

function unitOf(path: string, { cases }: Reading): Unit {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const stem = name.replace(/\.[^.]+$/u, "").replaceAll(TEST_WORDS, "");
  const subjects = cases.flatMap(({ assertions }) => assertions.map(({ about }) => about.slice(0, 500)));
  const called = subjects.flatMap((about) => [...about.matchAll(CALLED)].map(([call]) => call.slice(0, -2)));
  return { stem: plain(stem), called: new Set(called) };
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/gu, "");
}

interface Stub {
  readonly line: number;
  readonly text: string;
}

function stubsIn({ code }: Reading, { stubs }: Ecosystem, unit: Unit): readonly Stub[] {
  const imports = importsIn(code);
  return code.tokens.flatMap(({ kind, text, line }, place) => {
    if (kind !== "word" || !stubs.has(text)) return [];
    const target = targetAt(code, place);
    if (target === null || !replaces(code, { place, target, unit, imports })) return [];
    return [{ line, text: `${text} ${textOf(code, target)}` }];
  });
}

/** What a stub is told to replace; at most 60 tokens. */
function targetAt(code: Code, place: number): Span | null {
  const open = textAt(code, place + 1);
  const close = open === "<" ? genericEnd(code, place + 1) : null;
  if (close !== null) return { from: place + 2, to: close };
  if (open !== "(" && open !== "{") return null;
  const { from, to } = inside(code, place + 1);
  return { from, to: Math.min(to, from + LONGEST_TARGET) };
}

interface Site {
  readonly place: number;
  readonly target: Span;
  readonly unit: Unit;
  readonly imports: ReadonlyMap<string, ReadonlySet<string>>;
}

function replaces(code: Code, { place, target, unit, imports }: Site): boolean {
  const word = textAt(code, place);
  const names = namesIn(code, target);
  const [first] = names;
  if (word === "mock" || word === "doMock") {
    if (first?.includes("/") === true) return mocksModule({ module: first, names, unit, imports });
  }
  if (word === "spyOn" && !textAt(code, past(code, place + 1) + 1).startsWith("mock")) return false;
  const called = names.map((name) => name.slice(name.lastIndexOf(".") + 1));
  const isType = word !== "patch" && word !== "object" && word !== "setattr";
  return called.some((name) => unit.called.has(name) || (isType && unit.stem !== "" && plain(name) === unit.stem));
}

const REAL: ReadonlySet<string> = new Set(["importActual", "requireActual", "importOriginal", "original", "actual"]);

interface Mocked {
  readonly module: string;
  readonly names: readonly string[];
  readonly unit: Unit;
  readonly imports: Site["imports"];
}

/** Whether a module that is replaced is the one under test, or what of it is replaced is. */
function mocksModule({ module, names, unit, imports }: Mocked): boolean {
  const imported = [...(imports.get(module) ?? [])].filter((name) => unit.called.has(name));
  if (names.some((name) => REAL.has(name))) return names.some((name) => unit.called.has(name));
  const stem = plain(module.replace(/(?:\/index)?(?:\.\w+)?$/u, "").replace(/^.*\//u, ""));
  return imported.length > 0 || (stem === unit.stem && imports.has(module));
}

function namesIn(code: Code, { from, to }: Span): readonly string[] {
  return code.tokens
    .slice(from, to)
    .filter(({ kind }) => kind === "word" || kind === "string")
    .map(({ kind, text }) => (kind === "string" ? text.slice(1, -1) : text));
}

/** What is imported from where: `import { sum } from "./sum"`, `from sums import sum`. */
function importsIn(code: Code): ReadonlyMap<string, ReadonlySet<string>> {
  const imports = new Map<string, ReadonlySet<string>>();
  for (const [place, { text, first }] of code.tokens.entries()) {
    const isImport = first && (text === "import" || text === "from");
    if (!isImport && text !== "require") continue;
    const { to } = statementAt(code, place);
    const begin = isImport ? place : lineBegin(code, place);
    const names = namesIn(code, { from: begin, to });
    const end = text === "require" ? argumentsAt(code, place + 1)[0]?.from : to - 1;
    const last = tokenAt(code, end ?? to - 1);
    const from = last.kind === "string" ? last.text.slice(1, -1) : (names[1] ?? "");
    imports.set(from, new Set([...(imports.get(from) ?? []), ...names]));
  }
  return imports;
}

function lineBegin(code: Code, place: number): number {
  let begin = place;
  while (begin > 0 && place - begin < LONGEST_TARGET && !tokenAt(code, begin).first) begin -= 1;
  return begin;
}

const DEFINES: ReadonlySet<string> = new Set(["function", "def", "const", "let", "var", "class", "func"]);

/** What was imported to be tested, and is made in the file of tests now. */
function redefined(before: Code, after: Code, { called }: Unit): readonly number[] {
  const names = (code: Code): ReadonlySet<string> =>
    new Set([...importsIn(code).values()].flatMap((some) => [...some]));
  const [was, now] = [names(before), names(after)];
  return after.tokens.flatMap(({ text, line, kind }, place) => {
    const isMade = kind === "word" && DEFINES.has(textAt(after, place - 1)) && called.has(text);
    return isMade && was.has(text) && !now.has(text) ? [line] : [];
  });
}
