import type { Bend } from "../bend.ts";
import type { Assertion } from "./assertion.ts";
import type { Ecosystem } from "./ecosystem.ts";
import { bendAt, type Lines } from "./found.ts";
import type { ReadPair } from "./losses.ts";
import {
  argumentsAt,
  indentedBlock,
  inside,
  past,
  type Span,
  statementAround,
  statementAt,
  textAt,
  textOf,
  tokenAt,
} from "./spans.ts";
import { type Code, codeOf } from "./tokens.ts";

/** A place that hears of an error and keeps it to itself. */
interface Swallow {
  readonly line: number;
  /** what may fail without a word */
  readonly covers: Span;
  readonly text: string;
}

/** A place that tells of an error. */
interface Thrown {
  readonly place: number;
  readonly line: number;
  readonly text: string;
}

/** A body that says nothing, gives nothing, or only writes a log. */
const SILENT =
  /^(?:(?:console|logger|log|logging|Log|LOG|puts|print|System)\b[^;]{0,200};? ?)?(?:return(?: null| None| undefined| nil| false| False)? ?;?|pass|continue ?;?|\. \. \.|\.\.\.|nil|end)?$/u;
const SILENT_ARROW =
  /^(?:async )?(?:\( [\p{L}_$][\p{L}\p{N}_$]* \)|\( \)|[\p{L}_$][\p{L}\p{N}_$]*) => (?:\{ \}|undefined|null|false)$|^noop$/u;

/** Every place of a text that swallows errors. */
function swallowsIn(code: Code, ecosystem: Ecosystem): readonly Swallow[] {
  return code.tokens.flatMap(({ kind, text }, place) => {
    const covers = kind === "word" ? swallowAt(code, ecosystem, place, text) : null;
    if (covers === null) return [];
    return [{ line: tokenAt(code, place).line, covers, text: textOf(code, statementHead(code, place)) }];
  });
}

function statementHead(code: Code, place: number): Span {
  return { from: place, to: Math.min(place + 12, code.tokens.length) };
}

function swallowAt(code: Code, ecosystem: Ecosystem, place: number, text: string): Span | null {
  const next = textAt(code, place + 1);
  const before = textAt(code, place - 1);
  if (text === "catch" && before === "." && next === "(") {
    const [handler] = argumentsAt(code, place + 1);
    return handler !== undefined && SILENT_ARROW.test(textOf(code, handler)) ? statementAround(code, place) : null;
  }
  if (text === "try" && next === "{") return caught(code, place);
  if (text === "try" && next === ":" && ecosystem.indented) return excepted(code, place);
  if (text === "suppress" && next === "(") return indentedBlock(code, withHead(code, place));
  if (text === "rescue") return rescued(code, place);
  if (text === "_" && (next === "=" || next === ":=") && (tokenAt(code, place).first || before === "let"))
    return statementAt(code, place);
  const isRecovered = text === "recover" && next === "(" && textAt(code, place + 2) === ")"; // of Go
  return text === "unwrap_or_default" || isRecovered ? statementAround(code, place) : null;
}

/** `try { … } catch (error) {}` */
function caught(code: Code, place: number): Span | null {
  const end = past(code, place + 1);
  if (textAt(code, end) !== "catch") return null;
  const open = textAt(code, end + 1) === "(" ? past(code, end + 1) : end + 1;
  const isSilent = textAt(code, open) === "{" && SILENT.test(textOf(code, inside(code, open)));
  return isSilent ? inside(code, place + 1) : null;
}

/** `try:` and `except ValueError:` with `pass` */
function excepted(code: Code, place: number): Span | null {
  if (!tokenAt(code, place).first) return null;
  const body = indentedBlock(code, place);
  if (textAt(code, body.to) !== "except") return null;
  const handler = indentedBlock(code, body.to);
  let from = body.to;
  while (from < handler.to && textAt(code, from) !== ":") from += 1;
  return SILENT.test(textOf(code, { from: from + 1, to: handler.to })) ? body : null;
}

/** `with contextlib.suppress(Error):` */
function withHead(code: Code, place: number): number {
  let head = place;
  while (head > place - 4 && !tokenAt(code, head).first) head -= 1;
  return tokenAt(code, head).first ? head : code.tokens.length;
}

const LONGEST_BODY = 400;

/** `work rescue nil`, and `rescue` with nothing but `end` behind it */
function rescued(code: Code, place: number): Span | null {
  const { first, line } = tokenAt(code, place);
  if (!first) return textAt(code, place + 1) === "nil" ? statementAround(code, place) : null;
  let from = place + 1;
  while (tokenAt(code, from).line === line) from += 1;
  if (textAt(code, from) !== "end" && !(textAt(code, from) === "nil" && textAt(code, from + 1) === "end")) return null;
  return { from: Math.max(0, place - LONGEST_BODY), to: place };
}

