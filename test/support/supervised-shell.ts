import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { ProcessTree } from "../../src/os/process-tree.ts";
import { type Exit, supervise, type Supervised, type SuperviseOptions } from "../../src/os/supervise.ts";

const PATH = process.env["PATH"] ?? "";
const never = new AbortController().signal;

/** Starts a shell under a mark of its own. */
export function shell(script: string, options: Partial<SuperviseOptions> = {}): Supervised & { mark: string } {
  const mark = options.mark ?? `test-${randomUUID()}`;
  const run = supervise({
    command: "sh",
    args: ["-c", script],
    cwd: import.meta.dirname,
    env: { PATH },
    mark,
    signal: never,
    ...options,
  });
  return Object.assign(run, { mark });
}

/** Reads everything and waits for the end. */
export async function finish(run: Supervised): Promise<{ stdout: string; stderr: string; exit: Exit }> {
  const [stdout, stderr, exit] = await Promise.all([text(run.stdout), text(run.stderr), run.exit]);
  return { stdout, stderr, exit };
}

/** Resolves once `run` has printed a line. */
export async function firstLine(run: Supervised): Promise<string> {
  const [chunk] = await once(run.stdout, "data");
  return String(chunk).trim();
}

/** Whether the process still runs; a zombie does not. */
export function runs(pid: number): boolean {
  return new ProcessTree(`none-${randomUUID()}`, pid).alive().includes(pid);
}
