import { PassThrough } from "node:stream";
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
const OWN: ReadonlySet<string> = new Set(["json", "dry-run", "cleanup-artifacts", "name", "force", "guidance"]);

/** What else a command gets, where it matters. */
export interface Besides {
  /** the text without a flag */
  readonly operand?: string;
  /** besides PATH and HOME */
  readonly env?: Readonly<Record<string, string>>;
}

/** Performs a command in this process, as `src/cli.ts` does once it has read its arguments. */
export async function inProcess(
  command: Command,
  cwd: string,
  given: GivenFlags,
  { operand = "", env = {} }: Besides = {},
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
    yes: false,
    operand,
    values: new Map(Object.entries(given).flatMap(([name, value]) => (OWN.has(name) ? [[name, String(value)]] : []))),
  };
  const { PATH, HOME } = process.env;
  const shell = { program: "smithers", cwd, env: { PATH, HOME, ...env }, stdout, stderr };
  const code = await perform(command, invocation, shell);
  stdout.end();
  stderr.end();
  return { code, stdout: await said[0], stderr: await said[1] };
}
