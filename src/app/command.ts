import type { Flags } from "../config/read.ts";
import type { Shell } from "./shell.ts";

/** What was asked on the command line, besides the settings themselves. */
export interface Invocation {
  readonly flags: Flags;
  /** the text that stands without a flag, for a command that does not take it as a setting; "" when none does */
  readonly operand: string;
  /** the result goes to stdout as one JSON object (D-34) */
  readonly json: boolean;
  readonly dryRun: boolean;
  readonly cleanupArtifacts: boolean;
  /** whether something may be deleted without asking again */
  readonly yes: boolean;
  /** the texts of flags that are no settings, by name; `on` for a switch */
  readonly values: ReadonlyMap<string, string>;
}

/** A use case of the command line; resolves to the exit code. */
export type Command = (invocation: Invocation, shell: Shell) => Promise<number>;
