import { planRun } from "../app/start-or-resume.ts";
import type { Command } from "../app/command.ts";
import { launch } from "./launch.ts";

/** `smithers "<prompt>"` and `smithers run`. */
export const run: Command = async (invocation, shell) =>
  launch(await planRun(invocation.flags, shell), invocation, shell);
