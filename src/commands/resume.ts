import { UsageError } from "../core/errors.ts";
import { TEXT_LIMIT } from "../core/policy/command.ts";
import { planResume } from "../app/start-or-resume.ts";
import type { Command, Invocation } from "../app/command.ts";
import { launch } from "./launch.ts";

/** `smithers resume`: read the state, resume the session, go on, with what the person has to say. */
export const resume: Command = async (invocation, shell) =>
  launch(await planResume(invocation.flags, guidanceOf(invocation), shell), invocation, shell);

/** Half of an instruction is another instruction: what is too long is refused, as in a comment on GitHub. */
function guidanceOf({ values }: Invocation): string | null {
  const text = values.get("guidance")?.trim();
  if (text === undefined) return null;
  if (text !== "" && text.length <= TEXT_LIMIT) return text;
  throw new UsageError([
    {
      code: text === "" ? "GUIDANCE_EMPTY" : "GUIDANCE_TOO_LONG",
      what: `--guidance: expected a text of at most ${TEXT_LIMIT} characters, got ${text.length}.`,
      next: "Say what the agent has to know in a few sentences; what is longer goes into a file that they name.",
    },
  ]);
}
