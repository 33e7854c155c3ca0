import type { Setting } from "../setting.ts";
import { OPTIONAL_PATH, filePath } from "./checks.ts";

/** What the loop works on. */
export const TASK_SETTINGS = [
  {
    name: "prompt",
    type: "string",
    default: null,
    placeholder: "text",
    help: "What the agent has to do, in your words.",
  },
  {
    name: "prompt-file",
    ...OPTIONAL_PATH,
    help: "A file that holds the prompt, for tasks that need more than a line.",
  },
  {
    name: "backlog",
    type: "choice",
    choices: ["prompt", "checklist"],
    default: "prompt",
    help: "Where the work comes from: the prompt alone, or a checklist in a file, one item after the other until all are ticked.",
  },
  {
    name: "plan-file",
    type: "string",
    default: null,
    derived: "the todo-file, else @fix_plan.md",
    placeholder: "path",
    check: filePath,
    help: "With backlog checklist: the Markdown file whose items (- [ ]) the agent works through and ticks off.",
  },
  {
    name: "agent-file",
    type: "string",
    default: "@AGENT.md",
    placeholder: "path",
    check: filePath,
    help: "With backlog checklist: the file that tells the agent how to build and run.",
  },
  {
    name: "todo-file",
    ...OPTIONAL_PATH,
    help: "A checklist to work through from top to bottom; it is also where HARD STOP lines are looked for.",
  },
  {
    name: "continue-prompt",
    type: "string",
    default: null,
    placeholder: "text",
    help: "Drives every turn after the first of a session, in place of the generated text.",
  },
  {
    name: "preset",
    type: "choice",
    choices: ["waylon", "ralph", "loopr", "solo"],
    default: null,
    where: ["flag", "environment", "file", "input"],
    help: "A named set of defaults: waylon is careful and read-only, ralph works through @fix_plan.md, loopr ends by status block, solo lets the agent write to the workspace.",
  },
  {
    name: "cd",
    ...OPTIONAL_PATH,
    where: ["flag", "environment", "input"],
    help: "The workspace; without it, the current folder.",
  },
] as const satisfies readonly Setting[];
