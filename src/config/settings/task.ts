import type { Setting } from "../setting.ts";
import { filePath } from "./checks.ts";

/** What the loop works on. */
export const TASK_SETTINGS = [
  {
    name: "prompt",
    group: "task",
    type: "string",
    default: null,
    placeholder: "text",
    help: "What the agent has to do, in your words.",
  },
  {
    name: "prompt-file",
    group: "task",
    type: "string",
    default: null,
    placeholder: "path",
    check: filePath,
    help: "A file that holds the prompt, for tasks that need more than a line.",
  },
  {
    name: "todo-file",
    group: "task",
    type: "string",
    default: null,
    placeholder: "path",
    check: filePath,
    help: "A checklist to work through from top to bottom; it is also where HARD STOP lines are looked for.",
  },
  {
    name: "continue-prompt",
    group: "task",
    type: "string",
    default: null,
    placeholder: "text",
    help: "Drives every turn after the first of a session, in place of the generated text.",
  },
  {
    name: "preset",
    group: "task",
    type: "choice",
    choices: ["waylon", "loopr", "solo"],
    default: null,
    where: ["flag", "environment", "file", "input"],
    help: "A named set of defaults: waylon is careful and read-only, loopr ends by status block, solo lets the agent write to the workspace.",
  },
  {
    name: "cd",
    group: "task",
    type: "string",
    default: null,
    placeholder: "path",
    check: filePath,
    where: ["flag", "environment", "input"],
    help: "The workspace; without it, the current folder.",
  },
] as const satisfies readonly Setting[];
