import { contextInput } from "../config/action.ts";
import { usualReserve } from "../config/settle.ts";
import { failed, type Result } from "../core/result.ts";
import { MINIMUM_ITERATION_MS } from "../core/task.ts";
import type { GithubAccess } from "../github/access.ts";
import type { GithubContext } from "../github/context.ts";
import { readJobStart } from "../github/runs.ts";
import type { Settings } from "../app/read-settings.ts";
import type { WorkingHours } from "../app/to-task.ts";
import { findJobTimeout, type Remark } from "./job-timeout.ts";
import type { Host } from "./run-stage.ts";

const MINUTE_MS = 60_000;
const WITHIN_MS = 2_000;

/** What a run's end depends on. Moments are in milliseconds since the epoch. */
export interface JobTime {
  /** when the Action began */
  readonly startedAt: number;
  /** when the job began, as GitHub tells it */
  readonly jobStart: Result<number>;
  readonly jobTimeoutMinutes: number;
  /** counts from the Action's own start; null: not set */
  readonly timeBudgetMinutes: number | null;
  /** null: not set, which is the usual one of what ends first */
  readonly reserveMinutes: number | null;
}

/** Until when a run may work, and what people have to know of how that was found. */
export interface Deadline {
  readonly hours: WorkingHours;
  readonly remarks: readonly Remark[];
}

/** Until when this run may work: asks the workflow's file and GitHub, and waits for neither long. */
export async function findHours(
  { env, startedAt }: Pick<Host, "env" | "startedAt">,
  context: GithubContext,
  { config, sources }: Settings,
  github: GithubAccess | undefined,
): Promise<Deadline> {
  const id = contextInput(env, "job-check-run-id");
  const [timeout, jobStart] = await Promise.all([
    findJobTimeout({
      set: config.jobTimeoutMinutes,
      workspace: context.workspace,
      workflowPath: context.workflow.path,
      job: context.job,
      environment: context.environment,
    }),
    askJobStart(github, context.runId, /^\d+$/u.test(id) ? Number(id) : null),
  ]);
  const { hours, remarks } = deadlineOf({
    startedAt,
    jobStart,
    jobTimeoutMinutes: timeout.minutes,
    timeBudgetMinutes: config.timeBudgetMinutes,
    reserveMinutes: sources.reserveMinutes.from === "default" ? null : config.reserveMinutes,
  });
  return { hours, remarks: [...timeout.remarks, ...remarks] };
}

async function askJobStart(
  github: GithubAccess | undefined,
  runId: number,
  checkRunId: number | null,
): Promise<Result<number>> {
  if (github === undefined) return failed({ because: "there is no github-token to ask with" });
  return readJobStart(await github.within(WITHIN_MS), runId, checkRunId);
}

/**
 * Until when a run may work: the job's start and its time-out, and never longer than the time budget. The engine stops
 * working when the reserve is left of that, so that GitHub never has to end the job.
 */
export function deadlineOf(time: JobTime): Deadline {
  const { startedAt, jobStart, jobTimeoutMinutes, timeBudgetMinutes, reserveMinutes } = time;
  // A job cannot begin after its step; a clock that says so is wrong, and ours is the one that the deadline is held to.
  const began = jobStart.ok ? Math.min(jobStart.value, startedAt) : startedAt;
  const jobEnd = began + jobTimeoutMinutes * MINUTE_MS;
  const budgetEnd = timeBudgetMinutes === null ? Infinity : startedAt + timeBudgetMinutes * MINUTE_MS;
  const reserve = reserveMinutes ?? usualReserve(Math.min(jobTimeoutMinutes, timeBudgetMinutes ?? Infinity));
  const hours = { deadline: Math.min(jobEnd, budgetEnd), reserveMs: Math.round(reserve * MINUTE_MS) };
  const remarks: Remark[] = [];
  if (!jobStart.ok) remarks.push({ level: "notice", text: startUnknown(jobStart.trouble.because) });
  if (hours.deadline - hours.reserveMs - startedAt < MINIMUM_ITERATION_MS) {
    remarks.push({ level: "warning", text: tooShort(hours.deadline - startedAt, reserve) });
  }
  return { hours, remarks };
}

function startUnknown(why: string): string {
  return `When the job began is not known: ${why}. The deadline counts from the start of this step: if earlier steps took long, set job-timeout-minutes to what they leave, or time-budget-minutes.`;
}

function tooShort(leftMs: number, reserveMinutes: number): string {
  const left = Math.max(0, Math.floor(leftMs / MINUTE_MS));
  return `No iteration can begin: this run has ${left} min, and ${reserveMinutes} min are kept to save and report. Give the job a longer timeout-minutes, or set reserve-minutes.`;
}
