import type { LoopState } from "../core/state.ts";
import type { CheckResult } from "../core/verdict.ts";
import { duration } from "./amounts.ts";
import { cut, quieted } from "./inert.ts";
import { code, fence, folded, heading, paragraph, strong, table, text, type Block, type Piece } from "./markdown.ts";
import { firstLine, plainText } from "./plain-text.ts";
import { lastVerdict } from "./proof.ts";

const TASK_LENGTH = 6_000;
const CHECKS = 50;

/** The first line of the task, without what makes it a heading or the like. */
export function taskLine({ prompt }: LoopState): string {
  return firstLine(plainText(prompt).trim()).replace(/^[#>*\s-]+/u, "");
}

/** What the loop was asked to do: its first line, and the whole behind a fold. */
export function taskBlocks(state: LoopState): Block[] {
  const line = taskLine(state);
  const plain = plainText(state.prompt).trim();
  const whole = plain === line ? [] : folded("The whole task", [fence("text", quieted(cut(plain, TASK_LENGTH)))]);
  return [heading(3, "Task"), paragraph(text(line)), ...whole];
}

/** Each check and what it said last; [] when none has run on the last state of the work. */
export function checkBlocks(state: LoopState): Block[] {
  const checks = lastVerdict(state)?.checks ?? [];
  if (checks.length === 0) return [];
  const rows = checks.slice(0, CHECKS).map(row);
  return [
    heading(3, "Checks"),
    table([null, null, null, "right"], [["Check", "Kind", "Result", "Time"].map(strong), ...rows]),
    ...(checks.length > CHECKS ? [paragraph(text(`${checks.length - CHECKS} more are in summary.json.`))] : []),
  ];
}

function row(check: CheckResult): Piece[] {
  return [code(check.command), text(check.role), text(found(check)), text(duration(check.durationMs))];
}

function found({ exitCode, timedOut }: CheckResult): string {
  if (timedOut) return "❌ timed out";
  if (exitCode === null) return "❌ killed";
  return exitCode === 0 ? "✅ passed" : `❌ exit ${exitCode}`;
}
