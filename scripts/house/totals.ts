import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { linesOf, type SourceFile } from "./tree.ts";

/** What the whole of `src` was to be when its house was finished. */
const GOAL = { files: 380, lines: 36_500 };

/** The totals of that day. `npm run house -- --record` wrote them; later steps are told by how much they add. */
const RECORD = path.join(import.meta.dirname, "totals.json");

interface Total {
  readonly files: number;
  readonly lines: number;
}

type Rooms = Readonly<Record<string, Total>>;

/** The first folder; what lies in none is an entry. */
function roomOf({ file }: SourceFile): string {
  return file.includes("/") ? file.slice(0, file.indexOf("/")) : "entries";
}

function totalOf(files: readonly SourceFile[]): Total {
  return { files: files.length, lines: files.reduce((sum, { text }) => sum + linesOf(text), 0) };
}

function roomsOf(tree: readonly SourceFile[]): Rooms {
  const names = [...new Set(tree.map(roomOf))].toSorted();
  return Object.fromEntries(names.map((room) => [room, totalOf(tree.filter((source) => roomOf(source) === room))]));
}

/** Makes today's totals those that later ones are compared with. */
export async function recordTotals(tree: readonly SourceFile[]): Promise<void> {
  await writeFile(RECORD, `${JSON.stringify(roomsOf(tree), undefined, 2)}\n`);
}

export async function recordedTotals(): Promise<Rooms> {
  return JSON.parse(await readFile(RECORD, "utf8"));
}

/** Files and lines of each room, with what has come since `then`. They are told; nothing fails because of them. */
export function totals(tree: readonly SourceFile[], then: Rooms): string {
  const now = roomsOf(tree);
  const rooms = [...new Set([...Object.keys(now), ...Object.keys(then)])].toSorted();
  const all = totalOf(tree);
  const lines = [
    ["room", "files", "", "lines", ""],
    ...rooms.map((room) => rowOf(room, now[room], then[room])),
    rowOf("all of src", all, sum(Object.values(then))),
    [
      "goal of the second house",
      `≤ ${GOAL.files}`,
      signed(all.files - GOAL.files),
      `≤ ${GOAL.lines}`,
      signed(all.lines - GOAL.lines),
    ],
  ];
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

const NOTHING: Total = { files: 0, lines: 0 };

function rowOf(name: string, now = NOTHING, then = NOTHING): readonly string[] {
  return [name, String(now.files), signed(now.files - then.files), String(now.lines), signed(now.lines - then.lines)];
}

function sum(totalsOf: readonly Total[]): Total {
  return totalsOf.reduce((all, { files, lines }) => ({ files: all.files + files, lines: all.lines + lines }), NOTHING);
}

function signed(difference: number): string {
  return difference > 0 ? `+${difference}` : String(difference);
}
