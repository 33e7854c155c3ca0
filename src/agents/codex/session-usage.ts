import { constants } from "node:fs";
import { type FileHandle, open, readdir } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import type { Usage } from "../../core/agent.ts";
import { LineSplitter } from "../output.ts";

const tokens = z.object({
  input_tokens: z.int().nonnegative(),
  cached_input_tokens: z.int().nonnegative(),
  output_tokens: z.int().nonnegative(),
  reasoning_output_tokens: z.int().nonnegative(),
});
/** `thread_token_usage` is written after each answer of the model; older versions count only with the next item. */
const record = z.object({
  payload: z.union([
    z.object({ thread_token_usage: tokens }),
    z.object({ info: z.object({ total_token_usage: tokens }) }),
  ]),
});

/** The running total of a session by a line of its file; undefined: the line is about something else. */
export function readUsageLine(line: string): Usage | undefined {
  if (!line.includes("_token_usage")) return undefined;
  const { success, data } = record.safeParse(parsed(line));
  if (!success) return undefined;
  const { payload } = data;
  const total = "info" in payload ? payload.info.total_token_usage : payload.thread_token_usage;
  return {
    input: total.input_tokens,
    cachedInput: total.cached_input_tokens,
    output: total.output_tokens,
    reasoning: total.reasoning_output_tokens,
  };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

const CHUNK_BYTES = 65_536;
const LOOK_FOR_FILE_MS = 500;

/**
 * What a session has used so far: `codex exec` tells it at the end of a turn, and of a turn that fails never, but the
 * session's own file has it after each answer of the model. Never throws: where there is no such file, nobody knows.
 */
export class SessionUsage implements AsyncDisposable {
  readonly #folder: string;
  readonly #splitter = new LineSplitter();
  #file: FileHandle | undefined;
  #lookedAt = -Infinity;
  #offset = 0;
  #total: Usage | undefined;

  /** @param folder where Codex keeps its sessions */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The session's running total; undefined: not known. @param isOver whether it is the last time that somebody asks */
  async total(sessionId: string, isOver = false): Promise<Usage | undefined> {
    this.#file ??= await this.#find(sessionId, isOver);
    try {
      await this.#readOn();
    } catch {
      // What is known stays known.
    }
    return this.#total;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file?.close();
  }

  /** A new session's file is there after its first message only, and a folder of years takes a while to look through. */
  async #find(sessionId: string, isOver: boolean): Promise<FileHandle | undefined> {
    const now = performance.now();
    if (!isOver && now - this.#lookedAt < LOOK_FOR_FILE_MS) return undefined;
    this.#lookedAt = now;
    try {
      const names = await readdir(this.#folder, { recursive: true });
      const name = names.find((one) => one.endsWith(`-${sessionId}.jsonl`));
      if (name === undefined) return undefined;
      return await open(path.join(this.#folder, name), constants.O_RDONLY | constants.O_NOFOLLOW);
    } catch {
      return undefined;
    }
  }

  async #readOn(): Promise<void> {
    if (this.#file === undefined) return;
    const buffer = Buffer.alloc(CHUNK_BYTES);
    for (;;) {
      const { bytesRead } = await this.#file.read(buffer, 0, CHUNK_BYTES, this.#offset);
      if (bytesRead === 0) return;
      this.#offset += bytesRead;
      const { lines } = this.#splitter.push(Buffer.from(buffer.subarray(0, bytesRead)));
      for (const line of lines) this.#total = readUsageLine(line) ?? this.#total;
    }
  }
}
