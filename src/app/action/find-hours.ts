import { contextInput } from "../../config/inputs.ts";
import type { GithubAccess } from "../../github/access.ts";
import type { GithubContext } from "../../github/context.ts";
import { readJobStart, type JobStart } from "../../github/job-start.ts";
import type { Settings } from "../read-settings.ts";
import { deadlineOf, type Deadline } from "./deadline.ts";
import { findJobTimeout } from "./job-timeout.ts";
import type { Host } from "./run-stage.ts";

const WITHIN_MS = 2_000;

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
): Promise<JobStart> {
  if (github === undefined) return { why: "there is no github-token to ask with" };
  return readJobStart(await github.within(WITHIN_MS), { runId, checkRunId });
}
