import { promptVariants, scaffoldTokens } from "../test/support/prompts.ts";
import { atMost, type Figure, plain } from "./figure.ts";

/** Tokens that may be added to a task (C66). */
const LIMITS = { first: 600, later: 250 };

/** What a loop adds to the task, in tokens at bytes / 4, beside a shell loop that sends the task alone. */
export async function measurePrompt(): Promise<readonly Figure[]> {
  const sizes = promptVariants().map(({ name, first, later, given }) => ({
    name,
    first: scaffoldTokens(first, given),
    later: scaffoldTokens(later, given),
  }));
  const [usual] = sizes;
  if (usual === undefined) throw new Error("there is no prompt to measure");
  return [
    plain("scaffold of a bare loop, which sends the task alone", 0, "tokens"),
    plain(`scaffold of a session's first prompt, ${usual.name}`, usual.first, "tokens"),
    plain(`scaffold of a later prompt, ${usual.name}`, usual.later, "tokens"),
    atMost("the most in a first prompt", Math.max(...sizes.map(({ first }) => first)), "tokens", LIMITS.first),
    atMost("the most in a later prompt", Math.max(...sizes.map(({ later }) => later)), "tokens", LIMITS.later),
  ];
}
