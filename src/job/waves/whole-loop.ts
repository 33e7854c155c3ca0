import type { Location } from "../../app/locate.ts";
import { slugOf } from "../../app/loops/loop-id.ts";
import type { Config } from "../../config/config.ts";
import { UsageError } from "../../core/errors.ts";
import { loopsOfRun } from "../../core/story/wave-names.ts";
import { branchOfRun, type GithubContext } from "../../github/context.ts";
import { dispatchedWith } from "../../github/intent-input.ts";

/** What stands for a loop's name in the setting `branch`. */
const PLACE = "<loop-id>";

/** A whole task that several loops try side by side in one run (decision 0036). */
export interface WholeLoop {
  /** the ids of the loops, in the order of the candidates */
  readonly loops: readonly string[];
  /** the branch that the chosen one's pull request is for */
  readonly base: string;
  /** the branch of one of them, without `refs/heads/` */
  readonly branchOf: (loop: string) => string;
}

type RunContext = Pick<GithubContext, "eventName" | "event" | "runId" | "workflow" | "ref">;

/** Whether jobs plan and land are for one, and not for a PRD. */
export function isWholeLoop({ prd, attempts }: Pick<Config, "prd" | "attempts">, context: RunContext): boolean {
  return prd === null && attempts > 1 && (dispatchedWith(context)?.prd ?? null) === null;
}

/**
 * What settings, workflow and run say of it: jobs plan and land come to the same.
 *
 * @throws UsageError `NOT_FOR_CANDIDATES`, `CANDIDATES_NEED_GATES`, `CANDIDATES_NEED_BRANCHES`
 */
export function wholeLoopOf(context: RunContext, { loopId }: Pick<Location, "loopId">, config: Config): WholeLoop {
  const asked = dispatchedWith(context);
  const isAnew = asked === null || (asked.command === "start" && asked.pr === null && asked.loop === null);
  if (!isAnew || context.event.pullRequest !== null) throw NOT_FOR_CANDIDATES;
  const { successCmd, successSh, qualityCommands, commit, pullRequest, branch, carriers } = config;
  if (successCmd === null && successSh === null && qualityCommands.length === 0) throw NO_GATES;
  const against = [
    ...(commit === "never" ? ["commit is never"] : []),
    ...(pullRequest === "never" ? ["pull-request is never"] : []),
    ...(branch.includes(PLACE) ? [] : [`branch is ${branch}, the same one for all`]),
    ...(carriers.includes("ref") ? [] : ["ref is not among the carriers"]),
  ];
  if (against.length > 0) throw needBranches(against);
  const name = slugOf(loopId ?? context.workflow.file.replace(/\.ya?ml$/u, "")) || "loop";
  return {
    loops: loopsOfRun({ name, run: context.runId, candidates: config.attempts }),
    base: config.base ?? branchOfRun(context),
    branchOf: (loop) => branch.replaceAll(PLACE, loop),
  };
}

const NOT_FOR_CANDIDATES = new UsageError({
  code: "NOT_FOR_CANDIDATES",
  what: "Several agents try a whole task from its beginning, each on a branch of its own, and this run is for one loop or pull request. Nothing was begun.",
  next: "Let another workflow, without attempts, work on pull requests and go on with loops; to try again from the beginning, start this one by hand or on its schedule.",
});

const NO_GATES = new UsageError({
  code: "CANDIDATES_NEED_GATES",
  what: "With attempts, commands decide which work may be chosen, and none is set. Nothing was begun.",
  next: "Name one for all jobs, for instance SMITHERS_SUCCESS_SH: npm test in the workflow's env, or set attempts to 1.",
});

function needBranches(against: readonly string[]): UsageError {
  return new UsageError({
    code: "CANDIDATES_NEED_BRANCHES",
    what: `With attempts, each agent's work is on a branch and in a record of its own, but ${against.join(" and ")}. Nothing was begun.`,
    next: "Leave these settings out, or set attempts to 1.",
  });
}
