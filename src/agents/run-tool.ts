import { randomUUID } from "node:crypto";
import { sweep } from "../os/supervise.ts";
import { TREE_VARIABLE } from "../os/process-tree.ts";

/** A short call of a program that we trust. */
export interface ToolCall {
  /** absolute */
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** the program's whole environment */
  readonly env: Readonly<Record<string, string>>;
  /** milliseconds */
  readonly timeoutMs: number;
  /** marks what it starts, see `supervise`; each call has a part of its own in it */
  readonly mark: string;
  readonly signal: AbortSignal;
}

/** How it ended. */
export interface ToolResult {
  readonly ended: "exited" | "timed_out" | "aborted" | "not_started";
  /** null unless it exited */
  readonly exitCode: number | null;
  /** what it printed, the end of it */
  readonly stdout: string;
  readonly stderr: string;
}

const KEPT_CHARACTERS = 16_384;

/**
 * Runs a program with the toolkit's `exec`, and bounds it, which the toolkit does not: when the time is up or nobody
 * waits any more, the program and everything it has started is killed. Nothing of what it prints reaches the log by
 * itself. Never throws.
 */
export async function runTool(call: ToolCall): Promise<ToolResult> {
  const { program, args, cwd, env, timeoutMs, signal } = call;
  const { exec } = await import("@actions/exec");
  const out = { stdout: "", stderr: "" };
  const keep = (stream: "stdout" | "stderr") => (data: Buffer) => {
    out[stream] = (out[stream] + data.toString("utf8")).slice(-KEPT_CHARACTERS);
  };
  if (signal.aborted) return { ended: "aborted", exitCode: null, ...out };
  const mark = `${call.mark}/${randomUUID()}`;
  const time = AbortSignal.timeout(timeoutMs);
  const over = AbortSignal.any([signal, time]);
  const end = (): void => void sweep(mark);
  over.addEventListener("abort", end, { once: true });
  try {
    const exitCode = await exec(`"${program}"`, [...args], {
      cwd,
      env: { ...env, [TREE_VARIABLE]: mark },
      silent: true,
      ignoreReturnCode: true,
      listeners: { stdout: keep("stdout"), stderr: keep("stderr") },
    });
    if (over.aborted) return { ended: signal.aborted ? "aborted" : "timed_out", exitCode: null, ...out };
    return { ended: "exited", exitCode, ...out };
  } catch (error) {
    return { ended: "not_started", exitCode: null, ...out, stderr: String(error) };
  } finally {
    over.removeEventListener("abort", end);
  }
}
