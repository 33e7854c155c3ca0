import { constants, open } from "node:fs/promises";
import path from "node:path";
import { contextInput } from "../config/action.ts";
import { usualReserve } from "../config/settle.ts";
import { done, failed, type Result } from "../core/result.ts";
import { MINIMUM_ITERATION_MS } from "../core/task.ts";
import type { GithubToken } from "../core/ports.ts";
import { isInstallations, tokenKind } from "../github/accounts.ts";
import type { GithubAccess } from "../github/access.ts";
import type { GithubContext } from "../github/context.ts";
import { readJobStart } from "../github/runs.ts";
import type { Settings } from "../app/read-settings.ts";
import type { WorkingHours } from "../app/to-task.ts";
import type { Host } from "./run-stage.ts";

const MINUTE_MS = 60_000;
const WITHIN_MS = 2_000;

/** What a run's end depends on. Moments are in milliseconds since the epoch. */
export interface JobTime {
  /** when the Action began */
  readonly startedAt: number;
  /** when the job began, as GitHub says */
  readonly jobStart: Result<number>;
  readonly jobTimeoutMinutes: number;
  /** counts from the Action's own start; null: not set */
  readonly timeBudgetMinutes: number | null;
  /** null: not set, which is the usual one of what ends first */
  readonly reserveMinutes: number | null;
  /** whose token the run was given: an App's, or the one that GitHub makes for each job; null: another one, or nobody knows */
  readonly tokenOf: "app" | "job" | null;
}

/** Until when a run may work, and what people have to know about it. */
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
  const checkRunId = /^\d+$/u.test(id) ? Number(id) : null;
  const [timeout, jobStart, tokenOf] = await Promise.all([
    findJobTimeout(config.jobTimeoutMinutes, context),
    github === undefined ? NO_TOKEN : readJobStart(await github.within(WITHIN_MS), context.runId, checkRunId),
    ownerOf(config.githubToken, github),
  ]);
  const { hours, remarks } = deadlineOf({
    startedAt,
    jobStart,
    jobTimeoutMinutes: timeout.minutes,
    timeBudgetMinutes: config.timeBudgetMinutes,
    reserveMinutes: sources.reserveMinutes.from === "default" ? null : config.reserveMinutes,
    tokenOf,
  });
  return { hours, remarks: [...timeout.remarks, ...remarks] };
}

/** GitHub ends an App's token an hour after it was made, and that of a job after a day, if the job has not ended before. */
const TOKEN_MINUTES = { app: 60, job: 24 * 60 } as const;

/**
 * Whether the token was made by an App in an earlier step. By its form alone it could be the one that GitHub makes for each
 * job; only the account that it acts as tells them apart. Nothing says when it was made: not before its job began.
 *
 * @returns null: it is another one, such as a person's
 */
async function ownerOf(token: GithubToken | null, github: GithubAccess | undefined): Promise<JobTime["tokenOf"]> {
  if (typeof token !== "string" || !isInstallations(token) || github === undefined) return null;
  return (await tokenKind(await github.within(2 * WITHIN_MS), token)) === "app" ? "app" : "job";
}

const NO_TOKEN = failed({ because: "there is no github-token to ask with" });

/**
 * Until when a run may work: the job's start and its time-out, and never longer than the time budget. The engine stops
 * when only the reserve is left, so that GitHub never has to end the job.
 */
export function deadlineOf(time: JobTime): Deadline {
  const { startedAt, jobStart, jobTimeoutMinutes, timeBudgetMinutes, reserveMinutes, tokenOf } = time;
  // A job cannot begin after its step; a clock that says so is wrong, and ours is the one that the deadline is held to.
  const began = jobStart.ok ? Math.min(jobStart.value, startedAt) : startedAt;
  const jobEnd = began + jobTimeoutMinutes * MINUTE_MS;
  const budgetEnd = timeBudgetMinutes === null ? Infinity : startedAt + timeBudgetMinutes * MINUTE_MS;
  const tokenMinutes = tokenOf === null ? Infinity : TOKEN_MINUTES[tokenOf];
  const minutes = Math.min(jobTimeoutMinutes, timeBudgetMinutes ?? Infinity, tokenMinutes);
  const reserve = reserveMinutes ?? usualReserve(minutes);
  const usualEnd = Math.min(jobEnd, budgetEnd);
  const tokenEnd = began + tokenMinutes * MINUTE_MS;
  const hours = { deadline: Math.min(usualEnd, tokenEnd), reserveMs: Math.round(reserve * MINUTE_MS) };
  const remarks: Remark[] = [];
  if (hours.deadline < usualEnd)
    remarks.push({ level: "warning", text: endsWithToken(tokenOf, hours.deadline, usualEnd) });
  if (!jobStart.ok) remarks.push({ level: "notice", text: startUnknown(jobStart.trouble.because) });
  if (hours.deadline - hours.reserveMs - startedAt < MINIMUM_ITERATION_MS) {
    remarks.push({ level: "warning", text: tooShort(hours.deadline - startedAt, reserve) });
  }
  return { hours, remarks };
}

function endsWithToken(of: JobTime["tokenOf"], end: number, usualEnd: number): string {
  const lost = Math.ceil((usualEnd - end) / MINUTE_MS);
  const at = `at ${new Date(end).toISOString().slice(11, 16)} UTC`;
  const why =
    of === "app"
      ? `The github-token is an App's, and GitHub ends it an hour after it was made: ${at}, or later where a step after the job's first has made it.`
      : `GitHub ends a job's own token a day after the job began: ${at}.`;
  return `${why} After that nothing could be pushed or told, so this run ends before, ${lost} min earlier than its job. Give the inputs app-id and app-private-key in place of github-token: then the run makes its tokens itself and renews them.`;
}

