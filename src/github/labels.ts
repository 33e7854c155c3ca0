import type { Github } from "./client.ts";
import { done, type Result } from "../core/result.ts";
import { onceKnown } from "./ask-again.ts";
import { ask, type Refused, statusOf } from "./refusal.ts";

const PERMISSION = "pull-requests: write";

/** Puts labels on a pull request (`pull-requests: write`); GitHub makes those that there are not yet. Never throws. */
export async function addLabels(
  github: Github,
  number: number,
  labels: readonly string[],
): Promise<Result<unknown, Refused>> {
  if (labels.length === 0) return done(true);
  return ask(PERMISSION, () =>
    onceKnown(github.signal, () =>
      github.rest.issues.addLabels({
        issue_number: number,
        // Its types ask for names and objects at once; GitHub takes either.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        labels: [...labels] as never,
      }),
    ),
  );
}

/** Takes a label off a pull request, if it is there (`pull-requests: write`). Never throws. */
export async function removeLabel(github: Github, number: number, label: string): Promise<Result<unknown, Refused>> {
  return ask(PERMISSION, async () => takeOff(github, number, label, {}));
}

/**
 * The same, asked once: who asks again after a lost answer would find their own doing. Never throws.
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
async function takeOff(
  github: Github,
  number: number,
  label: string,
  patience: { readonly retries?: number },
): Promise<boolean> {
  try {
    await github.rest.issues.removeLabel({
      issue_number: number,
      name: label,
      request: patience,
    });
    return true;
  } catch (error) {
    if (statusOf(error) !== 404) throw error;
    return false;
  }
}
