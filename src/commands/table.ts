import type { CommandRow, Operand } from "../app/command.ts";
import { IDENTITY } from "../config/settings/task.ts";
import { cancel, pause, resetCircuit, resetSession, stop } from "./control.ts";
import { doctor, DOCTOR_HELP } from "./doctor.ts";
import { list } from "./list.ts";
import { diff, DIFF_HELP, explain, EXPLAIN_HELP, logs, LOGS_HELP, LOOP_AND_ITERATION } from "./look-back.ts";
import { prune, PRUNE_HELP } from "./prune.ts";
import { PRD_HELP, PRD_VERBS, refuseVerb } from "./prd/verbs.ts";
import { report, REPORT_HELP } from "./report.ts";
import { loop, LOOP_HELP, resume, run } from "./run.ts";
import { status } from "./status.ts";
import { trust, TRUST_HELP } from "./trust.ts";

const LOOP: Operand = {
  shape: "[loop]",
  about: "its id, or the beginning of it; not needed where only one can be meant",
  setting: "loop-id",
};

/** For commands about an existing loop: the settings that say which one is meant. */
const OF_LOOP = {
  operand: LOOP,
  settings: ["loop-id", "state-file", "cd", "config-file"],
  own: ["verbose", "no-color", "json"],
} as const;

/** For commands that look back at a loop of another machine as well. */
const LOOP_OR_ARTIFACT: Operand = {
  shape: "[loop]",
  about: "its id, or the beginning of it; or a downloaded artifact, a folder or a .zip, to look back at that",
};

const WATCH_HELP = `It reads what the loop writes and can be left at any time: q and Ctrl+C leave the view alone, and the loop goes on.
Keys: d dashboard, s stories, l logs, e settings, w other loops, p pause, x stop, r run on, C reset circuit,
/ search, [ ] iterations, c copy, o pager, ? all of them. Without a terminal there are logs -f and status.

Examples:
  smithers watch                      the loop that runs, or a list to choose from
  smithers watch fix-tests            the loop whose id begins so
  smithers watch smithers-loop-x.zip  a loop that ran on GitHub, from its artifact`;

const COUNTED: Operand = {
  shape: "[what...]",
  about:
    "downloaded artifacts (a .zip, a folder, or a folder of them), refs for the loops on GitHub, or loops by the beginning of their ids; without it, all loops of this repository",
};

const STATS_HELP = `A row for each loop, then all together: how they ended, with which iteration they were proved, what a proof takes in
tokens and cost, runs that ended without a turn's change, and the time of turns that a later run went on from. A dash
is what is not known. A loop at work, a copy of one that is counted and what cannot be read are left out and counted.
refs needs GITHUB_TOKEN or GH_TOKEN; it knows the state of a loop and not its events. A sealed artifact needs its key
in SMITHERS_STATE_KEY.

Examples:
  smithers stats                        all loops of this repository
  smithers stats artifacts/             those that gh run download has fetched into artifacts/
  smithers stats refs --repo octo/demo  those of a repository on GitHub
  smithers stats --compare fix-1 fix-2  two loops that had the same task
  smithers stats --compare provider=codex provider=command artifacts/

Exit codes: 0 shown, 1 the two sides are not comparable, 64 bad usage.`;

const PROMPT: Operand = {
  shape: "[prompt]",
  about: "what the agent has to do; or use --prompt or --prompt-file",
  setting: "prompt",
};

/** How a run is shown. */
const SHOWN = ["watch", "notify", "quiet", "verbose", "no-color", "json"] as const;

const STARTS = { operand: PROMPT, own: ["trust", "dry-run", ...SHOWN] } as const;

