import type { SettingRows } from "../setting.ts";
import { PATH } from "./checks.ts";
import { FREE, READS, widensUnless } from "./consent.ts";

/** What the loop works on. */
export const TASK_SETTINGS = {
  prompt: {
    is: { type: "string", default: null, placeholder: "text", once: true },
    help: "What the agent has to do, in your words.",
    consent: FREE,
  },
  "prompt-file": {
    is: { ...PATH, once: true },
    help: "A file that holds the prompt, for tasks that need more than a line.",
    consent: READS,
  },
  backlog: {
    is: {
      type: "choice",
      choices: ["prompt", "checklist", "prd"],
      default: "prompt",
      derived: "prd where prd names one, else prompt",
    },
    help: "Where the work comes from: the prompt alone, a checklist in a file, one item after the other until all are ticked, or the stories of a PRD, each proved and committed by itself.",
    consent: FREE,
  },
  "plan-file": {
    is: { ...PATH, derived: "the todo-file, else @fix_plan.md" },
    help: "With backlog checklist: the Markdown file whose items (- [ ]) the agent works through and ticks off.",
    consent: READS,
  },
  "agent-file": {
    is: { ...PATH, default: "@AGENT.md" },
    help: "With backlog checklist: the file that tells the agent how to build and run.",
    consent: READS,
  },
  "todo-file": {
    is: PATH,
    help: "A checklist to work through from top to bottom; it is also where HARD STOP lines are looked for.",
    consent: READS,
  },
  "continue-prompt": {
    is: { type: "string", default: null, placeholder: "text" },
    help: "Drives every turn after the first of a session, in place of the generated text.",
    consent: FREE,
  },
  preset: {
    is: {
      type: "choice",
      choices: ["waylon", "ralph", "loopr", "solo", "daedalus"],
      default: null,
      where: ["flag", "environment", "file", "input"],
    },
    help: "A named set of defaults: waylon is careful and read-only, ralph works through @fix_plan.md, loopr ends by status block, solo lets the agent write to the workspace, daedalus works through the stories of a PRD.",
    consent: widensUnless("waylon", "ralph", "loopr", "daedalus"),
  },
  cd: {
    is: { ...PATH, where: ["flag", "environment", "input"] },
    help: "The workspace; without it, the current folder.",
    consent: FREE,
  },
} as const satisfies SettingRows;

/** The settings that make a task this task (C25). */
export const IDENTITY: ReadonlySet<string> = new Set(
  [
    "prompt prompt-file completion-promise promise-mode promise-guard done-token success-cmd success-sh quality-commands",
    "ci-workflow backlog prd plan-file agent-file todo-file hard-stop-token hard-stop-mode hard-stop-when",
  ].flatMap((line) => line.split(" ")),
);
