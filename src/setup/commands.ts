import type { CommandRow } from "../app/command.ts";

const SETUP_HELP = `The folder gets PROMPT.md (what it is about), @fix_plan.md (the work, one item a turn), @AGENT.md (how to build
and test) and .smithers.toml with preset ralph. Fill them in; the templates say how. It becomes a git repository
when it lies in none. Nothing that is there is overwritten; what is in the way is listed.

Examples:
  smithers setup my-project     makes the folder and its files
  smithers setup .              puts the files into the current folder

Exit codes: 0 done, 1 it could not be written, 64 bad usage or something is in the way.`;

const IMPORT_HELP = `No model is asked: the same spec gives the same files. Lists below headings such as Requirements, Features, User
stories, Acceptance criteria or Tasks, and every list with checkboxes, become items of @fix_plan.md, ranked by
High, Medium, Low, P0 to P4 or MUST, SHOULD, MAY where the spec has them; ticked items stay ticked. Sections such as
Build, Test or Getting started go to @AGENT.md, everything else to PROMPT.md. The spec is kept in specs/.

Examples:
  smithers import spec.md --name my-project  makes the folder and its files
  smithers import docs/prd.md --name .       puts them into this folder

Exit codes: 0 done, 1 it could not be written, 64 bad usage, no work found, or something is in the way.`;

const HELPERS_HELP = `Written are the custom prompt prompts/waylon-smithers.md in CODEX_HOME, or ~/.codex, and in the workspace the skills
.codex/skills/waylon-smithers and .codex/skills/smithers-loop, its other name. They tell the agent how to work
inside a loop: promise discipline, checkpoints, safe defaults. Prompts and skills have no hooks that could start
anything: the looping is done by smithers. What is up to date is left alone, and so is what somebody has changed.

Examples:
  smithers install-helpers --dry-run     show what would be written
  smithers install-helpers               write or update it

Exit codes: 0 done or shown, 1 something could not be written, 64 bad usage.`;

/** The commands that a person begins with; each is loaded when it is given. */
export const SETUP_COMMANDS: readonly CommandRow[] = [
  {
    name: "setup",
    about: "Make a folder with PROMPT.md, @fix_plan.md and @AGENT.md to fill in, as Ralph has them.",
    operand: { shape: "<name>", about: "the folder to make, right here; . is the current one" },
    settings: [],
    own: ["json"],
    more: SETUP_HELP,
    perform: async (invocation, shell) => (await import("./setup.ts")).setup(invocation, shell),
  },
  {
    name: "import",
    about: "Make a Markdown spec into PROMPT.md, @fix_plan.md and @AGENT.md, without a model.",
    operand: { shape: "<spec>", about: "the Markdown file, such as a PRD" },
    settings: [],
    own: ["name", "json"],
    more: IMPORT_HELP,
    perform: async (invocation, shell) => (await import("./import.ts")).importSpec(invocation, shell),
  },
  {
    name: "install-helpers",
    about: "Write Codex's custom prompt and skills that tell it how to work inside a loop.",
    settings: ["cd"],
    own: ["force", "dry-run", "json"],
    help: { "dry-run": "Only show what would be written, and whether it would." },
    more: HELPERS_HELP,
    perform: async (invocation, shell) => (await import("./install-helpers.ts")).installHelpers(invocation, shell),
  },
];

/** What is said of the program itself; the command line performs it. */
export const HELP_ROWS: readonly Omit<CommandRow, "perform">[] = [
  {
    name: "help",
    about: "Help on a command, or on a topic: a group of flags, as --help-all has them.",
    operand: { shape: "[topic...]", about: "a command, a setting, or the beginning of a group's name such as limits" },
    settings: [],
    own: [],
  },
  { name: "version", about: "Say which version this is.", settings: [], own: [] },
  {
    name: "completion",
    about: "Print what makes your shell complete commands and flags: bash, zsh or fish.",
    operand: { shape: "[shell]", about: "bash, zsh or fish" },
    settings: [],
    own: [],
  },
];
