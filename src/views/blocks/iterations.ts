import type { IterationRecord, LoopState } from "../../core/state.ts";
import { counted, duration, grouped } from "../amounts.ts";
import { code, fence, heading, paragraph, strong, table, text, type Block, type Piece } from "../markdown.ts";

/** So many iterations are shown one by one; the newest. */
const ROWS = 30;

/** What happened in each iteration (W-09): a table and, from two on, how time and tokens went. */
export function iterationBlocks({ iterations }: LoopState): Block[] {
  const shown = iterations.slice(-ROWS);
  const [first] = shown;
  if (first === undefined) return [];
  const head = ["#", "Agent", "Change", "Checks", "Time", "Tokens", "Commit"].map(strong);
  return [
    heading(3, "Iterations"),
    ...(first.iteration === 1
      ? []
      : [
          paragraph(
            text(`${counted(first.iteration - 1, "earlier iteration")} not shown; all of them are in summary.json.`),
          ),
        ]),
    table(["right", null, null, null, "right", "right", null], [head, ...shown.map(row)]),
    ...(shown.length === 1 ? [] : [chart("Minutes", shown, minutes), chart("Thousand tokens", shown, thousandTokens)]),
  ];
}

function row(record: IterationRecord): Piece[] {
  return [
    text(String(record.iteration)),
    text(`${record.agent.replaceAll("_", " ")}${record.claimed ? ", claims to be done" : ""}`),
    text(change(record)),
    text(record.checks.replaceAll("_", " ")),
    text(duration(milliseconds(record))),
    text(grouped(record.tokens)),
    record.commit === null ? text("") : code(record.commit.slice(0, 7)),
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

function minutes(record: IterationRecord): number {
  return milliseconds(record) / 60_000;
}

function thousandTokens({ tokens }: IterationRecord): number {
  return tokens / 1_000;
}

/** Two machines may have different clocks. */
function milliseconds({ started_at: started, ended_at: ended }: IterationRecord): number {
  return Math.max(Date.parse(ended) - Date.parse(started), 0);
}
