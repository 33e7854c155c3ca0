import type { Writable } from "node:stream";
import type { Line } from "../views/plain-text.ts";
import { paint, wantsColor } from "../reporters/terminal.ts";

/** A stream that may lead to a terminal. */
export type TextStream = Writable & { readonly isTTY?: boolean; readonly columns?: number; readonly rows?: number };

/** Where a command was given, and where its answers go. */
export interface Shell {
  /** the name the program was called by; messages repeat it */
  readonly program: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** the environment with the Action's inputs; absent on the command line */
  readonly inputs?: Readonly<Record<string, string | undefined>>;
  /** results */
  readonly stdout: TextStream;
  /** progress, notes and errors */
  readonly stderr: TextStream;
}

/** Tells a person something besides the result. */
export function note(shell: Shell, text: string): void {
  for (const line of text.split("\n")) shell.stderr.write(`${shell.program}: ${line}\n`);
}

/** Writes a result for people. */
export function printLines(shell: Shell, lines: readonly Line[]): void {
  const color = wantsColor(shell.stdout, shell.env);
  for (const line of lines) shell.stdout.write(`${paint(line, color)}\n`);
}

/** Writes a result for machines: one JSON object. */
export function printJson(shell: Shell, value: object): void {
  shell.stdout.write(`${JSON.stringify(value)}\n`);
}
