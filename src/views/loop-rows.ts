import type { LoopState } from "../core/state.ts";
import { duration } from "./amounts.ts";
import { firstLine, line, type Line, oneLine, type Tone } from "./plain-text.ts";

/** A loop as a list shows it. */
export interface LoopRow {
  readonly state: LoopState;
  /** see `shownStatus` */
  readonly status: string;
  /** of the workspace, as people read it; "": the one they are in */
  readonly where: string;
}

const TASK_SHOWN = 60;
const TONES: ReadonlyMap<string, Tone> = new Map([
  ["completed", "good"],
  ["running", "strong"],
  ["canceled", "dim"],
]);

/** Those that were at work last first. */
export function newestFirst(rows: readonly LoopRow[]): readonly LoopRow[] {
  return rows.toSorted((a, b) => Date.parse(b.state.updated_at) - Date.parse(a.state.updated_at));
}

/**
 * Loops in columns: id, status, iterations, how long ago, task.
 *
 * @param now milliseconds since the epoch
 */
export function loopLines(rows: readonly LoopRow[], now: number): readonly Line[] {
  const cells = rows.map((row) => cellsOf(row, now));
  const widths = [0, 1, 2, 3].map((column) => Math.max(0, ...cells.map((row) => row[column]?.length ?? 0)));
  return rows.map(({ status }, index) => {
    const text = (cells[index] ?? []).map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ");
    return line(text.trimEnd(), TONES.get(status) ?? "plain");
  });
}

function cellsOf({ state, status, where }: LoopRow, now: number): readonly string[] {
  const ago = duration(Math.max(0, now - Date.parse(state.updated_at)));
  const task = state.stories === null ? firstLine(state.prompt.trim()) : `PRD ${state.stories.prd}`;
  const shown = oneLine(task);
  return [
    where === "" ? state.loop_id : `${state.loop_id} (in ${oneLine(where)})`,
    status,
    `${state.iteration} of ${state.max_iterations}`,
    `${ago} ago`,
    shown.length > TASK_SHOWN ? `${shown.slice(0, TASK_SHOWN)}…` : shown,
  ];
}
