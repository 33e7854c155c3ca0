import type { Command, Invocation } from "../app/command.ts";
import { presentError, USAGE_EXIT_CODE } from "../app/present-error.ts";
import { printJson, type Shell } from "../app/shell.ts";
import { type Outcome, OUTCOMES } from "../core/outcome.ts";
import { output } from "../os/output.ts";

const FLUSH_MS = 5_000;

/** Runs a command to its exit code. Whatever is thrown becomes a message; our reader may go away at any time. */
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

/** The exit codes as the help lists them (section 4.5); they come from the table of endings. */
export function exitCodesHelp(): string {
  const states = new Map<number, Set<string>>();
  const outcomes: readonly Outcome[] = Object.values(OUTCOMES);
  for (const { exitCode, status } of outcomes) states.set(exitCode, (states.get(exitCode) ?? new Set()).add(status));
  const lines = [...states]
    .map(([code, names]): [number, string] => [code, [...names].join(", ")])
    .concat([[USAGE_EXIT_CODE, "bad usage or configuration; nothing was started or changed"]])
    .toSorted(([a], [b]) => a - b)
    .map(([code, meaning]) => `  ${String(code).padStart(3)}  ${meaning}`);
  return ["Exit codes:", ...lines].join("\n");
}
