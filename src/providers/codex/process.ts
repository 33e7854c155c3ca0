import type { Readable } from "node:stream";
import { type Exit, supervise } from "../../platform/supervise.ts";
import type { CodexOptions } from "./options.ts";

const KEPT_BYTES = 64 * 1024;

/** Codex's environment: the user's choice and the key. */
export function codexEnvironment(options: Pick<CodexOptions, "env" | "apiKey">): Record<string, string> {
  return { ...options.env, ...(options.apiKey === null ? {} : { CODEX_API_KEY: options.apiKey }) };
}

/** Reads a stream to its end and keeps the last 64 KiB of it. */
export async function readTail(stream: Readable): Promise<string> {
  let kept: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    kept.push(chunk);
    length += chunk.length;
    if (length < 2 * KEPT_BYTES) continue;
    kept = [Buffer.concat(kept).subarray(-KEPT_BYTES)];
    length = KEPT_BYTES;
  }
  return Buffer.concat(kept).subarray(-KEPT_BYTES).toString("utf8");
}

/** What a short call of Codex came to. */
export interface Answer {
  readonly exit: Exit;
  readonly stderr: string;
}

/** Runs a call of Codex that spends nothing. */
export async function ask(
  options: CodexOptions,
  command: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<Answer> {
  const child = supervise({
    command,
    args,
    cwd: options.workspaceRoot,
    env: codexEnvironment(options),
    mark: options.mark,
    signal,
    timeoutMs: 30_000,
    graceMs: 1_000,
  });
  const [stderr, , exit] = await Promise.all([readTail(child.stderr), readTail(child.stdout), child.exit]);
  return { exit, stderr };
}
