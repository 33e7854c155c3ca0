import { type Code, END, type Token } from "./tokens.ts";

/** Tokens from one place up to another, which is not part of it. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

const CLOSING: ReadonlySet<string> = new Set([")", "]", "}"]);
const LONGEST_TEXT = 8_000;
const LONGEST_STATEMENT = 400;

export function tokenAt({ tokens }: Code, place: number): Token {
  return tokens[place] ?? END;
}

export function textAt(code: Code, place: number): string {
  return tokenAt(code, place).text;
}

/** The place behind a bracket's end, or the next place where no bracket begins. */
export function past(code: Code, place: number): number {
  const end = code.closes.get(place);
  return end === undefined ? place + 1 : end + 1;
}

/** What stands in the brackets that open at a place; empty where none do. */
export function inside(code: Code, place: number): Span {
  return { from: place + 1, to: code.closes.get(place) ?? place + 1 };
}

/**
 * A span's code with one space between tokens, as it is whoever formats it: without commas at the end and quotes around
 * keys. At most 8,000 UTF-16 units, and then how many tokens there are.
 */
export function textOf(code: Code, { from, to }: Span): string {
  const found: string[] = [];
  let length = 0;
  for (let place = from; place < to; place += 1) {
    const { kind, text: own } = tokenAt(code, place);
    const next = textAt(code, place + 1);
    if (own === "," && place + 1 < to && CLOSING.has(next)) continue;
    const plain = kind === "string" && next === ":" ? own.replace(KEY, "$1") : own;
    length += plain.length + 1;
    if (length > LONGEST_TEXT) return `${found.join(" ")} … ${to - from}`;
    found.push(plain);
  }
  return found.join(" ");
}

const KEY = /^"([\p{L}_$][\p{L}\p{N}_$]*)"$/u;

/** The parts of a span between signs that stand in no further brackets. No part is empty. */
export function parts(code: Code, span: Span, isBorder: (token: Token) => boolean): readonly Span[] {
  const found: Span[] = [];
  let from = span.from;
  for (let place = span.from; place < span.to; place = past(code, place)) {
    if (!isBorder(tokenAt(code, place))) continue;
    found.push({ from, to: place });
    from = place + 1;
  }
  found.push({ from, to: span.to });
  return found.filter((part) => part.to > part.from);
}

export function argumentsAt(code: Code, place: number): readonly Span[] {
  return parts(code, inside(code, place), isComma);
}

function isComma({ text }: Token): boolean {
  return text === ",";
}

const GOES_ON: ReadonlySet<string> = new Set([".", "?.", "&.", "->", "&&", "||", "==", "!=", "+", "and", "or", ":"]);

/**
 * From a place to the end of its statement: a semicolon, a bracket that closes, or the end of the line where nothing
 * says that it goes on. At most 400 tokens.
 */
export function statementAt(code: Code, from: number): Span {
  const longest = Math.min(from + LONGEST_STATEMENT, code.tokens.length);
  let to = from;
  while (to < longest) {
    const { text, first, kind } = tokenAt(code, to);
    if (text === ";" || (kind === "sign" && CLOSING.has(text))) break;
    if (first && to > from && !GOES_ON.has(text) && !continues(tokenAt(code, to - 1))) break;
    to = past(code, to);
  }
  return { from, to: Math.min(to, code.tokens.length) };
}

function continues({ kind, text }: Token): boolean {
  return kind === "sign" ? !CLOSING.has(text) && text !== ":" && text !== "`" : text === "and" || text === "or";
}

/** The end of what is indented deeper than a line, with the line that ends it where it says `end`. */
export function indentedBlock(code: Code, head: number): Span {
  const { line, column } = tokenAt(code, head);
  let to = head;
  while (to < code.tokens.length) {
    const token = tokenAt(code, to);
    if (token.first && token.line > line && token.column <= column && !CLOSING.has(token.text)) break;
    to += 1;
  }
  return { from: head, to };
}

/** The line that a place stands in, from its beginning; at most 60 tokens. */
export function statementAround(code: Code, place: number): Span {
  let from = place;
  while (from > 0 && place - from < 60 && !tokenAt(code, from).first) from -= 1;
  return { from, to: place };
}
