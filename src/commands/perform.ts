import { output } from "../os/output.ts";
import type { Command, Invocation } from "../app/command.ts";
import { presentError } from "../app/present-error.ts";
import { printJson, type Shell } from "../app/shell.ts";

const FLUSH_MS = 5_000;

/** Runs a command to its exit code. Whatever is thrown becomes a message; whoever reads us may go away at any time. */
export async function perform(command: Command, invocation: Invocation, shell: Shell): Promise<number> {
  const streams = [output(shell.stdout), output(shell.stderr)];
  const exitCode = await attempt(command, invocation, shell);
  await Promise.all(streams.map((stream) => stream.drained(Date.now() + FLUSH_MS)));
  return exitCode;
}

async function attempt(command: Command, invocation: Invocation, shell: Shell): Promise<number> {
  try {
    return await command(invocation, shell);
  } catch (error) {
    const { text, problems, exitCode } = presentError(error, shell.program);
    shell.stderr.write(`${text}\n`);
    if (invocation.json) printJson(shell, { schema: 1, exit_code: exitCode, problems });
    return exitCode;
  }
}
