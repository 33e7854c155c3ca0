/** A piece of code. What is not code (comments, space) is none. */
export interface Token {
  readonly kind: "word" | "number" | "string" | "sign" | "end";
  /** a string has double quotes here, whatever it had in the file */
  readonly text: string;
  /** from 1 */
  readonly line: number;
  /** UTF-16 units before it on its line; tells the indentation of the first one */
  readonly column: number;
  /** whether it is the first on its line */
  readonly first: boolean;
}

/** A string that reaches from `open` to `close`. */
interface StringForm {
  readonly open: string;
  readonly close: string;
  /** a backslash takes the meaning of what follows */
  readonly escapes: boolean;
  /** it ends with its line where it does not end before */
  readonly oneLine: boolean;
}

/** How a language is taken apart. */
export interface Syntax {
  /** sticky; matches a comment to the end of its line */
  readonly comment: RegExp;
  readonly blocks: readonly (readonly [open: string, close: string])[];
  /** longest opening first */
  readonly strings: readonly StringForm[];
  /** `/x/` is a literal where no value stands before it */
  readonly patterns: boolean;
  /** names may end in `?` or `!` */
  readonly bang: boolean;
}

/** Code as tokens, and which bracket closes which. */
export interface Code {
  readonly tokens: readonly Token[];
  /** by the place of an opening bracket: the place of its end; of one without an end: how many tokens there are */
  readonly closes: ReadonlyMap<number, number>;
}

/** What is behind it is not read. */
const MOST_TOKENS = 200_000;
export const END: Token = { kind: "end", text: "", line: 0, column: -1, first: true };

const SPACE = /[^\S\n]+/uy;
const WORD = /[\p{L}_$][\p{L}\p{N}_$]*/uy;
const BANG = /[\p{L}_$][\p{L}\p{N}_$]*[?!]?(?!=)|[\p{L}_$][\p{L}\p{N}_$]*/uy;
const NUMBER = /0[xX][\da-fA-F_]+|\d(?:['_]?\d)*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?\w*/uy;
const SIGN = /===|!==|=>|->|::|\?\.|&\.|&&|\|\||==|!=|<=|>=|:=|=~|\.\.\.?|[^]/uy;
const PATTERN = /\/(?![*/\s])(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.){0,100}\]){1,400}\/\w{0,10}/uy;
const CHARACTER = /'(?:[^'\\\n]|\\[^\n]{1,10}?)'/uy;
const VALUE_SIGNS: ReadonlySet<string> = new Set([")", "]", "}"]);

function taken(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? "";
}

/** Takes code apart, whatever it is. Takes time linear in the length. */
export function codeOf(text: string, syntax: Syntax): Code {
  const tokens: Token[] = [];
  let at = 0;
  let line = 1;
  let begin = 0; // of the line
  let first = true;
  let last: Token = END;
  let newline = text.indexOf("\n");
  while (at < text.length && tokens.length < MOST_TOKENS) {
    const skipped = newline === at ? 1 : skippedAt(text, at, syntax);
    const piece = skipped > 0 ? null : pieceAt(text, at, syntax, last);
    const length = piece?.length ?? skipped;
    if (piece !== null) {
      last = { kind: piece.kind, text: piece.text, line, column: at - begin, first };
      tokens.push(last);
      first = false;
    }
    for (; newline !== -1 && newline < at + length; newline = text.indexOf("\n", newline + 1)) {
      [line, begin] = [line + 1, newline + 1];
      if (piece === null) first = true;
    }
    at += length;
  }
  return { tokens, closes: closesOf(tokens) };
}

/** The length of what is no code. */
function skippedAt(text: string, at: number, syntax: Syntax): number {
  return taken(SPACE, text, at).length || taken(syntax.comment, text, at).length || blockAt(text, at, syntax);
}

/** The length of a comment of more lines. */
function blockAt(text: string, at: number, { blocks }: Syntax): number {
  const block = blocks.find(([open]) => text.startsWith(open, at));
  if (block === undefined) return 0;
  const end = text.indexOf(block[1], at + block[0].length);
  return (end === -1 ? text.length : end + block[1].length) - at;
}

interface Piece {
  readonly kind: Exclude<Token["kind"], "end">;
  readonly text: string;
  readonly length: number;
}

function pieceAt(text: string, at: number, syntax: Syntax, last: Token): Piece {
  const form = syntax.strings.find(({ open }) => text.startsWith(open, at));
  if (form !== undefined) return stringAt(text, at, form);
  const pattern = syntax.patterns && text[at] === "/" && beginsPattern(text, at, last) ? taken(PATTERN, text, at) : "";
  if (pattern !== "") return { kind: "string", text: pattern, length: pattern.length };
  const character = taken(CHARACTER, text, at);
  if (character !== "") return { kind: "string", text: `"${character.slice(1, -1)}"`, length: character.length };
  const word = taken(syntax.bang ? BANG : WORD, text, at);
  if (word !== "") return { kind: "word", text: word, length: word.length };
  const number = taken(NUMBER, text, at);
  if (number !== "")
    return { kind: "number", text: number.replaceAll(/(?<=\d)['_](?=\d)/gu, ""), length: number.length };
  const sign = taken(SIGN, text, at);
  return { kind: "sign", text: sign, length: sign.length };
}

function beginsPattern(text: string, at: number, last: Token): boolean {
  if (last.kind === "sign" || last.kind === "end") return !VALUE_SIGNS.has(last.text);
  return last.kind === "word" && text[at - 1] === " " && text[at + 1] !== " ";
}

function stringAt(text: string, at: number, { open, close, escapes, oneLine }: StringForm): Piece {
  const begin = at + open.length;
  let end = begin;
  while (end < text.length && !text.startsWith(close, end)) {
    if (oneLine && text[end] === "\n") break;
    end += escapes && text[end] === "\\" ? 2 : 1;
  }
  end = Math.min(end, text.length);
  const length = (text.startsWith(close, end) ? end + close.length : end) - at;
  const content = text.slice(begin, end);
  return { kind: "string", text: `"${escapes ? content.replaceAll(/\\(["'`])/gu, "$1") : content}"`, length };
}

const PAIRS: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };
const CLOSERS: ReadonlySet<string> = new Set(Object.values(PAIRS));

/** Where brackets do not fit, the inner one is left open. */
function closesOf(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const closes = new Map<number, number>();
  const open: { place: number; close: string }[] = [];
  for (const [place, { kind, text }] of tokens.entries()) {
    if (kind !== "sign") continue;
    const close = PAIRS[text];
    if (close !== undefined) {
      open.push({ place, close });
      closes.set(place, tokens.length);
    } else if (CLOSERS.has(text)) {
      if (open.at(-1)?.close !== text && open.at(-2)?.close === text) open.pop();
      const fits = open.at(-1);
      if (fits?.close !== text) continue;
      closes.set(fits.place, place);
      open.pop();
    }
  }
  return closes;
}
