import type { Setting } from "../setting.ts";

/** What the loop does with the repository. */
export const GIT_SETTINGS = [
  {
    name: "commit",
    group: "git",
    type: "choice",
    choices: ["never", "end", "iteration"],
    default: "never",
    help: "When the engine commits the work on the current branch: never, at the end, or after every iteration.",
  },
] as const satisfies readonly Setting[];
