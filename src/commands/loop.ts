import type { Command } from "../app/command.ts";
import { run } from "./run.ts";

/** What its help ends with. */
export const LOOP_HELP = `What stands behind -- goes to the agent's program word by word, never through a shell.

Example:
  smithers loop "Fix the failing tests" --full-auto --max-iterations 20 -- -c model_reasoning_effort=high`;

/** `smithers loop`: Loopr's own form of a run; its preset holds unless another one is chosen. */
export const loop: Command = async (invocation, shell) =>
  run({ ...invocation, flags: { preset: ["loopr"], ...invocation.flags } }, shell);
