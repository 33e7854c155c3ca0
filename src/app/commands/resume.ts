import { planResume } from "../start-or-resume.ts";
import type { Command } from "./command.ts";
import { launch } from "./launch.ts";

/** `smithers resume`: read the state, resume the session, go on (W-34). */
export const resume: Command = async (invocation, shell) =>
  launch(await planResume(invocation.flags, shell), invocation, shell);
