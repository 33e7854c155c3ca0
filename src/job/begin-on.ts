import type { LoopState } from "../core/state.ts";
import type { GithubTask } from "../core/task.ts";
import type { GithubAccess } from "../github/access.ts";
import type { GithubContext } from "../github/context.ts";
import { readState } from "../store/state-file.ts";
import type { LoopPlace } from "../store/place.ts";
import type { Settings } from "../app/read-settings.ts";
import { type Asked, choose, type Plan, planFrom } from "../app/plan.ts";
import type { RunRequest } from "../requests/run-request.ts";
import { moved } from "../requests/verify.ts";
import type { Branches, BranchInHand } from "../publish/branch-in-hand.ts";
import { type BranchQuestion, type Destination, destinationOf, renamedFrom, type Signposts } from "./destination.ts";
import { endingInHand } from "../publish/ending-in-hand.ts";
import { settingsOfRun } from "./task-of-run.ts";

/** What a run begins with. */
export interface Starting {
  readonly context: GithubContext;
  readonly place: LoopPlace;
  /** of the workflow */
  readonly settings: Settings;
  readonly branches: Branches;
  readonly github: GithubAccess | undefined;
  /** tells a person */
  readonly notice: (text: string) => void;
}

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
export async function beginOn(starting: Starting, asked: RunRequest): Promise<Beginning> {
  const { context, place, branches, github, notice } = starting;
  const stored = await readState(place.stateFile);
  const settings = await settingsOfRun(starting.settings, place, stored, { wish: asked, notice });
  const { config } = settings;
  // What an ending lacks is made up for first, unless a person explicitly starts anew.
  const first = choose(stored, settings, asked.by, asked.command !== "start");
  if (first.do === "publish") {
    const hand = await endingInHand({ branches, root: place.root, github, notice }, stored);
    const plan = { place, settings, stored, opening: first, asked: { ...whoAsks(asked), github: null } };
    if (hand !== undefined) return { plan, hand };
  }
  const opening = choose(stored, settings, asked.by);
  if (config.githubToken === null || opening.do === "leave") {
    return { plan: planFrom(place, settings, stored, { ...whoAsks(asked), github: null }), hand: undefined };
  }
  const number = asked.pullRequest ?? context.event.pullRequest?.number ?? null;
  const signposts = { context, config, loopId: place.loopId, github, notice };
  const { branch, pullRequest, hand } = await takeUp(branches, signposts, { opening, stored, asked: number });
  if (hand !== undefined && branch === asked.headBranch && asked.head !== null && hand.tip !== asked.head) {
    throw moved(asked.head, hand.tip ?? "no commit");
  }
  const task: GithubTask = {
    branch,
    pullRequest,
    askedBy: asked.asker,
    resetsCircuit: asked.command === "reset-circuit",
    request: asked.request,
    continuations: continuationsOf(asked, stored),
  };
  return { plan: planFrom(place, settings, stored, { ...whoAsks(asked), github: task }), hand };
}

/** Puts the workspace on the branch that the work goes to, under the name that it has now. */
async function takeUp(
  branches: Branches,
  signposts: Signposts,
  question: BranchQuestion,
): Promise<Destination & Pick<Beginning, "hand">> {
  const to = await destinationOf(signposts, question);
  const hand = await branches.takeUp(to.branch);
  const renamed = hand?.tip === null ? await renamedFrom(signposts, question.stored, to.branch) : undefined;
  return renamed === undefined ? { ...to, hand } : { ...renamed, hand: await branches.takeUp(renamed.branch) };
}

/** A person starts the count anew, and a check that fails counts on, over all generations. */
function continuationsOf({ by, request }: RunRequest, stored: LoopState | undefined): number {
  if (by === "person") return 0;
  return (stored?.github?.continuations ?? 0) + (request?.startsWith("run:") === true ? 1 : 0);
}

/** What stands behind `start` is the task itself. */
function whoAsks({ by, command, guidance }: RunRequest): Omit<Asked, "github"> {
  return { by, guidance: command === "start" ? null : guidance };
}