/** The commands about loops. `run` is the default command. */
export const COMMANDS: readonly CommandRow[] = [
  {
    name: "run",
    about: "Start a loop, or go on with the one that --loop-id names.",
    ...STARTS,
    perform: run,
  },
  {
    name: "loop",
    about: "Start a loop as Loopr does: by status block, with the limits of .loopr/config.",
    ...STARTS,
    passthrough: true,
    more: LOOP_HELP,
    perform: loop,
  },
  {
    name: "resume",
    about: "Go on with a loop that has stopped; its task is as it was.",
    hides: IDENTITY,
    operand: LOOP,
    own: ["guidance", "accept-proof", "trust", "dry-run", ...SHOWN],
    perform: resume,
  },
  {
    name: "pause",
    about: "Let a running loop end after its iteration; it can be resumed.",
    ...OF_LOOP,
    perform: pause,
  },
  { name: "stop", about: "End a running loop now; it can be resumed.", ...OF_LOOP, perform: stop },
  { name: "status", about: "Say where a loop stands, or where all of them do.", ...OF_LOOP, perform: status },
  {
    name: "list",
    about: "List all loops of this repository, those that were at work last first.",
    settings: ["cd"],
    own: ["no-color", "json"],
    perform: list,
  },
  {
    name: "watch",
    about: "Look at loops while they run, on the whole terminal, and pause, stop or search them with keys.",
    operand: LOOP_OR_ARTIFACT,
    settings: OF_LOOP.settings,
    own: ["notify", "no-color"],
    more: WATCH_HELP,
    perform: async (invocation, shell) => (await import("./watch/watch.ts")).watch(invocation, shell),
  },
  {
    name: "logs",
    about: "Show what a loop has done, and with -f what it does.",
    ...OF_LOOP,
    operand: LOOP_AND_ITERATION,
    own: ["follow", "no-color"],
    more: LOGS_HELP,
    perform: logs,
  },
  {
    name: "diff",
    about: "Show what a loop, or one of its iterations, has changed.",
    ...OF_LOOP,
    operand: LOOP_AND_ITERATION,
    own: ["no-color"],
    more: DIFF_HELP,
    perform: diff,
  },
  {
    name: "explain",
    about: "Say for every iteration which rule decided what, with its evidence.",
    ...OF_LOOP,
    operand: LOOP_AND_ITERATION,
    more: EXPLAIN_HELP,
    perform: explain,
  },
  {
    name: "report",
    about: "Write the page about a loop or its artifact, one file to look at or to send, and with --open show it.",
    operand: LOOP_OR_ARTIFACT,
    settings: OF_LOOP.settings,
    own: ["open", "json"],
    more: REPORT_HELP,
    perform: report,
  },
  {
    name: "stats",
    about: "Say what many loops have come to: endings, iterations, tokens and cost of a proof; or compare two.",
    operand: COUNTED,
    settings: ["cd"],
    own: ["compare", "repo", "no-color", "json"],
    more: STATS_HELP,
    perform: async (invocation, shell) => (await import("./stats/stats.ts")).stats(invocation, shell),
  },
  {
    name: "cancel",
    about: "End a loop for good; the work tree stays as the agent left it.",
    ...OF_LOOP,
    own: ["cleanup-artifacts", "verbose", "no-color", "json"],
    perform: cancel,
  },
  {
    name: "reset-circuit",
    about: "Close the circuit of a loop that went nowhere, so that it can go on in a fresh session.",
    ...OF_LOOP,
    perform: resetCircuit,
  },
  {
    name: "reset-session",
    about: "Let the next turn of a loop begin a fresh session; work and notes stay.",
    ...OF_LOOP,
    perform: resetSession,
  },
  {
    name: "prune",
    about:
      "Show what loops that are over have left, in this workspace and, with GITHUB_TOKEN or GH_TOKEN set, on GitHub: refs, requests, caches, merged branches. With --yes, remove it.",
    settings: ["cd"],
    own: ["repo", "older-than", "dry-run", "yes", "json"],
    help: { "dry-run": "Only show what would be removed, even with --yes." },
    more: PRUNE_HELP,
    perform: prune,
  },
  {
    name: "doctor",
    about: "Look, without doing anything, what a loop with these settings would lack, and say what helps.",
    own: ["trust", "repo", "fix", "json"],
    more: DOCTOR_HELP,
    perform: doctor,
  },
  {
    name: "trust",
    about: "Show what the files of this repository make your machine do, and agree to it once.",
    settings: ["cd", "config-file", "solo-config", "loop-id", "state-file", "prd"],
    own: ["list", "forget", "json"],
    more: TRUST_HELP,
    perform: trust,
  },
  {
    name: "prd",
    about: "Make, check and follow product requirements documents, whose stories a loop works through.",
    operand: { shape: "[verb]", about: "what to do, as listed below" },
    settings: [],
    own: ["json"],
    more: PRD_HELP,
    verbs: PRD_VERBS,
    perform: refuseVerb,
  },
];
