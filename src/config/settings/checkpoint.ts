import type { Setting } from "../setting.ts";
import { oneLine } from "./checks.ts";

/** Where the loop stops for a person. */
export const CHECKPOINT_SETTINGS = [
  {
    name: "hard-stop-token",
    group: "checkpoint",
    type: "string",
    default: "HARD STOP",
    placeholder: "text",
    empty: "error",
    check: oneLine,
    help: "The words that make a line of the todo file a checkpoint for a person.",
  },
  {
    name: "hard-stop-mode",
    group: "checkpoint",
    type: "choice",
    choices: ["pause", "exit"],
    default: "pause",
    help: "At a checkpoint: pause and ask for confirmation, or exit and say so only in state and summary.",
  },
  {
    name: "hard-stop-when",
    group: "checkpoint",
    type: "choice",
    choices: ["reached", "present"],
    default: "reached",
    help: "A checkpoint counts when every item above it is ticked, or as soon as it stands in the file.",
  },
] as const satisfies readonly Setting[];
