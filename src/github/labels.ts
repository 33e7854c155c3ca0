import { done, type Result } from "../core/result.ts";
import { onceKnown } from "./ask-again.ts";
import type { Github } from "./client.ts";
import { ask, type Refused, statusOf } from "./refusal.ts";

const PERMISSION = "pull-requests: write";

/** Puts labels on a pull request (`pull-requests: write`); GitHub makes those that it does not know yet. Never throws. */
export async function addLabels(
  github: Github,
  number: number,
  labels: readonly string[],
): Promise<Result<unknown, Refused>> {
  if (labels.length === 0) return done(true);
  const add = () => github.rest.issues.addLabels({ issue_number: number, labels: [...labels] });
  return ask(PERMISSION, () => onceKnown(github.signal, add));
}

/** Removes a label from a pull request, if it has it (`pull-requests: write`). Never throws. */
export async function removeLabel(github: Github, number: number, label: string): Promise<Result<unknown, Refused>> {
  return ask(PERMISSION, () => takeOff(github, number, label, {}));
}

/**
 * The same, asked once: after a lost answer, a second request would find its own doing. Never throws.
 *
 * @returns whether it was there: of several who take it off at one moment, GitHub lets one have found it
 */
export async function claimLabel(
  github: Github,
  number: number,
  label: string,
): Promise<Result<{ readonly there: boolean }, Refused>> {
  return ask(PERMISSION, async () => ({ there: await takeOff(github, number, label, { retries: 0 }) }));
}

/** @throws what Octokit throws */
async function takeOff(github: Github, number: number, name: string, request: { retries?: number }): Promise<boolean> {
  try {
    await github.rest.issues.removeLabel({ issue_number: number, name, request });
    return true;
  } catch (error) {
    if (statusOf(error) !== 404) throw error;
    return false;
  }
}