function startUnknown(why: string): string {
  return `When the job began is not known: ${why}. The deadline counts from the start of this step: if earlier steps took long, set job-timeout-minutes to what they leave, or time-budget-minutes.`;
}

function tooShort(leftMs: number, reserveMinutes: number): string {
  const left = Math.max(0, Math.floor(leftMs / MINUTE_MS));
  return `No iteration can begin: this run has ${left} min, and ${reserveMinutes} min are kept to save and report. Give the job a longer timeout-minutes, or set reserve-minutes.`;
}

/** Each carrier's time at most, and at least. */
const RESTORE_MS = 60_000;
const RESTORE_LEAST_MS = 5_000;
/** In the worst case a ref and what is asked beside it are waited for, and that again twice, but shorter. */
const RESTORE_PART = 6;

/**
 * How long each carrier may take to answer at the start of a job: one that hangs leaves the time for an ending that says so.
 *
 * @param now milliseconds since the epoch, as the deadline
 */
export function restoreTime({ deadline, reserveMs }: WorkingHours, now: number): number {
  const part = Math.floor(((deadline ?? Infinity) - reserveMs - now) / RESTORE_PART);
  return Math.max(RESTORE_LEAST_MS, Math.min(RESTORE_MS, part));
}

/** A remark for people: `info` in the log, the others as annotations. */
interface Remark {
  readonly level: "info" | "notice" | "warning";
  readonly text: string;
}

/** How long the job may run, and what people have to know about it. */
interface JobTimeout {
  readonly minutes: number;
  readonly remarks: readonly Remark[];
}

/** Safe for nearly every job: a loop that leaves too early goes on in the next run, one that is killed loses work. */
const ASSUMED_MINUTES = 60;
/** No job on a hosted runner lives longer. */
const LONGEST_HOSTED_MINUTES = 360;
const LARGEST_FILE_BYTES = 1024 * 1024;

/**
 * How long GitHub lets the job run, which no context, variable or API tells: the setting, else
 * `jobs.<job>.timeout-minutes` of the workflow's file in the checkout if that is a plain number, else 60 minutes. Never
 * throws.
 *
 * @param set the value of `job-timeout-minutes`; null: not set
 */
export async function findJobTimeout(set: number | null, where: WrittenWhere): Promise<JobTimeout> {
  const { minutes, remarks } = choose(set, await readTimeout(where), where.workflow.path);
  if (where.environment === "self-hosted" || minutes <= LONGEST_HOSTED_MINUTES) return { minutes, remarks };
  const text = `The job's time-out is ${minutes} minutes, but GitHub ends every job on a hosted runner after ${LONGEST_HOSTED_MINUTES}: the loop reckons with those.`;
  return { minutes: LONGEST_HOSTED_MINUTES, remarks: [...remarks, { level: "notice", text }] };
}

/** The job, and the checkout with its workflow's file. */
export type WrittenWhere = Pick<GithubContext, "workspace" | "job" | "environment"> & {
  readonly workflow: Pick<GithubContext["workflow"], "path">;
};

function choose(set: number | null, written: Result<number>, file: string): JobTimeout {
  if (set !== null) {
    if (!written.ok || written.value === set) return { minutes: set, remarks: [] };
    const text = `job-timeout-minutes is ${set}, but ${file} gives the job timeout-minutes: ${written.value}. The loop reckons with ${set}; make the two equal, or leave job-timeout-minutes out.`;
    return { minutes: set, remarks: [{ level: "warning", text }] };
  }
  if (written.ok) {
    const text = `The job's time-out is ${written.value} minutes, as ${file} says.`;
    return { minutes: written.value, remarks: [{ level: "info", text }] };
  }
  const text = `How long the job may run is not known: ${written.trouble.because}. The loop reckons with ${ASSUMED_MINUTES} minutes; set job-timeout-minutes to what the job's timeout-minutes is.`;
  return { minutes: ASSUMED_MINUTES, remarks: [{ level: "notice", text }] };
}

async function readTimeout({ workspace, workflow: { path: file }, job }: WrittenWhere): Promise<Result<number>> {
  const text = await readSmallFile(path.join(workspace, file), workspace);
  if (text === undefined) return failed({ because: `${file} cannot be read in the checkout` });
  const { parse } = await import("yaml");
  try {
    return timeoutIn(parse(text), job, file);
  } catch {
    return failed({ because: `${file} is not valid YAML` });
  }
}

function timeoutIn(workflow: unknown, job: string, file: string): Result<number> {
  const settings = property(property(workflow, "jobs"), job);
  if (settings === undefined) return failed({ because: `${file} has no job ${job}` });
  const minutes = property(settings, "timeout-minutes");
  if (minutes === undefined) return failed({ because: `job ${job} in ${file} has no timeout-minutes` });
  if (typeof minutes === "number" && Number.isFinite(minutes) && minutes > 0) return done(minutes);
  return failed({ because: `timeout-minutes of job ${job} in ${file} is no plain number` });
}

function property(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}

/** The checkout is not ours: follow neither a path out of it nor an endless file. */
async function readSmallFile(file: string, root: string): Promise<string | undefined> {
  if (path.relative(root, file).startsWith("..")) return undefined;
  try {
    // Opening a pipe would otherwise wait for somebody who writes into it.
    const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stats = await handle.stat();
      if (!stats.isFile() || stats.size > LARGEST_FILE_BYTES) return undefined;
      return await handle.readFile("utf8");
    } finally {
      await handle.close();
    }
  } catch {
    return undefined;
  }
}
