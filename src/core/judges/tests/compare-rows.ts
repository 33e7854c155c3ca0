import { isSameValue } from "./compare-assertions.ts";
import type { Cell, Row } from "./rows.ts";

/** A row that says another result of the same input. */
interface OtherRow {
  readonly was: Row;
  readonly now: Row;
}

export interface RowComparison {
  readonly replaced: readonly OtherRow[];
  /** without a counterpart */
  readonly gone: readonly Row[];
  /** how many have come without a counterpart */
  readonly arrived: number;
}

const RESULT = /^(?:"?)(?:want|exp|expect|result|res|output|out|err|should|actual)/iu;
const MOST_CELLS = 12;

/** Compares tables row by row, whatever their order. */
export function compareRows(before: readonly Row[], after: readonly Row[]): RowComparison {
  const same = counted(after.map(textOfRow));
  const left = before.filter((row) => !taken(same, textOfRow(row)));
  const arrived = after.filter((row) => taken(same, textOfRow(row)));
  const byRest = new Map<string, Row>();
  for (const row of arrived.toReversed()) for (const { rest } of results(row)) byRest.set(rest, row);
  const replaced: OtherRow[] = [];
  const gone: Row[] = [];
  const met = new Set<Row>();
  for (const was of left) {
    const found = results(was).map(({ rest, cell }) => ({ cell, rest, now: byRest.get(rest) }));
    const match = found.find(({ now }) => now !== undefined && !met.has(now));
    if (match?.now === undefined) gone.push(was);
    else {
      met.add(match.now);
      const other = results(match.now).find(({ rest }) => rest === match.rest);
      if (other !== undefined && isOther(match.cell, other.cell)) replaced.push({ was, now: match.now });
    }
  }
  const unmet = arrived.length - met.size;
  return { replaced, gone, arrived: unmet };
}

function isOther(was: Cell, now: Cell): boolean {
  return was.literal && now.literal && !isSameValue(was.text, now.text, "eq");
}

/** Each cell that may be a result, with all of its row but that. */
function results({ cells }: Row): readonly { cell: Cell; rest: string }[] {
  if (cells.length < 2 || cells.length > MOST_CELLS) return [];
  return cells.flatMap((cell, index) => {
    const isResult =
      cell.name === null ? index * 2 >= cells.length : RESULT.test(cell.name) || index === cells.length - 1;
    const others = cells.map((other, at) => `${other.name ?? ""}:${at === index ? "" : other.text}`);
    return isResult ? [{ cell, rest: others.join("\0") }] : [];
  });
}

function textOfRow({ cells }: Row): string {
  return cells.map(({ name, text }) => `${name ?? ""}:${text}`).join("\0");
}

function counted(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

function taken(counts: Map<string, number>, text: string): boolean {
  const left = counts.get(text) ?? 0;
  counts.set(text, left - 1);
  return left > 0;
}
