import type { Readable } from "node:stream";
import { type Exit, supervise } from "../../os/supervise.ts";
import { OutputTail } from "../output-tail.ts";
import type { CodexOptions } from "./options.ts";

const KEPT_BYTES = 64 * 1024;

/** Codex's environment: the user's choice and the key. */
export function codexEnvironment(options: Pick<CodexOptions, "env" | "apiKey">): Record<string, string> {
  return { ...options.env, ...(options.apiKey === null ? {} : { CODEX_API_KEY: options.apiKey }) };
}

/** Reads a stream to its end and keeps the last 64 KiB of it. */
export async function readTail(stream: Readable): Promise<string> {
  const tail = new OutputTail(KEPT_BYTES);
  for await (const chunk of stream) tail.push(chunk);
  return tail.text();
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
