import { bounded, DEEPEST, MOST_SETTINGS, segments, type Setting } from "./setting.ts";

interface Token {
  readonly kind: "word" | "text" | "sign" | "end";
  readonly text: string;
  readonly line: number;
}

const BETWEEN = /[\s{}[\](),:;='"`]/u;
const SIGNS = "{}[](),:;=";

/**
 * Settings of what is written with braces: JSON with or without comments, objects of JavaScript, the blocks and calls of
 * Gradle and Ruby. Nothing is evaluated, and what is not well formed is read as far as it goes. Linear.
 *
 * @param first the number of the text's first line
 */
export function bracedSettings(text: string, first = 1): readonly Setting[] {
  const reading = new Reading();
  for (const token of tokens(text, first)) {
    if (reading.settings.length >= MOST_SETTINGS) break;
    reading.take(token);
  }
  reading.take({ kind: "end", text: "", line: first });
  return reading.settings;
}

class Reading {
  readonly settings: Setting[] = [];
  readonly #path: { readonly names: readonly string[]; items: number }[] = [];
  /** what the next value is for */
  #key: Token | null = null;
  #last: Token | null = null;
  /** how much deeper it is than what is kept of the path */
  #beyond = 0;

  take(token: Token): void {
    if (token.kind === "word" || token.kind === "text") {
      // `exclude '**/x'`, `export default {`
      if (this.#last !== null) this.#key ??= this.#last;
      this.#last = token;
      return;
    }
    if (token.text === ":" || token.text === "=") {
      this.#key = this.#last ?? this.#key;
      this.#last = null;
    } else if ("{[(".includes(token.text) && token.kind === "sign") this.#open();
    else this.#close(token);
  }

  #open(): void {
    // A call's name stays beside the key that gets its result.
    const names = [this.#key, this.#last].flatMap((name) => (name === null ? [] : namesOf(name)));
    if (this.#path.length < DEEPEST) this.#path.push({ names, items: 0 });
    else this.#beyond += 1;
    this.#key = null;
    this.#last = null;
  }

  #close({ kind, text }: Token): void {
    if (this.#last !== null) {
      const key = this.#key === null ? [] : namesOf(this.#key);
      const path = [...this.#path.flatMap(({ names }) => names), ...key].slice(-DEEPEST);
      const list = this.#path.at(-1);
      const index = this.#key === null ? (list?.items ?? 0) : 0;
      if (list !== undefined) list.items += 1;
      this.settings.push({ path, value: bounded(this.#last.text), line: this.#last.line, index });
      this.#last = null;
      this.#key = null;
    }
    if (kind === "end") return; // the value may come on the next line
    this.#key = null;
    if (!"}])".includes(text)) return;
    if (this.#beyond > 0) this.#beyond -= 1;
    else this.#path.pop();
  }
}

function namesOf({ kind, text }: Token): readonly string[] {
  return kind === "word" ? segments(text) : [bounded(text)];
}

function* tokens(text: string, first: number): Generator<Token> {
  let line = first;
  let at = 0;
  while (at < text.length) {
    const char = text.charAt(at);
    if (char === "\n") {
      yield { kind: "end", text: "", line };
      line += 1;
      at += 1;
    } else if (/\s/u.test(char)) {
      at += 1;
    } else if (text.startsWith("//", at) || char === "#") {
      at = endOf(text, "\n", at);
    } else if (text.startsWith("/*", at)) {
      const end = Math.min(text.length, endOf(text, "*/", at + 2) + 2);
      line += linesIn(text, at, end);
      at = end;
    } else if (char === '"' || char === "'" || char === "`") {
      const end = endOfText(text, at);
      yield { kind: "text", text: text.slice(at + 1, end), line };
      line += linesIn(text, at, end);
      at = text[end] === char ? end + 1 : end;
    } else if (text.startsWith("=>", at) || text.startsWith("==", at)) {
      yield { kind: "sign", text: ";", line };
      at += 2;
    } else if (SIGNS.includes(char)) {
      yield { kind: "sign", text: char, line };
      at += 1;
    } else {
      const end = endOfWord(text, at);
      const word = text.slice(at, end);
      // `collect_ignore += ["x"]`
      if (/[^\s+|&?!-]/u.test(word)) yield { kind: "word", text: word, line };
      at = end;
    }
  }
}

function endOfWord(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && !BETWEEN.test(text.charAt(at))) at += 1;
  return at;
}

function endOf(text: string, sign: string, from: number): number {
  const end = text.indexOf(sign, from);
  return end === -1 ? text.length : end;
}

/** Where a text in quotes ends: at its quote, and unless it may have several lines, with its line. */
function endOfText(text: string, from: number): number {
  const quote = text[from];
  for (let at = from + 1; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === quote || (text[at] === "\n" && quote !== "`")) return at;
  }
  return text.length;
}

function linesIn(text: string, from: number, end: number): number {
  return text.slice(from, end).split("\n").length - 1;
}
