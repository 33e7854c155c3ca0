import path from "node:path";
import type { Readable, Writable } from "node:stream";
import type { Line } from "../views/plain-text.ts";
import { paint, wantsColor } from "../reporters/terminal.ts";

/** A stream that may lead to a terminal. */
export type TextStream = Writable & { readonly isTTY?: boolean; readonly columns?: number; readonly rows?: number };

/** The repository's files as of the commit that decides what they may say to a job (T8), whatever the workspace holds. */
export interface CommittedFiles {
  /**
   * @param file absolute
   * @returns its text, undefined where the commit has no such file; undefined for what is not the repository's
   */
  read(file: string): Promise<{ readonly text: string | undefined } | undefined>;
  /** The same for what is another in the workspace by its nature. @param limit of its bytes */
  readOriginal(file: string, limit: number): Promise<{ readonly text: string | undefined } | undefined>;
  /** The same for what need not come with the repository: undefined for what was made in the job as well. */
  readTracked(file: string): Promise<{ readonly text: string | undefined } | undefined>;
}

/** Where a command was given, and where its answers go. */
export interface Shell {
  /** the name the program was called by; messages repeat it */
  readonly program: string;
  /** what the verbs about PRDs were called by; absent: `<program> prd` */
  readonly prdProgram?: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** the environment with the Action's inputs; absent on the command line */
  readonly inputs?: Readonly<Record<string, string | undefined>>;
  /** how a job reads the files of the repository around a workspace, absolute; absent: as they are */
  readonly committed?: (root: string) => CommittedFiles;
  /** where a person may answer a question; absent: nobody can be asked */
  readonly stdin?: Readable & { readonly isTTY?: boolean };
  readonly stdout: TextStream;
  /** whether colours are not wanted whatever the terminal can do; absent: they may be */
  readonly noColor?: boolean;
  /** progress, notes and errors */
  readonly stderr: TextStream;
}

export function note(shell: Shell, text: string): void {
  for (const line of text.split("\n")) shell.stderr.write(`${shell.program}: ${line}\n`);
}

export function printLines(shell: Shell, lines: readonly Line[]): void {
  const color = shell.noColor !== true && wantsColor(shell.stdout, shell.env);
  for (const line of lines) shell.stdout.write(`${paint(line, color)}\n`);
}

/** What the runner of a job takes for a command wherever it stands; in JSON, only texts can hold it. */
const OLD_COMMAND = /#(?=\p{Default_Ignorable_Code_Point}*#\p{Default_Ignorable_Code_Point}*\[)/gu;

/** Writes a result for machines: one JSON object, which is no command of a runner whatever its texts say. */
export function printJson(shell: Shell, value: object): void {
  shell.stdout.write(`${JSON.stringify(value).replaceAll(OLD_COMMAND, String.raw`\u0023`)}\n`);
}

const NAMES: ReadonlySet<string> = new Set(["smithers", "waylon-smithers"]);

/** The name that the program was called by, as messages repeat it. */
export function programName(script: string): string {
  const name = path.basename(script);
  return NAMES.has(name) ? name : "smithers";
}

/** Another name of the program, by which it takes the verbs about PRDs alone: `daedalus new` is `smithers prd new`. */
const PRD_PROGRAM = "daedalus";

/** That name, if the program was called by it. */
export function prdProgramName(script: string): string | undefined {
  return path.basename(script) === PRD_PROGRAM ? PRD_PROGRAM : undefined;
}
