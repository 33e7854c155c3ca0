import type { LoopState } from "../core/state.ts";
import type { GithubTask } from "../core/task.ts";
import type { Octokit } from "../github/client.ts";
import { readState } from "../store/state-file.ts";
import { type Asked, choose, planFrom, type Plan } from "../app/start-or-resume.ts";
import type { AskedFor } from "../requests/asked.ts";
import { moved } from "../requests/asked-refusals.ts";
import { type BranchInHand, takeUpBranch } from "./branch-in-hand.ts";
import { type BranchQuestion, type Destination, destinationOf, renamedFrom } from "./destination.ts";
import { endingInHand } from "./ending-in-hand.ts";
import type { Surroundings } from "../app/surroundings.ts";
import { settingsOfRun } from "../requests/task-of-run.ts";

/** How a run begins. */
export interface Beginning {
  readonly plan: Plan;
  /** undefined: nothing is published from here */
  readonly hand: BranchInHand | undefined;
}

/**
 * Plans the run and puts the workspace on the branch that its work goes to.
 *
 * @throws UsageError when what is asked makes no sense for the loop, or was asked for another commit
 * @throws OperationalError as `settingsOfRun` and `destinationOf`
 */
export async function beginOn(
  job: Surroundings,
  { asked, octokit }: { readonly asked: AskedFor; readonly octokit: () => Promise<Octokit | undefined> },
): Promise<Beginning> {
  const { place, context } = job;
  const stored = await readState(place.stateFile);
  const settings = await settingsOfRun(job, stored, asked);
  const ending = await endingToPublish(job, { stored, settings, asked, octokit });
  if (ending !== undefined) return ending;
  const opening = choose(stored, settings, asked.by);
  if (settings.config.githubToken === null || opening.do === "leave") {
    return { plan: planFrom(place, settings, stored, { ...whoAsks(asked), github: null }), hand: undefined };
  }
  const number = asked.pullRequest ?? context.event.pullRequest?.number ?? null;
  const { branch, pullRequest, hand } = await takeUp({ job, opening, stored, asked: number, octokit });
  if (hand !== undefined && branch === asked.headBranch && asked.head !== null && hand.tip !== asked.head) {
    throw moved(asked.head, hand.tip ?? "no commit");
  }
  const github: GithubTask = {
    branch,
    pullRequest,
    askedBy: asked.asker,
    resetsCircuit: asked.command === "reset-circuit",
    request: asked.request,
    continuations: continuationsOf(asked, stored),
  };
  return { plan: planFrom(place, settings, stored, { ...whoAsks(asked), github }), hand };
}

/** Puts the workspace on the branch that the work goes to, under the name that it has now. */
async function takeUp(question: BranchQuestion): Promise<Destination & Pick<Beginning, "hand">> {
  const { job } = question;
  const to = await destinationOf(question);
  const hand = await takeUpBranch(job, to.branch);
  const renamed = hand?.tip === null ? await renamedFrom(question, to.branch) : undefined;
  return renamed === undefined ? { ...to, hand } : { ...renamed, hand: await takeUpBranch(job, renamed.branch) };
}

/** What an ending lacks is made up for first, unless a person explicitly starts anew; undefined: there is nothing. */
async function endingToPublish(
  job: Surroundings,
  { stored, settings, asked, octokit }: Starting,
): Promise<Beginning | undefined> {
  const opening = choose(stored, settings, asked.by, asked.command !== "start");
  if (opening.do !== "publish") return undefined;
  const hand = await endingInHand({ job, stored, octokit });
  if (hand === undefined) return undefined;
  return { plan: { place: job.place, settings, stored, opening, asked: { ...whoAsks(asked), github: null } }, hand };
}

interface Starting extends Pick<Plan, "stored" | "settings"> {
  readonly asked: AskedFor;
  readonly octokit: () => Promise<Octokit | undefined>;
}

/** A person starts the count anew, and a check that fails counts on, over all generations. */
function continuationsOf({ by, request }: AskedFor, stored: LoopState | undefined): number {
  if (by === "person") return 0;
  return (stored?.github?.continuations ?? 0) + (request?.startsWith("run:") === true ? 1 : 0);
}

/** What stands behind `start` is the task itself. */
function whoAsks({ by, command, guidance }: AskedFor): Omit<Asked, "github"> {
  return { by, guidance: command === "start" ? null : guidance };
}
