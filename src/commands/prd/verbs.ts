import type { Command, CommandRow, Operand } from "../../app/command.ts";
import { suggest } from "../../config/suggest.ts";
import { UsageError } from "../../core/errors.ts";
import { prdProgramOf } from "./place.ts";

export const PRD_HELP = `A PRD lies in .daedalus/prds/NAME: prd.json has its stories, prd.md is what people read. NAME may be left out
where there is one. The program daedalus has the same verbs: daedalus new login.

Examples:
  smithers prd new login        make the documents of a PRD
  smithers prd validate login   say what is the matter with them
  smithers prd status login     say how far its stories are

Exit codes: 0 done, 64 bad usage or a PRD that is not valid.`;

const NEW_HELP = `On a terminal it asks for the stories. A prd.json is taken as it is, if it is valid; in a Markdown text stories are
found by headings and list items such as US-001: Title, and by lists below Acceptance criteria. With --draft an agent
drafts them; the draft is checked, never run, and kept beside if it is not valid. Nothing is overwritten.

Examples:
  smithers prd new login                            ask for the stories; without a terminal, files to fill in
  smithers prd new login --from docs/login.md       take the stories of a document
  smithers prd new login --from spec.md --draft --yes
                                                    let the agent draft them from it

Exit codes: 0 done, 1 an agent failed or it could not be written, 64 bad usage, not valid, or something is in the way.`;

const VALIDATE_HELP = `Every problem with its line, the reason and the cure; errors first. Without NAME, all PRDs are looked at. In a
workflow the problems are annotations on the files.

Examples:
  smithers prd validate login
  smithers prd validate --json    all of them, for programs

Exit codes: 0 valid, 64 not valid.`;

const EDIT_HELP = `On a terminal it opens VISUAL or EDITOR on a copy of prd.json. What is valid is written, and the stories in prd.md
follow; what is not can be corrected, kept as a draft, or thrown away. Without a terminal, only the stories in prd.md
are written again. passes and inProgress are the loop's: accept and retry change them. Not while the loop runs; what is
worked on in a work tree is edited there.

Examples:
  smithers prd edit login                     the stories, in your editor
  smithers prd edit login --markdown          the text around them
  smithers prd edit login --from - < new.json replace prd.json, if that is valid

Exit codes: 0 done, 1 the loop runs, the editor failed or it could not be written, 64 bad usage or not valid.`;

const RUN_HELP = `All that decides is said by settings, as for smithers run. The same command goes on with what was stopped, and with
stories that are new. Every story has to pass the quality commands and its own checks; then it is committed.

Examples:
  smithers prd run login --full-auto --quality-commands 'npm test'
  smithers prd run login --story US-003       this one alone
  smithers prd run login --max-stories 2      the next two
  smithers prd run login --branch prd/login   on a branch of its own
  smithers prd run login --worktree on --worktree-setup 'npm ci'
                                              beside your checkout

Exit codes: as smithers run; smithers --help lists them.`;

const RETRY_HELP = `For a story that is blocked, or that has passed and is not what you want. Not while the loop runs: pause it before.

Example:
  smithers prd retry login US-003 "Leave the form as it is; the server is wrong"

Exit codes: 0 done, 1 the loop runs, 64 bad usage, or there is nothing to decide.`;

const ACCEPT_HELP = `What the loop left of the story, in the work tree or set aside as a patch, becomes its commit with your name in it;
the checks need not be green. Nothing else goes with it, so the work tree has to hold nothing else. Not while the loop
runs: pause it before.

Example:
  smithers prd accept login US-003

Exit codes: 0 done, 1 the loop runs or it could not be committed, 64 bad usage, nothing to decide, another branch, or
other changes in the work tree.`;

const CLEAN_HELP = `The work tree beside your checkout, the notes in the PRD's folder, the files of its loop. What can go on, and what
would be lost, stays.

Example:
  smithers prd clean login --yes

Exit codes: 0 done or shown, 1 something could not be removed, 64 bad usage.`;

const STATUS_HELP = `Example:
  smithers prd status login

Exit codes: 0 done, 64 bad usage or not valid.`;

const LIST_HELP = `Example:
  smithers prd list --json

Exit code: 0.`;

const NAME: Operand = { shape: "[name]", about: "the PRD; may be left out where there is one" };

/** What a draft's turn needs to know; a loop's settings mean nothing to it. */
const DRAFTING = [
  ...["cd", "config-file", "provider", "provider-command", "script", "model", "profile", "pass-env"],
  ...["agent-isolation", "agent-access", "require-isolation", "skip-git-repo-check"],
  ...["iteration-timeout-minutes", "idle-timeout-minutes"],
];

