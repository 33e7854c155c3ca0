import { done, type Result } from "../core/result.ts";
import type { Label } from "../views/github/labels.ts";
import { onceKnown } from "./ask-again.ts";
import type { Github } from "./client.ts";
import type { CommentedOn } from "./comments.ts";
import { ask, type Refused, saysThat, statusOf } from "./refusal.ts";

const PERMISSION = "pull-requests: write";

/** Whether the repository has a label; `pull-requests: read` is enough as well. */
const SEES = "issues: read";
const MAKES = "issues: write";

/** Those labels that the repository lacks (`pull-requests: read` or `issues: read`). Never throws. */
export async function missingLabels(
  github: Github,
  wanted: readonly Label[],
): Promise<Result<readonly Label[], Refused>> {
  return ask(SEES, async () => {
    const missing = await Promise.all(wanted.map(async (label) => !(await isThere(github, label))));
    return wanted.filter((_, index) => missing[index]);
  });
}

/** @throws what Octokit throws */
async function isThere(github: Github, { name }: Label): Promise<boolean> {
  try {
    await github.rest.issues.getLabel({ name });
    return true;
  } catch (error) {
    if (statusOf(error) !== 404) throw error;
    return false;
  }
}

/**
 * Makes labels with colour and description (`issues: write`), one after the other; one that somebody has made meanwhile is
 * left as it is. Never throws.
 */
export async function makeLabels(github: Github, labels: readonly Label[]): Promise<Result<unknown, Refused>> {
  return ask(MAKES, async () => {
    for (const label of labels) await make(github, label);
  });
}

/** @throws what Octokit throws */
async function make(github: Github, { name, color, description }: Label): Promise<void> {
  try {
    await github.rest.issues.createLabel({ name, color, description });
  } catch (error) {
    if (!saysThat(error, /already[_ ]exists/iu)) throw error;
  }
}

/**
 * Puts labels on a pull request that the repository has (`pull-requests: write`): one that it lacks GitHub makes only with
 * `issues: write`, and refuses all of them without. Never throws.
 */
export async function addLabels(
  github: Github,
  number: number,
  labels: readonly string[],
): Promise<Result<unknown, Refused>> {
  if (labels.length === 0) return done(true);
  const add = () => github.rest.issues.addLabels({ issue_number: number, labels: [...labels] });
  return ask(PERMISSION, () => onceKnown(github.signal, add));
}

/** Removes a label from a pull request or an issue, if it has it (`pull-requests: write`, `issues: write`). Never throws. */
export async function removeLabel(
  github: Github,
  number: number,
  label: string,
  on: CommentedOn = "pull-requests",
): Promise<Result<unknown, Refused>> {
  return ask(`${on}: write`, () => takeOff(github, number, label, {}));
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
  on: CommentedOn,
): Promise<Result<{ readonly there: boolean }, Refused>> {
  return ask(`${on}: write`, async () => ({ there: await takeOff(github, number, label, { retries: 0 }) }));
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
