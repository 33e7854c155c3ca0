import { openToTriggers } from "../core/policy/may.ts";
import type { Github } from "../github/client.ts";
import { authorise } from "./authorise.ts";
import type { DispatchInput } from "../github/intent-input.ts";
import { tipOf } from "../github/refs.ts";
import { readRun } from "../github/runs.ts";
import { type AskedFor, must, openPullRequest } from "./asked-facts.ts";
import { forged, moved, notAllowed, unknowable } from "./asked-refusals.ts";

/**
 * Verifies that a workflow's run has failed for the commit that is there now, and that nobody stands behind it who may not
 * (T5).
 *
 * @throws UsageError, OperationalError as `verifyAsked`
 */
export async function verifyRun(
  access: Github,
  { command, pr, head }: DispatchInput,
  id: number,
  allowedBots: readonly string[],
): Promise<Pick<AskedFor, "by" | "headBranch">> {
  if (!openToTriggers(command)) throw notAllowed(`${command} takes a person, and a check that failed is none.`);
  const run = must(await readRun(access, id), "There is no such run.");
  const { headSha, headBranch, actors, conclusion, fork } = run;
  const [actor, ...behind] = actors;
  if (conclusion !== "failure") throw forged("That run has not failed.");
  if (head !== headSha) throw forged("That run was for another commit than the input names.");
  if (actor === undefined) throw forged("Nobody stands behind that run.");
  const tip = await tipNow(access, pr, headBranch);
  if (tip !== head) throw moved(head, tip);
  const petition = { way: "workflow_run", actor, behind, author: null, fork, edited: false } as const;
  const { ruling, who, trouble } = await authorise(access, petition, allowedBots);
  if (trouble !== null) throw unknowable(trouble);
  if (ruling.ruling === "ignored") throw notAllowed(`${who} ${ruling.why}.`);
  if (ruling.ruling === "refused") throw notAllowed(ruling.reason);
  return { by: ruling.as, headBranch: pr === null ? null : headBranch };
}

async function tipNow(access: Github, pr: number | null, branch: string | null): Promise<string> {
  if (pr === null) return must(await tipOf(access, `heads/${branch ?? ""}`), "The branch of that run is gone.");
  const { fork, headSha, headBranch } = await openPullRequest(access, pr);
  if (fork || headBranch !== branch) throw notAllowed(`Pull request #${pr} is not that run's.`);
  return headSha;
}