/** Whether something that may fail in silence is an assertion. A test that says itself where it fails is none. */
function coversAssertion(code: Code, { covers }: Swallow, assertions: readonly Assertion[]): boolean {
  const fails = code.tokens.slice(covers.from, Math.min(covers.to, covers.from + LONGEST_BODY)).some(isFailure);
  return !fails && assertions.some(({ place }) => place >= covers.from && place < covers.to);
}

function isFailure({ text }: { readonly text: string }): boolean {
  return text === "fail" || text === "unreachable" || text === "flunk";
}

/** Every place of a text that tells of an error. */
function thrownIn(code: Code, { throwing }: Ecosystem): readonly Thrown[] {
  return code.tokens.flatMap(({ kind, text, line }, place) => {
    const next = textAt(code, place + 1);
    const isWord = kind === "word" && throwing.has(text);
    const isPassed = text === "?" && throwing.has("?") && [";", ")", ".", ","].includes(next);
    const isReturned = text === "err" && returnsHere(code, place);
    return isWord || isPassed || isReturned ? [{ place, line, text: textOf(code, statementHead(code, place)) }] : [];
  });
}

/** `return nil, err` */
function returnsHere(code: Code, place: number): boolean {
  const { line } = tokenAt(code, place);
  for (let at = place - 1; at > place - 12 && tokenAt(code, at).line === line; at -= 1) {
    if (textAt(code, at) === "return") return true;
  }
  return false;
}

/** Those of the second list that the first does not have, by their text. */
function newOnes<T extends { readonly text: string }>(old: readonly T[], current: readonly T[]): readonly T[] {
  const left = new Map<string, number>();
  for (const { text } of old) left.set(text, (left.get(text) ?? 0) + 1);
  return current.filter(({ text }) => {
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return count <= 0;
  });
}

/** Assertions whose failure nobody hears of, and did before. */
export function silencedAssertions({ path, before, after, ecosystem }: ReadPair): readonly Bend[] {
  const silent = (reading: typeof after): readonly Swallow[] => {
    const held = [...reading.cases.flatMap(({ assertions }) => assertions), ...reading.outside];
    const swallows = swallowsIn(reading.code, ecosystem);
    return swallows.filter((swallow) => coversAssertion(reading.code, swallow, held));
  };
  const lines = { before: before.lines, after: after.lines };
  const found = newOnes(silent(before), silent(after));
  return found.map(({ line }) => bendAt("errors_swallowed", { path, was: null, now: line }, lines));
}

/** Code that is no test, before and now. */
export interface ChangedCode {
  readonly path: string;
  readonly ecosystem: Ecosystem;
  readonly before: string;
  readonly after: string;
}

/** Errors that were told, and are kept silent now; one that is told in another file now is told. */
export function silencedErrors(changes: readonly ChangedCode[]): readonly Bend[] {
  const files = changes.map(errorsOf);
  const told = files.flatMap((file) => file.told);
  const gone = files.flatMap((file) => file.gone);
  const lost = new Set(newOnes(told, gone));
  return files.flatMap((file) => {
    const { path, swallowed, isFewer, lines } = file;
    const over = swallowed.find(({ covers }) =>
      file.kept.some(({ place }) => place >= covers.from && place < covers.to),
    );
    if (over !== undefined) return [bendAt("errors_swallowed", { path, was: null, now: over.line }, lines())];
    const was = file.gone.find((one) => lost.has(one));
    const [now] = swallowed;
    if (was === undefined || now === undefined || !isFewer) return [];
    return [bendAt("errors_swallowed", { path, was: was.line, now: now.line }, lines())];
  });
}

/** What a file tells of its errors, and keeps to itself. */
function errorsOf({ path, ecosystem, before, after }: ChangedCode) {
  const [old, current] = [codeOf(before, ecosystem.syntax), codeOf(after, ecosystem.syntax)];
  const [was, now] = [thrownIn(old, ecosystem), thrownIn(current, ecosystem)];
  const known = new Set(was.map(({ text }) => text));
  return {
    path,
    swallowed: newOnes(swallowsIn(old, ecosystem), swallowsIn(current, ecosystem)),
    isFewer: now.length < was.length,
    gone: newOnes(now, was),
    told: newOnes(was, now),
    /** told now as before, unless somebody keeps it silent */
    kept: now.filter(({ text }) => known.has(text)),
    lines: (): Lines => ({ before: before.split("\n"), after: after.split("\n") }),
  };
}
