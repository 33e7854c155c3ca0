import { type Outcome, OUTCOMES } from "../../src/core/outcome.ts";
import { markdownTable } from "./markdown-table.ts";

const JOB: Readonly<Record<Outcome["job"], string>> = { pass: "green", fail: "failed", cancelled: "cancelled" };

const GOES_ON: Readonly<Record<Outcome["resumableBy"], string>> = {
  nobody: "no; the same task starts again",
  anybody: "in the next run",
  person: "when a person says so",
  higher_cap: "in the next run with a higher cap",
};

/** The table of endings in the guide: a line for every state and what it means to a job. */
export function endingsTable(): string {
  const lines = new Map<string, { readonly outcome: Outcome; readonly reasons: string[] }>();
  for (const [reason, outcome] of Object.entries(OUTCOMES)) {
    const key = [outcome.status, outcome.job, outcome.resumableBy].join(" ");
    const line = lines.get(key) ?? { outcome, reasons: [] };
    line.reasons.push(`\`${reason}\``);
    lines.set(key, line);
  }
  const rows = [...lines.values()].map(({ outcome, reasons }) => [
    `\`${outcome.status}\``,
    reasons.join(", "),
    JOB[outcome.job],
    GOES_ON[outcome.resumableBy],
  ]);
  return markdownTable(["`status`", "`stop-reason`", "The job is", "The loop goes on"], rows);
}
