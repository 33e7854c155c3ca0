import type { IterationRecord, LoopState } from "../../core/state.ts";
import { counted, duration, grouped } from "../amounts.ts";
import { callsText, circuitReport, circuitState, progressText, TRIGGERS } from "../progress.ts";
import type { RunView } from "../run-view.ts";
import { sinceTheBeginning, totals } from "../summary.ts";
import { type Block, bullets, code, fence, heading, type Hole, inline, paragraph, table } from "./markdown.ts";

/** At most this many iterations are shown one by one, the newest. */
const ROWS = 30;

/** What happened in each iteration (W-09): a table and, from two on, how time and tokens went. */
export function iterationBlocks({ iterations }: LoopState): Block[] {
  const shown = iterations.slice(-ROWS);
  const [first] = shown;
  if (first === undefined) return [];
  const heads = ["#", "Agent", "Change", "Checks", "Time", "Tokens", "Commit"];
  return [
    heading(3, "Iterations"),
    ...(first.iteration === 1
      ? []
      : [paragraph`${counted(first.iteration - 1, "earlier iteration")} not shown; all of them are in summary.json.`]),
    table(["right", null, null, null, "right", "right", null], heads, shown.map(row)),
    ...(shown.length === 1
      ? []
      : [
          chart("Minutes", shown, (record) => milliseconds(record) / 60_000),
          chart("Thousand tokens", shown, ({ tokens }) => tokens / 1_000),
        ]),
  ];
}

function row(record: IterationRecord): Hole[] {
  return [
    record.iteration,
    `${record.agent.replaceAll("_", " ")}${record.claimed ? ", claims to be done" : ""}`,
    change(record),
    record.checks.replaceAll("_", " "),
    duration(milliseconds(record)),
    grouped(record.tokens),
    record.commit === null ? "" : code(record.commit.slice(0, 7)),
  ];
}

function change({ files_changed: files, lines_added: added, lines_removed: removed }: IterationRecord): string {
  if (files === null) return "not measured";
  return files === 0 ? "none" : `${counted(files, "file")} (+${added} -${removed})`;
}

/** A bar for each iteration. Only numbers go into it, because Mermaid has a syntax of its own. */
function chart(title: string, records: readonly IterationRecord[], value: (record: IterationRecord) => number): Block {
  const values = records.map((record) => Math.round(value(record) * 10) / 10);
  const lines = [
    "xychart-beta",
    `  title "${title} per iteration"`,
    `  x-axis [${records.map(({ iteration }) => `"${iteration}"`).join(", ")}]`,
    `  y-axis "${title.toLowerCase()}" 0 --> ${Math.max(1, ...values)}`,
    `  bar [${values.join(", ")}]`,
  ];
  return fence("mermaid", lines.join("\n"));
}

/** Two machines may have different clocks. */
function milliseconds({ started_at: started, ended_at: ended }: IterationRecord): number {
  return Math.max(Date.parse(ended) - Date.parse(started), 0);
}

/** What the loop has used and changed so far. */
export function totalBlocks(view: RunView): Block[] {
  const branch = view.branch === null ? [] : [inline`Branch: ${code(view.branch)}`];
  return [heading(3, "Totals"), bullets([...totals(view), ...branch, sinceTheBeginning(view)])];
}

/** How the work moves on, the calls of the hour, and the circuit breaker in detail. Nothing before the first turn. */
export function circuitBlocks(state: LoopState): Block[] {
  if (state.spent.turns === 0) return [];
  const heads = ["Iterations in a row with", "Now", "Half open at", "Opens at"];
  const rows = circuitReport(state).counters.map(({ trigger, count, marks }): Hole[] => [
    TRIGGERS[trigger],
    count,
    marks?.warns ?? "off",
    marks?.opens ?? "off",
  ]);
  return [
    heading(3, "Progress and circuit breaker"),
    bullets([
      inline`**Progress:** ${progressText(state)}`,
      inline`**Calls of the agent:** ${callsText(state)}`,
      inline`**Circuit:** ${circuitState(state)}`,
    ]),
    table([null, "right", "right", "right"], heads, rows),
  ];
}
