import { SecretValues } from "../os/secrets.ts";
import type { BranchInHand } from "./branch-in-hand.ts";
import { secretsOf } from "../app/secrets-of.ts";
import type { Surroundings } from "../app/surroundings.ts";

/**
 * Whether pushing `commit` would publish a secret of this job, which the agent may have found out and written down (T2).
 * What is pushed once is read by everybody who may read the repository, whatever is done to the branch later.
 *
 * @returns whole sentences; null: it would not
 */
export async function whySecret(
  { settings }: Pick<Surroundings, "settings">,
  { branch, here, head }: BranchInHand,
  commit: string,
  withinMs: number,
): Promise<string | null> {
  const secrets = new SecretValues(secretsOf(settings.config));
  const known = [here, head].filter((id) => id !== null);
  const found = await branch.placesAdding({ commit, known }, (text) => secrets.areIn(text), withinMs);
  if (!found.ok) return `whether it holds a secret of this job cannot be told: ${found.trouble.because}.`;
  if (found.value.length === 0) return null;
  const [first = "", ...others] = found.value;
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  return `${first}${more} would show a secret of this job to everybody who may read the repository. Take it out of the work, and tell the agent to write it down nowhere.`;
}
