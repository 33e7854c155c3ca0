import { isLiteral } from "./assertion.ts";
import type { Ecosystem } from "./ecosystem.ts";
import { argumentsAt, past, type Span, statementAt, textAt, textOf, tokenAt } from "./spans.ts";
import type { Code } from "./tokens.ts";

/** A case in a table that a test is run with. */
export interface Row {
  readonly line: number;
  readonly cells: readonly Cell[];
}

export interface Cell {
  /** null: it has no name */
  readonly name: string | null;
  readonly text: string;
  readonly literal: boolean;
}

const MOST_ROWS = 5_000;
/** What runs over a list: `for (const row of rows)`. */
const OVER: ReadonlySet<string> = new Set(["of", "in", "range", ":"]);
const RUNS: ReadonlySet<string> = new Set(["forEach", "each", "map", "each_with_index", "iter", "into_iter"]);

/** Every row of the tables that tests are run with; at most 5,000. */
export function rowsIn(code: Code, ecosystem: Ecosystem): readonly Row[] {
  const { tables, rows } = ecosystem.cases;
  const names = tableNames(code, tables);
  const found: Row[] = [];
  for (const [place, { kind, text }] of code.tokens.entries()) {
    if (found.length >= MOST_ROWS) break;
    const next = textAt(code, place + 1);
    if (kind === "word" && rows.has(text) && next === "(") found.push(...attributeRows(code, place));
    else if (text === "range" && next === "[") found.push(...rangeRows(code, place + 1));
    else if (kind === "word" && tables.has(text)) found.push(...tableRows(code, place + 1));
    else if ((text === "=" || text === ":=") && isTable(code, place, names)) found.push(...listRows(code, place + 1));
    else if (text === "[" && RUNS.has(textAt(code, past(code, place) + 1))) found.push(...elementRows(code, place));
  }
  return found.slice(0, MOST_ROWS);
}

/** `range []struct{ a, want int }{ {1, 2}, {3, 4} } {` */
function rangeRows(code: Code, from: number): readonly Row[] {
  let at = past(code, from);
  if (textAt(code, at) === "struct") at = past(code, at + 1);
  else while (tokenAt(code, at).kind === "word" || textAt(code, at) === "." || textAt(code, at) === "*") at += 1;
  return textAt(code, at) === "{" ? elementRows(code, at) : [];
}

function tableNames(code: Code, tables: ReadonlySet<string>): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [place, { kind, text }] of code.tokens.entries()) {
    if (kind !== "word") continue;
    const [before, next] = [textAt(code, place - 1), textAt(code, place + 1)];
    const isGiven = before === "(" && tables.has(textAt(code, place - 2));
    const isRun = next === "." && RUNS.has(textAt(code, place + 2));
    const isLast = before === "," && next === ")";
    if (OVER.has(before) || isGiven || isRun || isLast) names.add(text);
  }
  return names;
}

function isTable(code: Code, place: number, names: ReadonlySet<string>): boolean {
  let at = place - 1;
  // `rows: Row[] =`
  for (const least = place - 6; at > least && textAt(code, at - 1) !== ":" && tokenAt(code, at).kind !== "word";)
    at -= 1;
  const name = textAt(code, at - 1) === ":" ? textAt(code, at - 2) : textAt(code, at);
  return names.has(name) || names.has(textAt(code, place - 1));
}

/** `[1, 2, 3]` as in `#[case(1, 2, 3)]`; each text of `@CsvSource({"1,2,3"})`. */
function attributeRows(code: Code, place: number): readonly Row[] {
  const { line } = tokenAt(code, place);
  if (textAt(code, place) === "CsvSource") {
    const open = textAt(code, place + 2) === "{" ? place + 2 : place + 1;
    return argumentsAt(code, open).map((span) => {
      const cells = textOf(code, span).split(",");
      return { line: tokenAt(code, span.from).line, cells: cells.map((text) => ({ name: null, text, literal: true })) };
    });
  }
  const args = argumentsAt(code, place + 1);
  const [only] = args.length === 1 ? args : [];
  if (only !== undefined && textAt(code, only.from) === "[") return elementRows(code, place + 1);
  return [{ line, cells: args.map((span) => cellOf(code, span)) }];
}

/** `each([[1, 2], [3, 4]])`, `parametrize("a, b", [(1, 2)])`, a table drawn in a text */
function tableRows(code: Code, place: number): readonly Row[] {
  const { kind, text, line } = tokenAt(code, place);
  if (kind === "string") {
    const lines = [...text.split("\n").entries()].filter(([, drawn]) => drawn.includes("|"));
    // The first names the columns.
    return lines.slice(1).map(([number, drawn]) => {
      const cells = drawn.split("|").map((cell) => ({ name: null, text: cell.trim(), literal: true }));
      return { line: line + number, cells };
    });
  }
  if (text !== "(") return [];
  const list = argumentsAt(code, place).find(({ from }) => ["[", "{"].includes(textAt(code, from)));
  return list === undefined ? [] : elementRows(code, list.from);
}

/** The list that a name is given: the last brackets of its statement. */
function listRows(code: Code, from: number): readonly Row[] {
  const { to } = statementAt(code, from);
  let open = -1;
  for (let place = from; place < to; place = past(code, place)) {
    if (["[", "{"].includes(textAt(code, place))) open = place;
  }
  return open === -1 ? [] : elementRows(code, open);
}

function elementRows(code: Code, open: number): readonly Row[] {
  return argumentsAt(code, open).map((element) => {
    const { line } = tokenAt(code, element.from);
    const group = lastGroup(code, element);
    if (group === null) return { line, cells: [cellOf(code, element)] };
    const key = { from: element.from, to: group };
    const cells = argumentsAt(code, group).map((span) => cellOf(code, span));
    return { line, cells: group > element.from ? [cellOf(code, key), ...cells] : cells };
  });
}

/** The bracket that ends with an element: `{…}`, `"adds": {…}`, `pytest.param(…)`; null: there is none. */
function lastGroup(code: Code, { from, to }: Span): number | null {
  for (let place = from; place < to; place = past(code, place)) {
    if (code.closes.has(place) && past(code, place) === to) return place;
  }
  return null;
}

function cellOf(code: Code, span: Span): Cell {
  const isNamed = [":", "=", "=>"].includes(textAt(code, span.from + 1)) && span.to - span.from > 2;
  const value = isNamed ? { from: span.from + 2, to: span.to } : span;
  return {
    name: isNamed ? textAt(code, span.from) : null,
    text: textOf(code, value),
    literal: isLiteral(code, value),
  };
}
