/** Where a value stands in a JSON text; offsets are UTF-16 units. */
export interface JsonNode {
  readonly start: number;
  readonly end: number;
  /** of an object, in the order of the text; of two with one name the last one */
  readonly members?: ReadonlyMap<string, JsonMember>;
  /** of a list */
  readonly items?: readonly JsonNode[];
}

export interface JsonMember {
  /** where its name begins */
  readonly start: number;
  readonly node: JsonNode;
}

/** A JSON text with the places of all that is in it. */
export interface JsonText {
  readonly value: unknown;
  readonly root: JsonNode;
  /** where a name stands for the second time in its object */
  readonly repeated: readonly { readonly name: string; readonly offset: number }[];
}

/** Why a text is no JSON, in words that follow "it is no JSON: ". */
export interface JsonFault {
  readonly offset: number;
  readonly reason: string;
}

/** As in `parsedJson`, whose words say why. */
const DEEPEST = 64;

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const NUMBER_OR_WORD = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/uy;
// What a loop over characters would do, and faster in a process that has just begun.
// oxlint-disable-next-line no-control-regex -- they may not stand in a text
const PLAIN = /[^"\\\u0000-\u001F]*/uy;
const BLANKS = /[ \t\r\n]*/uy;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/uy;

/**
 * Reads JSON, of anybody and of any size: it neither throws nor takes longer than the text is long.
 *
 * `JSON.parse` says neither where a value stands nor, in most cases, where a text stops being JSON.
 */
export function parseJsonText(text: string): JsonText | JsonFault {
  const reader = new Reader(text, 0, KEPT);
  try {
    const root = reader.whole();
    const value: unknown = JSON.parse(text);
    return { value, root, repeated: reader.repeated };
  } catch (error) {
    if (error instanceof Fault) return { offset: error.offset, reason: error.message };
    throw error;
  }
}

class Fault extends Error {
  readonly offset: number;

  constructor(offset: number, reason: string) {
    super(reason);
    this.offset = offset;
  }
}

/** What is within more lists and objects is read, and its places are not kept: most are never asked for. */
const KEPT = 3;

/** A node with the places of what is within it, which only the outer ones of a text have. */
export function opened(text: string, { start }: JsonNode): JsonNode {
  return new Reader(text, start, DEEPEST + 1).value(1);
}

const UNKEPT: JsonNode = { start: 0, end: 0 };

class Reader {
  readonly #text: string;
  readonly #kept: number;
  #at: number;
  readonly repeated: { name: string; offset: number }[] = [];

  /** @param kept how deep the nodes are kept */
  constructor(text: string, at: number, kept: number) {
    this.#text = text;
    this.#at = at;
    this.#kept = kept;
  }

  whole(): JsonNode {
    this.#skipBlanks();
    const root = this.value(1);
    this.#skipBlanks();
    if (this.#at < this.#text.length) throw this.#fault("there is more behind its end");
    return root;
  }

  value(depth: number): JsonNode {
    const start = this.#at;
    const sign = this.#text[start];
    if (sign === "{" || sign === "[") {
      if (depth > DEEPEST) throw this.#fault(`more than ${DEEPEST} lists and objects are within each other`);
      return sign === "{" ? this.#object(depth) : this.#list(depth);
    }
    if (sign === '"') this.#string();
    else if (!this.#take(NUMBER_OR_WORD)) throw this.#fault(this.#insteadOfValue());
    return depth > this.#kept ? UNKEPT : { start, end: this.#at };
  }

  #object(depth: number): JsonNode {
    const start = this.#at;
    const keeps = depth < this.#kept;
    const members = keeps ? new Map<string, JsonMember>() : undefined;
    const names = new Names();
    this.#entries("}", "a name in double quotes", () => {
      const begin = this.#at;
      if (this.#text.charCodeAt(begin) !== QUOTE) throw this.#fault(`a name in double quotes is missing`);
      const name = this.#name();
      this.#skipBlanks();
      if (this.#text.charCodeAt(this.#at) !== COLON) throw this.#fault("a colon is missing behind the name");
      this.#at += 1;
      this.#skipBlanks();
      if (!names.add(name)) this.repeated.push({ name, offset: begin });
      const node = this.value(depth + 1);
      members?.set(name, { start: begin, node });
    });
    if (depth > this.#kept) return UNKEPT;
    return members === undefined ? { start, end: this.#at } : { start, end: this.#at, members };
  }

  #list(depth: number): JsonNode {
    const start = this.#at;
    const items: JsonNode[] = [];
    const keeps = depth < this.#kept;
    this.#entries("]", "a value", () => {
      const node = this.value(depth + 1);
      if (keeps) items.push(node);
    });
    if (depth > this.#kept) return UNKEPT;
    return keeps ? { start, end: this.#at, items } : { start, end: this.#at };
  }

  /** What stands between two brackets, commas between them. */
  #entries(close: string, what: string, entry: () => void): void {
    this.#at += 1;
    this.#skipBlanks();
    if (this.#text[this.#at] === close) {
      this.#at += 1;
      return;
    }
    for (;;) {
      if (this.#text[this.#at] === close) throw this.#fault(`a comma is too much: ${what} has to follow it`);
      entry();
      this.#skipBlanks();
      const isMore = this.#text.charCodeAt(this.#at) === COMMA;
      if (!isMore && this.#text[this.#at] !== close) throw this.#fault(this.#insteadOfComma(close));
      this.#at += 1;
      if (!isMore) return;
      this.#skipBlanks();
    }
  }

  /** @returns what the string says that begins here */
  #name(): string {
    const start = this.#at;
    const isEscaped = this.#string();
    const raw = this.#text.slice(start, this.#at);
    return isEscaped ? String(JSON.parse(raw)) : raw.slice(1, -1);
  }

  /** Goes behind a string. @returns whether it has a backslash */
  #string(): boolean {
    const start = this.#at;
    let isEscaped = false;
    this.#at += 1;
    for (;;) {
      this.#take(PLAIN);
      const unit = this.#text.charCodeAt(this.#at);
      if (unit === QUOTE) break;
      if (Number.isNaN(unit)) throw new Fault(start, "the text that begins here has no closing quote");
      if (unit !== BACKSLASH)
        throw this.#fault(String.raw`a text has to end on its line (a line break in it is written as \n, a tab as \t)`);
      if (!this.#take(ESCAPE)) throw this.#fault(String.raw`a backslash has to be written as \\ in a text`);
      isEscaped = true;
    }
    this.#at += 1;
    return isEscaped;
  }

  #take(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#text)) return false;
    this.#at = pattern.lastIndex;
    return true;
  }

  #skipBlanks(): void {
    this.#take(BLANKS);
  }

  #insteadOfValue(): string {
    const sign = this.#text[this.#at];
    if (sign === undefined) return "it ends too early";
    if (sign === "'") return "texts stand in double quotes";
    return sign === "/" ? "JSON has no comments" : "a value is missing, or is a text without quotes";
  }

  #insteadOfComma(close: string): string {
    const sign = this.#text[this.#at];
    if (sign === undefined) return "it ends too early";
    return sign === "/" ? "JSON has no comments" : `a comma or ${close} is missing`;
  }

  #fault(reason: string): Fault {
    return new Fault(this.#at, reason);
  }
}

const FEW = 16;

/** The names of an object. Nearly all objects have few, for which a list is the fastest. */
class Names {
  readonly #few: string[] = [];
  #many: Set<string> | undefined;

  /** @returns whether it is new */
  add(name: string): boolean {
    if (this.#many?.has(name) ?? this.#few.includes(name)) return false;
    if (this.#many === undefined && this.#few.length < FEW) this.#few.push(name);
    else this.#many = (this.#many ?? new Set(this.#few)).add(name);
    return true;
  }
}
