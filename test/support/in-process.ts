import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import type { Command } from "../../src/app/command.ts";
import { perform } from "../../src/commands/perform.ts";
import type { Flags } from "../../src/config/read.ts";

/** What a command of the command line said, without a program having been started. */
export interface Said {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The flags of a command by name; a single text needs no list, "on" for a switch. */
export type GivenFlags = Readonly<Record<string, string | readonly string[]>>;

/** Flags that are not settings. */
const OWN: ReadonlySet<string> = new Set([
  "json",
  "dry-run",
  "cleanup-artifacts",
  "name",
  "force",
  "guidance",
  "accept-proof",
  "trust",
  "list",
  "forget",
  "from",
  "draft",
  "markdown",
  "sync",
  "yes",
  "older-than",
  "compare",
  "repo",
]);

/** What else a command gets, where it matters. */
export interface Besides {
  /** the text without a flag */
  readonly operand?: string;
  /** the same word by word */
  readonly words?: readonly string[];
  /** besides PATH and HOME */
  readonly env?: Readonly<Record<string, string>>;
  /** what a person types at a terminal; without it there is none */
  readonly typed?: string;
  /** what comes in on stdin, where nobody is at a terminal */
  readonly piped?: string;
}

/** Performs a command in this process, as `src/cli.ts` does once it has read its arguments. */
export async function inProcess(
  command: Command,
  cwd: string,
  given: GivenFlags,
  { operand = "", words = [], env = {}, typed, piped }: Besides = {},
): Promise<Said> {
  const flags: Flags = Object.fromEntries(
    Object.entries(given)
      .filter(([name]) => !OWN.has(name))
      .map(([name, value]) => [name, typeof value === "string" ? [value] : value]),
  );
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const said = [text(stdout), text(stderr)] as const;
  const invocation = {
    flags,
    json: "json" in given,
    dryRun: "dry-run" in given,
    cleanupArtifacts: "cleanup-artifacts" in given,
    yes: "yes" in given,
    operand,
    words,
    values: new Map(Object.entries(given).flatMap(([name, value]) => (OWN.has(name) ? [[name, String(value)]] : []))),
  };
  const { PATH, HOME, XDG_STATE_HOME } = process.env;
  const shell = { program: "smithers", cwd, env: { PATH, HOME, XDG_STATE_HOME, ...env }, stdout, stderr };
  const stdin = piped === undefined ? {} : { stdin: Readable.from([piped]) };
  const terminal =
    typed === undefined ? { ...shell, ...stdin } : { ...shell, ...atTerminal(typed), stderr: asTerminal(stderr) };
  const code = await perform(command, invocation, terminal);
  stdout.end();
  stderr.end();
  return { code, stdout: await said[0], stderr: await said[1] };
}

function asTerminal<Stream extends PassThrough>(stream: Stream): Stream & { readonly isTTY: true } {
  return Object.assign(stream, { isTTY: true as const });
}

function atTerminal(typed: string) {
  const stdin = asTerminal(new PassThrough());
  stdin.end(typed);
  return { stdin };
}
