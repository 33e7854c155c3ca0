import type { Flags } from "../../config/read.ts";
import type { Shell } from "../shell.ts";

/** What was asked on the command line, besides the settings themselves. */
export interface Invocation {
  readonly flags: Flags;
  /** the result goes to stdout as one JSON object (D-34) */
  readonly json: boolean;
  readonly dryRun: boolean;
  readonly cleanupArtifacts: boolean;
  /** whether something may be deleted without asking again */
  readonly yes: boolean;
  /** the texts of flags that are no settings and no switches, by name */
  readonly values: ReadonlyMap<string, string>;
}

/** A use case of the command line; resolves to the exit code. */
export type Command = (invocation: Invocation, shell: Shell) => Promise<number>;
