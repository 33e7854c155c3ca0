import { spawn } from "node:child_process";
import path from "node:path";

/** The project's root: every script works there, wherever it is called from. */
export const ROOT = path.join(import.meta.dirname, "..");

const TOOLS = path.join(ROOT, "node_modules/.bin");

export interface Ran {
  readonly ok: boolean;
  /** stdout and stderr in the order of arrival */
  readonly output: string;
}

/** Runs one of the project's tools without stdin; a tool that cannot start counts as failed. */
export function run(command: readonly [string, ...string[]]): Promise<Ran> {
  const [program, ...args] = command;
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: ROOT,
      env: { ...process.env, PATH: `${TOOLS}${path.delimiter}${process.env["PATH"] ?? ""}` },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const chunks: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.on("error", (error) => resolve({ ok: false, output: `${error.message}\n` }));
    child.on("close", (code) => resolve({ ok: code === 0, output: Buffer.concat(chunks).toString() }));
  });
}

/** Runs a tool that has to succeed. */
export async function mustRun(command: readonly [string, ...string[]]): Promise<void> {
  const { ok, output } = await run(command);
  if (!ok) throw new Error(`${command.join(" ")} failed:\n${output}`);
}
