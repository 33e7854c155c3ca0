import type { Result } from "../core/result.ts";
import type { Command } from "../core/policy/command.ts";
import type { Github } from "../github/client.ts";
import type { Refused } from "../github/refusal.ts";
import { type AskedPullRequest, readPullRequest } from "../github/pulls.ts";
import { forged, notAllowed, unknowable } from "./asked-refusals.ts";

/** Who lets a loop run, and what they want; found out by us, not believed of the dispatch. */
export interface AskedFor {
  readonly by: "person" | "trigger";
  /** login of the person; null: nobody in person */
  readonly asker: string | null;
  /** the text of their comment after the command: guidance, the task or a PRD's name; null: there is none */
  readonly guidance: string | null;
  /** null: nothing in particular, as on a schedule */
  readonly command: Command | null;
  /** what was done, as in `comment:30`: one thing done lets a loop go on once; null: the start of the run itself */
  readonly request: string | null;
  /** null: it is not said. Which pull request it belongs to, its own record has to say */
  readonly loopId: string | null;
  readonly pullRequest: number | null;
  /** of the pull request, without `refs/heads/`; null without one */
  readonly headBranch: string | null;
  /** the commit that it holds for: what is pushed has to be built upon it */
  readonly head: string | null;
}

/** @throws UsageError when there is none, or it is closed */
export async function openPullRequest(access: Github, number: number): Promise<AskedPullRequest> {
  const pull = must(await readPullRequest(access, number), `There is no pull request #${number}.`);
  if (!pull.open) throw notAllowed(`Pull request #${number} is closed.`);
  return pull;
}

/**
 * What GitHub answered.
 *
 * @param absent what it means that there is no such thing, as a sentence
 * @throws UsageError, OperationalError as `verifyAsked`
 */
export function must<T>(answer: Result<T, Refused>, absent: string): T {
  if (answer.answered) return answer.value;
  throw answer.absent ? forged(absent) : unknowable(answer.why);
}
