import type { Flags } from "../config/read.ts";
import type { Shell } from "./shell.ts";

/** What was asked on the command line, besides the settings themselves. */
export interface Invocation {
  readonly flags: Flags;
  /** the text without a flag, for a command that does not take it as a setting; "" when it takes none */
  readonly operand: string;
  /** the same word by word, where a command takes several; absent: there is none */
  readonly words?: readonly string[];
  readonly json: boolean;
  readonly dryRun: boolean;
  readonly cleanupArtifacts: boolean;
  /** whether something may be deleted without asking again */
  readonly yes: boolean;
  /** the texts of flags that are not settings, by name; `on` for a switch */
  readonly values: ReadonlyMap<string, string>;
}

/** A use case of the command line; resolves to the exit code. */
export type Command = (invocation: Invocation, shell: Shell) => Promise<number>;

/** Flags that are not settings. */
export const OWN_FLAGS = {
  json: "Write the result to stdout as one JSON object; progress goes to stderr.",
  "dry-run": "Show the resolved settings with their sources, the first prompt and the agent's command; write nothing.",
  guidance: "What you want the agent to know when it goes on: an answer, or another way; the task stays as it is.",
  "accept-proof":
    "Take the weak proof that the loop stopped for as it is, once, for the files as they are; your name and the time are kept.",
  "cleanup-artifacts": "Delete smithers' own files of the loop as well; never a file of the repository.",
  repo: "The repository on GitHub to look at; without it, where the remote origin leads.",
  "older-than": "Only what loops have left that were last at work at least this many days ago; 14 if not given.",
  fix: "Make what is missing and can be made: the loop's labels in the repository on GitHub.",
  yes: "Remove what is shown; without it, nothing is deleted.",
  name: "The folder that the files go to, right here; . is the current one.",
  trust:
    "For this call, agree to what the repository's files make this machine do; smithers trust agrees once for all.",
  list: "Show everything that you have agreed to, in every workspace; agree to nothing.",
  forget: "Take back what you have agreed to in this workspace.",
  verbose: "Say all that there is to say of the loop, not only the six lines.",
  watch: "Show the loop on the whole terminal, as smithers watch does; q goes on with the plain log.",
  notify: "Ring the terminal's bell and notify its desktop, if it has one, when the loop ends or waits for a limit.",
  quiet: "Show no progress, only how it ended.",
  "no-color": "Use no colours, as with NO_COLOR set.",
  follow: "Go on with what comes, until the loop ends.",
  open: "Show the page in the browser.",
  compare: "Show how two sides differ, with the number of loops of each: loops, provider=NAME or model=NAME.",
  force: "Overwrite also what somebody has changed.",
  from: "The document to take it from; - is what comes in on stdin.",
  draft: "Let the agent draft the stories: one or two turns, which only read.",
  markdown: "The Markdown text in place of the data.",
  sync: "Only rewrite the stories in prd.md from prd.json.",
} as const;

/** Other spellings of them. */
export const OWN_SHORT: Partial<Record<keyof typeof OWN_FLAGS, string>> = { follow: "-f", watch: "--monitor" };

/** Placeholders for the values of flags that take one. */
export const OWN_VALUES: Partial<Record<keyof typeof OWN_FLAGS, string>> = {
  repo: "owner/name",
  "older-than": "days",
  guidance: "text",
  name: "folder",
  from: "file",
};

export interface Operand {
  /**
   * in brackets when it may be missing: `[prompt]`, `<name>`; no two commands that need one call it the same. With dots, as
   * in `<story...>`, it is all words that are given, with blanks between them
   */
  readonly shape: `[${string}]` | `<${string}>`;
  readonly about: string;
  /** the setting that it is a value of; without one it is the invocation's operand */
  readonly setting?: string;
}

export interface CommandRow {
  readonly name: string;
  readonly about: string;
  /** the one text that it takes without a flag; absent: none */
  readonly operand?: Operand;
  /** names of the settings that it takes; absent: all */
  readonly settings?: readonly string[];
  /** names of settings that it takes and its help leaves out, because they could only say what is said already */
  readonly hides?: ReadonlySet<string>;
  /** whether what follows `--` goes to the agent's program */
  readonly passthrough?: boolean;
  readonly own: readonly (keyof typeof OWN_FLAGS)[];
  /** what a flag does here, if that differs from other commands */
  readonly help?: Partial<Record<keyof typeof OWN_FLAGS, string>>;
  readonly more?: string;
  /** what can be done, where it is a group of commands; its own operand is the verb that there is not */
  readonly verbs?: readonly CommandRow[];
  readonly perform: Command;
}
