import { HOME_FOLDER } from "../core/names.ts";
/** What both helpers say of themselves (W-13). */
const NO_HOOKS = `This file is text and nothing else: prompts and skills have no hooks that could start anything when a turn ends. One
session of yours is one piece of work. What repeats it, runs the checks and decides when to stop is the program
\`smithers\`, from outside.`;

const PRACTICE = `## Promise discipline

- The completion promise is the exact text that your prompt names. Print it only when everything that was asked for is done
  and checked, on a line of its own at the very end; never quote it, never announce it, never print it "for now".
- A promise is a claim. The loop runs the checks after it, and a red check refuses it.
- If the prompt asks for a status block instead, end every message with it, and let it say what is so.
- Never edit, skip or delete a test or a check to make it green.

## Checkpoints

- Work through the list from top to bottom, one item at a time; tick an item off (\`- [x]\`) when it is done and checked.
- Stop at a line that says HARD STOP, ask for review, and leave that line as it is. A person lets the work go on.
- Leave the files so that somebody else can go on: what matters stands in the repository, not in the conversation.
- If you are blocked, write a section that begins with BLOCKED: what you tried, what you need, what you propose.

## Safe defaults

- Look before you change. Small changes, each followed by the check that shows it.
- Prefer checks that always say the same: tests, linters, type checks.
- Do not touch ${HOME_FOLDER} or .github/workflows. In a loop do not commit: the loop does that where it is wanted.
- No wider sandbox, no network, no approval bypassed on your own account; that is the person's to allow.
`;

const LOOPING = `## Running it as a loop

For a person, in a terminal, in a git repository:

\`\`\`sh
smithers doctor                                                    # what is missing
smithers "Make the tests green." --quality-commands "npm test" --full-auto
smithers "Work through TODO.md." --todo-file TODO.md --full-auto   # pauses at HARD STOP lines
smithers status                                                    # and resume, pause, cancel
\`\`\`

Without \`--full-auto\` the agent may only read. After 30 iterations the loop stops, whatever it has reached;
\`--max-iterations\` says otherwise. Do not start \`smithers\` from within a turn that it has started.
`;

/** The custom prompt: what a person puts into a session with `/prompts:waylon-smithers <task>`. */
export const CUSTOM_PROMPT = `---
description: Work on a task as one turn of a Smithers loop
argument-hint: <what has to be done>
---

# Smithers loop: one turn

Task: $ARGUMENTS

Work on this task as if a loop had given it to you and will look at what you leave.

${NO_HOOKS}

${PRACTICE}
## At the end of this turn

Say what is done and which check showed it, what is left, and what comes next. If something is left, name the command that
goes on without a person:

\`\`\`sh
smithers "<the task>" --quality-commands "<the check>" --full-auto
\`\`\`
`;

/** The skill `$waylon-smithers`. */
export const SKILL = `---
name: waylon-smithers
description: How to work inside a Smithers loop, and how to set one up. Use it when a prompt names a completion promise, a status block, a fix plan or HARD STOP lines, or when somebody wants unattended, repeated work on a task until checks are green.
---

# Smithers loop

${NO_HOOKS}

${PRACTICE}
${LOOPING}`;

/** The same skill by its other name, \`$smithers-loop\`. */
export const OTHER_NAME = `---
name: smithers-loop
description: Another name of the skill waylon-smithers. Use it only when it is asked for by this name.
---

Read the skill waylon-smithers, in the folder beside this one (../waylon-smithers/SKILL.md), and do what it says.
`;
