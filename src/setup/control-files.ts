/** A file that smithers writes once for a person to go on with. */
export interface SetupFile {
  /** relative to the folder, with `/` between its parts */
  readonly path: string;
  readonly text: string;
  /** what it is for, in a few words; shown beside its path */
  readonly about: string;
}

/** The names of Ralph's control files, which preset `ralph` uses. */
export const PROMPT_NAME = "PROMPT.md";
export const PLAN_NAME = "@fix_plan.md";
export const AGENT_NAME = "@AGENT.md";
const SETTINGS_NAME = ".smithers.toml";

/** The end of every `PROMPT.md`. */
export const HOW_TO_WORK = `## How to work

- Do one item of ${PLAN_NAME} at a time, and look first at what is there already.
- Write the test with the change. Never weaken a test or a check to make it green.
- What you learn about building and testing goes to ${AGENT_NAME}.
- New work that you find becomes a new item of ${PLAN_NAME}.
`;

const PROMPT = `# What this is about

The loop sends this file with every turn. Keep it short: what is wanted, what must not happen. The work itself stands in
${PLAN_NAME}, one item a turn; how to build and test stands in ${AGENT_NAME}.

## Goal

Say in two or three sentences what exists when all is done, and for whom.

## Constraints

- Say what must stay as it is: interfaces, data, supported versions.
- Say what is out of scope.

${HOW_TO_WORK}`;

/** The beginning of every `@fix_plan.md`. */
export const PLAN_HEAD = `# Fix plan

Each turn does the first open item and ticks it off. When every item is ticked, the loop is done. An item is small enough
when one turn can finish it and a check can show that it is right.
`;

const PLAN = `${PLAN_HEAD}
## High priority

- [ ] Read PROMPT.md and put items in the place of these examples: small, checkable, the most important first

HARD STOP: read the plan before the work begins. Here the run ends; \`smithers resume\` goes on.

## Medium priority

- [ ] An example: \`parse --strict\` refuses unknown keys, with a test
  - Lines that stand further in belong to the item and are told to the agent with it.

## Low priority

- [ ] An example: the README shows \`parse --strict\`
`;

/** The beginning of every `@AGENT.md`. */
export const AGENT_HEAD = `# How to build and test

The agent reads this file before it works, and keeps it up to date: commands that run as they stand here, nothing else.
`;

/** The rest of `@AGENT.md` when no command is known yet. */
export const AGENT_BLANKS = `## Build

\`\`\`sh
# the command that builds
\`\`\`

## Test

\`\`\`sh
# the command that runs every test
\`\`\`

## Run

\`\`\`sh
# the command that starts it
\`\`\`
`;

/** The settings of a folder with control files. */
export const SETTINGS_FILE: SetupFile = {
  path: SETTINGS_NAME,
  about: "the settings of every run here",
  text: `# Settings of every run in this folder; a flag outranks them. smithers --help lists them all.

preset = "ralph"

# Where HARD STOP lines are looked for: there the run ends, until a person resumes the loop.
todo-file = "${PLAN_NAME}"

# The agent may not write before you allow it: with --full-auto, or for every run with this line.
# sandbox = "workspace-write"

# What has to be green before anything counts as done.
# quality-commands = ["npm test"]

# Where that proves little (green before the first turn, tests changed, none counted), another session looks as well.
# reviewer = "thin"
`,
};

/** What `setup` writes. */
export const SETUP_FILES: readonly SetupFile[] = [
  { path: PROMPT_NAME, about: "what it is about; sent with every turn", text: PROMPT },
  { path: PLAN_NAME, about: "the work, one item a turn", text: PLAN },
  { path: AGENT_NAME, about: "how to build and test", text: `${AGENT_HEAD}\n${AGENT_BLANKS}` },
  SETTINGS_FILE,
];
