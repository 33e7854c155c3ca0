import type { GithubTask } from "../../core/task.ts";
import type { Octokit } from "../../platform/octokit.ts";
import { readState } from "../../stores/state-file.ts";
import { choose, planFrom, type Plan } from "../start-or-resume.ts";
import type { AskedFor } from "./asked.ts";
import { type BranchInHand, takeUpBranch } from "./branch-in-hand.ts";
import { destinationOf } from "./destination.ts";
import type { Surroundings } from "./surroundings.ts";

/** How a run begins. */
export interface Beginning {
  readonly plan: Plan;
  /** undefined: nothing is published from here */
  readonly hand: BranchInHand | undefined;
}

/** Plans the run and puts the workspace on the branch that its work goes to. */
export async function beginOn(
  job: Surroundings,
  { asked, octokit }: { readonly asked: AskedFor; readonly octokit: () => Promise<Octokit | undefined> },
): Promise<Beginning> {
  const { place, context } = job;
  const settings = withTask(job.settings, asked);
  const stored = await readState(place.stateFile);
  const opening = choose(stored, settings, asked.by);
  if (settings.config.githubToken === null || opening.do === "leave") {
    return { plan: planFrom(place, settings, stored, { by: asked.by, github: null }), hand: undefined };
  }
  const number = asked.pullRequest ?? context.event.pullRequest?.number ?? null;
  const { branch, pullRequest } = await destinationOf({ job, opening, stored, asked: number, octokit });
  const hand = await takeUpBranch(job, branch);
  const github: GithubTask = { branch, pullRequest, askedBy: asked.asker, guidance: guidanceOf(asked) };
  return { plan: planFrom(place, settings, stored, { by: asked.by, github }), hand };
}

/** Who starts a loop with a task of their own gets that one done. */
function withTask(settings: Surroundings["settings"], { command, guidance }: AskedFor): Surroundings["settings"] {
  if (command !== "start" || guidance === null) return settings;
  return { ...settings, identity: { ...settings.identity, prompt: guidance } };
}

function guidanceOf({ command, guidance }: AskedFor): string | null {
  return command === "start" ? null : guidance;
}