/** What can be done with PRDs; each is loaded when it is given. */
export const PRD_VERBS: readonly CommandRow[] = [
  {
    name: "new",
    about: "Make a PRD: by questions, from a document, or to fill in.",
    operand: { shape: "[name]", about: "what the PRD is called; on a terminal it is asked for" },
    settings: DRAFTING,
    own: ["from", "draft", "yes", "trust", "force", "json"],
    help: { yes: "Agree to the turns of --draft.", force: "Overwrite the documents that are there." },
    more: NEW_HELP,
    perform: async (invocation, shell) => (await import("./new.ts")).create(invocation, shell),
  },
  {
    name: "list",
    about: "Show the PRDs, and how far they are.",
    settings: ["cd"],
    own: ["json"],
    more: LIST_HELP,
    perform: async (invocation, shell) => (await import("./list.ts")).list(invocation, shell),
  },
  {
    name: "status",
    about: "Say how far each story is, and which comes next.",
    operand: NAME,
    settings: ["cd"],
    own: ["json"],
    more: STATUS_HELP,
    perform: async (invocation, shell) => (await import("./status.ts")).status(invocation, shell),
  },
  {
    name: "validate",
    about: "Say everything that is the matter with a PRD, or with all.",
    operand: { shape: "[name]", about: "the PRD; without it, all" },
    settings: ["cd"],
    own: ["json"],
    more: VALIDATE_HELP,
    perform: async (invocation, shell) => (await import("./validate.ts")).validate(invocation, shell),
  },
  {
    name: "run",
    about: "Work through its stories: each becomes one proved commit.",
    operand: { shape: "[name]", about: "the PRD; may be left out where there is one", setting: "prd" },
    own: ["trust", "dry-run", "watch", "notify", "quiet", "verbose", "no-color", "json"],
    more: RUN_HELP,
    perform: async (invocation, shell) => (await import("./run.ts")).run(invocation, shell),
  },
  {
    name: "retry",
    about: "Let a story be tried again, with words for the next attempt.",
    operand: { shape: "<story...>", about: "[NAME] US-003 [what the next attempt has to know]" },
    settings: ["cd"],
    own: ["json"],
    more: RETRY_HELP,
    perform: async (invocation, shell) => (await import("./rule.ts")).retry(invocation, shell),
  },
  {
    name: "accept",
    about: "Count a story as passed, by your word; its unfinished work becomes its commit.",
    operand: { shape: "<accepted...>", about: "[NAME] US-003" },
    settings: ["cd", "protected-paths"],
    own: ["force", "json"],
    help: { force: "Leave out what was set aside of it as a patch: it counts as the branch has it." },
    more: ACCEPT_HELP,
    perform: async (invocation, shell) => (await import("./rule.ts")).accept(invocation, shell),
  },
  {
    name: "clean",
    about: "Show what the work on a PRD has left here; with --yes, remove it. Documents and branches stay.",
    operand: NAME,
    settings: ["cd"],
    own: ["yes", "json"],
    help: { yes: "Remove what is shown, and the work tree also when its branch is not merged." },
    more: CLEAN_HELP,
    perform: async (invocation, shell) => (await import("./clean.ts")).clean(invocation, shell),
  },
  {
    name: "edit",
    about: "Edit a PRD in your editor; only what is valid is written.",
    operand: NAME,
    settings: ["cd"],
    own: ["markdown", "from", "sync", "json"],
    help: { markdown: "Edit prd.md in place of prd.json.", from: "A prd.json to replace it with; - is stdin." },
    more: EDIT_HELP,
    perform: async (invocation, shell) => (await import("./edit.ts")).edit(invocation, shell),
  },
];

/** What a verb that there is not, or none at all, comes to. @throws UsageError always */
export const refuseVerb: Command = async ({ operand }, shell) => {
  const program = prdProgramOf(shell);
  const names = PRD_VERBS.map(({ name }) => name);
  const help = `There are ${names.join(", ")}; ${program} --help tells more.`;
  if (operand === "") {
    const what = "It was not said what to do with PRDs.";
    throw new UsageError({ code: "COMMAND_MISSING", what, next: help });
  }
  const meant = suggest(operand, names);
  const next = meant === undefined ? help : `Did you mean ${program} ${meant}?`;
  throw new UsageError({ code: "COMMAND_UNKNOWN", what: `There is no command ${program} ${operand}.`, next });
};
