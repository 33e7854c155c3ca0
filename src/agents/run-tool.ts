import { randomUUID } from "node:crypto";
import { TREE_VARIABLE } from "../os/process-tree.ts";
import { type Exit, supervise, type SuperviseOptions, sweep } from "../os/supervise.ts";
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
 * Runs a program for its answer, until its time is up or the caller gives up; what it has started ends with it. Its
 * output does not reach the log. Never throws.
 */
export async function askProgram(call: ToolCall & Pick<SuperviseOptions, "isolation">): Promise<ToolResult> {
  const child = supervise({ ...call, mark: `${call.mark}/${randomUUID()}`, graceMs: 1_000 });
  const stdout = new OutputTail(KEPT_BYTES);
  const stderr = new OutputTail(KEPT_BYTES);
  const [exit] = await Promise.all([child.exit, stdout.drain(child.stdout), stderr.drain(child.stderr)]);
  return { ...exit, stdout: stdout.text(), stderr: stderr.text() };
}

/**
 * Runs a tool of the machine (npm, sudo) with the toolkit's `exec`, and bounds it, which the toolkit does not: when the
 * time is up or the caller gives up, the tool and everything it has started are killed. Its output does not reach the
 * log. Never throws.
 */
export async function runTool(call: ToolCall): Promise<ToolResult> {
  const { command, args, cwd, env, timeoutMs, signal } = call;
  const { exec } = await import("@actions/exec");
  const out = { stdout: "", stderr: "" };
  const keep = (stream: "stdout" | "stderr") => (data: Buffer) => {
    out[stream] = (out[stream] + data.toString("utf8")).slice(-KEPT_BYTES);
  };
  if (signal.aborted) return { ended: "aborted", exitCode: null, signal: null, ...out };
  const mark = `${call.mark}/${randomUUID()}`;
  const over = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const end = (): void => void sweep(mark);
  over.addEventListener("abort", end, { once: true });
  try {
    const exitCode = await exec(`"${command}"`, [...args], {
      cwd,
      env: { ...env, [TREE_VARIABLE]: mark },
      silent: true,
      ignoreReturnCode: true,
      listeners: { stdout: keep("stdout"), stderr: keep("stderr") },
    });
    if (over.aborted) return { ended: signal.aborted ? "aborted" : "timed_out", exitCode: null, signal: null, ...out };
    return { ended: "exited", exitCode, signal: null, ...out };
  } catch (error) {
    return { ended: "not_started", exitCode: null, signal: null, ...out, stderr: String(error) };
  } finally {
    over.removeEventListener("abort", end);
  }
}
