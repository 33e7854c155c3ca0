import { contextInput } from "../config/action.ts";
import { readJobStart, type JobStart } from "../github/job-start.ts";
import type { Octokit } from "../github/octokit.ts";
import { deadlineOf, type Deadline } from "./deadline.ts";
import { findJobTimeout } from "./job-timeout.ts";
import type { Surroundings } from "../app/surroundings.ts";

const WITHIN_MS = 2_000;

/** Until when this run may work: asks the workflow's file and GitHub, and waits for neither long. */
export async function findHours(job: Surroundings, octokit: () => Promise<Octokit | undefined>): Promise<Deadline> {
  const { host, context, settings } = job;
  const { config, sources } = settings;
  const [timeout, jobStart] = await Promise.all([
    findJobTimeout({
      set: config.jobTimeoutMinutes,
      workspace: context.workspace,
      workflowPath: context.workflow.path,
      job: context.job,
      environment: context.environment,
    }),
    askJobStart(job, octokit),
  ]);
  const { hours, remarks } = deadlineOf({
    startedAt: host.startedAt,
    jobStart,
    jobTimeoutMinutes: timeout.minutes,
    timeBudgetMinutes: config.timeBudgetMinutes,
    reserveMinutes: sources.reserveMinutes.from === "default" ? null : config.reserveMinutes,
  });
  return { hours, remarks: [...timeout.remarks, ...remarks] };
}

async function askJobStart(
  { host, context }: Surroundings,
  client: () => Promise<Octokit | undefined>,
): Promise<JobStart> {
  const octokit = await client();
  if (octokit === undefined) return { why: "there is no github-token to ask with" };
  const id = contextInput(host.env, "job-check-run-id");
  return await readJobStart({
    octokit,
    repository: context.repository,
    runId: context.runId,
    checkRunId: /^\d+$/u.test(id) ? Number(id) : null,
    withinMs: WITHIN_MS,
  });
}
