import type { Trouble } from "../core/result.ts";

/** A mistake in a JSON text; line and column are 1-based. */
export interface JsonMistake extends Trouble {
  readonly line: number;
  readonly column: number;
}

const TOKEN = /"(?:[^"\\\n]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+|"/gu;
const WORD = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/u;

/** What may come next. */
type Awaited = "a value" | "a key in double quotes" | "a colon" | "a comma or the end";

/** The line of each key in a JSON object's top level; of a duplicate key, the last. */
export function keyLines(json: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  let depth = 0;
  let last = "";
  let line = 1;
  let counted = 0;
  for (const { 0: text, index } of json.matchAll(TOKEN)) {
    line += lineAt(json.slice(counted, index), index) - 1;
    counted = index;
    if (text === "{" || text === "[") depth += 1;
    else if (text === "}" || text === "]") depth -= 1;
    else if (text === ":" && depth === 1) lines.set(String(JSON.parse(last)), line);
    last = text;
  }
  return lines;
}

/** The first mistake of a text that is not JSON. If every part fits, the mistake is at the end. */
export function findMistake(json: string): JsonMistake {
  const open: string[] = [];
  let awaited: Awaited = "a value";
  let previous = "";
  for (const { 0: text, index } of json.matchAll(TOKEN)) {
    const next = follow(text, previous, awaited, open);
    if (next === null) return mistakeAt(json, index, `expected ${awaited}, got ${text}`);
    awaited = next;
    previous = text;
  }
  return mistakeAt(json, json.trimEnd().length, `expected ${awaited}, got the end of the file`);
}

/** What `text` leads on to; null: it is not allowed here. Changes `open`, the brackets that are open. */
function follow(text: string, previous: string, awaited: Awaited, open: string[]): Awaited | null {
  const isString = text.length > 1 && text.startsWith('"');
  const closes = (text === "}" && open.at(-1) === "{") || (text === "]" && open.at(-1) === "[");
  if (closes && (awaited === "a comma or the end" || previous === open.at(-1))) {
    open.pop();
    return "a comma or the end";
  }
  switch (awaited) {
    case "a value":
      if (isString || WORD.test(text)) return "a comma or the end";
      if (text !== "{" && text !== "[") return null;
      open.push(text);
      return text === "{" ? "a key in double quotes" : "a value";
    case "a key in double quotes":
      return isString ? "a colon" : null;
    case "a colon":
      return text === ":" ? "a value" : null;
    case "a comma or the end":
      if (text !== "," || open.length === 0) return null;
      return open.at(-1) === "{" ? "a key in double quotes" : "a value";
  }
}

function mistakeAt(json: string, at: number, because: string): JsonMistake {
  const column = at - (json.slice(0, at).lastIndexOf("\n") + 1) + 1;
  return { line: lineAt(json, at), column, because };
}

function lineAt(text: string, at: number): number {
  return text.slice(0, at).split("\n").length;
}
