import { cancel } from "./cancel.ts";
import type { Command } from "./command.ts";
import { doctor, DOCTOR_HELP } from "./doctor.ts";
import { pause, stop } from "./interrupt.ts";
import { loop, LOOP_HELP } from "./loop.ts";
import { prune, PRUNE_HELP } from "./prune.ts";
import { resetCircuit, resetSession } from "./reset.ts";
import { resume } from "./resume.ts";
import { run } from "./run.ts";
import { status } from "./status.ts";

/** Flags that are no settings. */
export const OWN_FLAGS = {
  json: "Write the result to stdout as one JSON object; progress goes to stderr.",
  "dry-run": "Show the resolved settings with their sources, the first prompt and the agent's command; write nothing.",
  "cleanup-artifacts": "Delete smithers' own files of the loop as well; never a file of the repository.",
  repo: "The repository on GitHub to look at; without it, where the remote origin leads.",
  "older-than": "Only what loops have left that were not at work for so many days; without it, 14.",
  yes: "Remove what is shown; without it, nothing is deleted.",
} as const;

/** What stands for the value of those that are no switches. */
export const OWN_VALUES: Partial<Record<keyof typeof OWN_FLAGS, string>> = { repo: "owner/name", "older-than": "days" };

/** A command of the command line. */
export interface CommandRow {
  readonly name: string;
  readonly about: string;
  readonly takesPrompt: boolean;
  /** names of the settings that it takes; absent: all */
  readonly settings?: readonly string[];
  /** whether what stands behind `--` goes to the agent's program */
  readonly handsOn?: boolean;
  readonly own: readonly (keyof typeof OWN_FLAGS)[];
  /** what a flag does here, where that is something else than elsewhere */
  readonly help?: Partial<Record<keyof typeof OWN_FLAGS, string>>;
  /** stands at the end of its help */
  readonly more?: string;
  readonly perform: Command;
}

/** What tells which loop is meant. */
const LOCATING = ["loop-id", "state-file", "cd", "config-file"];

/** Every command there is. `run` is also what happens without the name of a command (W-04). */
export const COMMANDS: readonly CommandRow[] = [
  {
    name: "run",
    about: "Start a loop, or go on with the one that --loop-id names.",
    takesPrompt: true,
    own: ["dry-run", "json"],
    perform: run,
  },
  {
    name: "loop",
    about: "Start a loop as Loopr does: by status block, with the limits of .loopr/config.",
    takesPrompt: true,
    handsOn: true,
    own: ["dry-run", "json"],
    more: LOOP_HELP,
    perform: loop,
  },
  {
    name: "resume",
    about: "Go on with a loop that has stopped; its task is as it was.",
    takesPrompt: false,
    own: ["dry-run", "json"],
    perform: resume,
  },
  {
    name: "pause",
    about: "Let a running loop end after its iteration; it can be resumed.",
    takesPrompt: false,
    settings: LOCATING,
    own: ["json"],
    perform: pause,
  },
  {
    name: "stop",
    about: "End a running loop now; it can be resumed.",
    takesPrompt: false,
    settings: LOCATING,
    own: ["json"],
    perform: stop,
  },
  {
    name: "status",
    about: "Say where a loop stands.",
    takesPrompt: false,
    settings: LOCATING,
    own: ["json"],
    perform: status,
  },
  {
    name: "cancel",
    about: "End a loop for good; the work tree stays as the agent left it.",
    takesPrompt: false,
    settings: LOCATING,
    own: ["cleanup-artifacts", "json"],
    perform: cancel,
  },
  {
    name: "reset-circuit",
    about: "Close the circuit of a loop that went nowhere, so that it can go on in a fresh session.",
    takesPrompt: false,
    settings: LOCATING,
    own: ["json"],
    perform: resetCircuit,
  },
  {
    name: "reset-session",
    about: "Let the next turn of a loop begin a fresh session; work and notes stay.",
    takesPrompt: false,
    settings: LOCATING,
    own: ["json"],
    perform: resetSession,
  },
  {
    name: "prune",
    about:
      "Show what loops that are over have left, in this workspace and, with GITHUB_TOKEN or GH_TOKEN set, on GitHub: refs, requests, caches, merged branches. With --yes, remove it.",
    takesPrompt: false,
    settings: ["cd"],
    own: ["repo", "older-than", "dry-run", "yes", "json"],
    help: { "dry-run": "Only show what would be removed, even with --yes." },
    more: PRUNE_HELP,
    perform: prune,
  },
  {
    name: "doctor",
    about: "Look, without doing anything, what a loop with these settings would lack, and say what helps.",
    takesPrompt: false,
    own: ["json"],
    more: DOCTOR_HELP,
    perform: doctor,
  },
];
