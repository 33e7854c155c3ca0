import { randomUUID } from "node:crypto";
import { type Exit, supervise, type SuperviseOptions } from "../os/supervise.ts";
import { OutputTail } from "./output.ts";

/** A short call of a program that we trust. `mark` is the run's: each call has a part of its own in it. */
export type ToolCall = Required<
  Pick<SuperviseOptions, "command" | "args" | "cwd" | "env" | "mark" | "signal" | "timeoutMs">
>;

/** How it ended, and the end of what it printed. */
export interface ToolResult extends Exit {
  readonly stdout: string;
  readonly stderr: string;
}

const KEPT_BYTES = 64 * 1024;

/**
 * Runs a program until its time is up or nobody waits any more; what it has started ends with it. Nothing of what it
 * prints reaches the log by itself. Never throws.
 */
export async function runTool(call: ToolCall): Promise<ToolResult> {
  const child = supervise({ ...call, mark: `${call.mark}/${randomUUID()}`, graceMs: 1_000 });
  const stdout = new OutputTail(KEPT_BYTES);
  const stderr = new OutputTail(KEPT_BYTES);
  const [exit] = await Promise.all([child.exit, stdout.drain(child.stdout), stderr.drain(child.stderr)]);
  return { ...exit, stdout: stdout.text(), stderr: stderr.text() };
}
