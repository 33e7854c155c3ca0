import type { Problem } from "../../core/errors.ts";
import { cutLog } from "../../core/repair/cut-log.ts";
import type { FailedRun } from "../../core/repair/repair.ts";
import type { CheckResult } from "../../core/verdict.ts";
import type { Github } from "../../github/client.ts";
import { seenOnOneLine } from "../../core/text.ts";
import { untilFound } from "../../github/ask-again.ts";
import { hasFailed, readJobLog, readJobs, type RunJob } from "../../github/runs.ts";
import type { CiOfHead, PublicationFacts, RequiredByRules } from "../../views/github/facts.ts";
import type { RunView } from "../../views/run-view.ts";
import { type CiRun, findCiRun, readCiRun } from "./ci-run.ts";

/** What a run of CI that has ended says of the work. */
export type CiWord =
  | ({ readonly says: "passed" | "failed" } & Pick<CheckResult, "exitCode" | "timedOut">)
  /** `why`: as in "the run was cancelled" */
  | { readonly says: "nothing"; readonly why: string; readonly next: string };

const GREEN: CiWord = { says: "passed", exitCode: 0, timedOut: false };
const RED: CiWord = { says: "failed", exitCode: 1, timedOut: false };
const AGAIN = "Resume the loop: it starts another run of the same commit.";

const FOR_IT =
  "Let its jobs run for workflow_dispatch as well (their if:), on the base first; or name a command as success-cmd, and leave ci-workflow away. Then resume the loop.";

/** By GitHub's conclusions. */
const WORDS: Readonly<Record<string, CiWord>> = {
  success: GREEN,
  neutral: GREEN,
  failure: RED,
  startup_failure: RED,
  timed_out: { says: "failed", exitCode: null, timedOut: true },
  // Green on GitHub, and nothing was run.
  skipped: { says: "nothing", why: "skipped all of its jobs", next: FOR_IT },
  cancelled: { says: "nothing", why: "was cancelled", next: AGAIN },
  stale: { says: "nothing", why: "was given up by GitHub, because it had not ended in two weeks", next: AGAIN },
  action_required: {
    says: "nothing",
    why: "waits for somebody's approval",
    next: "Approve the run and let it end, then resume the loop.",
  },
};

/** What a run says that has ended. */
export function wordOf({ conclusion }: Pick<CiRun, "conclusion">): CiWord {
  const known = conclusion === null ? undefined : WORDS[conclusion];
  return known ?? { says: "nothing", why: `ended as ${conclusion ?? "nothing"}`, next: AGAIN };
}

/** Jobs of a workflow. */
export interface CiJobs {
  /** have to be green; []: the run as a whole decides */
  readonly wanted: readonly CiJob[];
  /** names of those that were red before anybody worked */
  readonly redBefore: readonly string[];
}

interface CiJob {
  readonly name: string;
  /** the step that failed in it: where it is skipped, a green job shows nothing; null: not known */
  readonly step: string | null;
  /** which one that is: its name may hold an expression, and be another one in each run; null: not known */
  readonly number?: number | null;
}

export const NO_JOBS: CiJobs = { wanted: [], redBefore: [] };

/** Which jobs show that a failed run is repaired. */
export function jobsOf({ proves, jobs, red }: Pick<FailedRun, "proves" | "jobs" | "red">): CiJobs {
  return { wanted: proves, redBefore: [...jobs.map(({ name }) => name), ...red] };
}

/**
 * What a run that has ended says of jobs that have to be green on the work (C102): they themselves decide. One that was
 * skipped or is not there shows nothing, nor one that skipped the step which had failed (C117). Of others only what is red
 * and was not red before speaks against the work, where the run is red as well: some may fail.
 */
export async function wordOfJobs(github: Github, run: CiRun, { wanted, redBefore }: CiJobs): Promise<CiWord> {
  const whole = wordOf(run);
  if (wanted.length === 0 || whole.says === "nothing") return whole;
  const jobs = await readJobs(github, run.id, "latest");
  if (!jobs.ok)
    return { says: "nothing", why: `ended, and what its jobs say is not known: ${jobs.trouble.because}`, next: AGAIN };
  const names = new Set([...redBefore, ...wanted.map(({ name }) => name)]);
  const others = jobs.value.filter(({ name }) => !names.has(name));
  const isRed = wanted.some((one) => jobs.value.some((job) => job.name === one.name && hasFailed(job)));
  if (isRed || (whole.says === "failed" && others.some(hasFailed))) return RED;
  const mute = wanted.map((one) => muteness(one, jobs.value)).find((why) => why !== undefined);
  return mute === undefined ? GREEN : { says: "nothing", why: `has not shown ${mute}`, next: IN_IT };
}

/** What a job has not shown, and why; undefined: all that have its name are green, and so is what had failed. */
function muteness({ name, step, number }: CiJob, jobs: readonly RunJob[]): string | undefined {
  const called = `job “${seenOnOneLine(name, LONGEST_NAME)}”`;
  const found = jobs.filter((job) => job.name === name);
  if (found.length === 0) return `${called}, which is not in it`;
  const other = found.find(({ conclusion }) => conclusion !== "success");
  if (other !== undefined) return `${called}, which ended as ${other.conclusion ?? "nothing"}`;
  const isSkipped = found.some(({ steps }) => {
    const same = steps.filter((one) => seenOnOneLine(one.name, LONGEST_NAME) === step);
    const failing = same.length > 0 ? same : steps.filter((one) => one.number === number);
    return failing.some(({ conclusion }) => conclusion === "skipped");
  });
  return isSkipped ? `step “${step}” of ${called}, which was skipped` : undefined;
}

const IN_IT =
  "Let that job run for workflow_dispatch as well, with all its steps (their if:), or name a command that shows the failure as success-cmd; then resume the loop.";

/** CI's name where commands are listed. */
export function ciName(file: string): string {
  return `CI ${file}`;
}

/** Why CI says nothing about the work. @param why as in "the run was cancelled", without a full stop */
export function ciProblem(file: string, why: string, next: string): Problem {
  return { code: "CI_UNRUNNABLE", what: `CI (${file}) has no verdict: ${why}. It says nothing about the work.`, next };
}

/** About what the agent reads of a check that failed (UTF-16 units). */
const LONGEST = 3_000;
const LONGEST_NAME = 200;

/**
 * What the agent and people read of CI that failed: what failed, then the end of its log. Nothing in it names the run, so
 * that the same failure is the same text (C6).
 */
export function ciTail({ conclusion }: Pick<CiRun, "conclusion">, { jobs, log }: CiFailure): string {
  const told = conclusion === "startup_failure" ? NOT_STARTED : NOT_TOLD;
  const head = jobs.length === 0 ? [told] : jobs.map((job) => `Failed: ${job.slice(0, LONGEST_NAME)}`);
  if (log === null) return head.join("\n");
  const title = `The end of the log of job "${log.job.slice(0, LONGEST_NAME)}":`;
  const left = LONGEST - [...head, title, ""].join("\n").length;
  return [...head, title, wholeLines(log.text, left)].join("\n");
}

const NOT_STARTED = "GitHub could not start it, as it does with a workflow's file that is not valid.";
const NOT_TOLD = "GitHub does not tell which of its jobs failed.";

/** The last lines of a text. */
function wholeLines(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const end = text.slice(text.length - limit);
  return end.slice(end.indexOf("\n") + 1);
}

/**
 * The run of CI on the head, if the loop uses CI: read again, because another process may have asked. Where CI has judged the
 * work, there is one, although GitHub's list may not have it yet, or not have it ended.
 */
export async function ciRunOfHead(
  access: Github,
  { state }: RunView,
  { head: sha, branch }: Pick<PublicationFacts, "head" | "branch">,
): Promise<CiRun | null> {
  const { ci_workflow: workflow } = state.checks;
  if (workflow === null || sha === null) return null;
  const look = async (): Promise<CiRun | null | undefined> => {
    const found = await findCiRun(access, { workflow, branch, sha });
    return found.ok ? (found.value ?? undefined) : null;
  };
  const checks = (state.verdict ?? state.first_check)?.checks ?? [];
  const isJudged = checks.some(({ command }) => command === ciName(workflow));
  const looking = isJudged ? untilFound(access.signal, look).catch(() => null) : look();
  const listed = (await looking) ?? null;
  if (listed === null || listed.ended) return listed;
  const now = await readCiRun(access, listed.id, null);
  return now.ok ? now.value : listed;
}

/** What is told of it. */
export async function ciOfHead(
  access: Github,
  { state }: RunView,
  run: CiRun | null,
  required: RequiredByRules | null,
): Promise<CiOfHead | null> {
  const { ci_workflow: workflow } = state.checks;
  if (workflow === null) return null;
  if (run === null) return { workflow, run: null, required };
  const jobs = state.repair?.run.file === workflow ? jobsOf(state.repair) : NO_JOBS;
  const said = run.ended ? (await wordOfJobs(access, run, jobs)).says : null;
  return { workflow, run: { url: run.url, said }, required };
}

/** What failed in a run. */
interface CiFailure {
  /** the failed jobs, with their failed steps, one line each; [] when GitHub does not tell */
  readonly jobs: readonly string[];
  /** what the failing steps of the first failed job printed, see `cutLog`; null when it cannot be read */
  readonly log: { readonly job: string; readonly text: string } | null;
}

/** More jobs than these are only counted. */
const TOLD = 5;
/** What is fetched of a log: the last failure is at its end. */
const LOG_BYTES = 65_536;
/** A log is an extra: a short wait is enough. */
const LOG_MS = 15_000;

/**
 * What failed in a run, as far as GitHub tells (`actions: read`): its jobs, 100 a request, and one log. Never throws.
 *
 * @param jobs what has to be green is told first, and what was red before anybody worked last: only one log is shown (C116)
 */
export async function whatFailed(github: Github, runId: number, jobs: CiJobs = NO_JOBS): Promise<CiFailure> {
  const read = await readJobs(github, runId, "latest");
  const weight = ({ name }: RunJob): number =>
    jobs.wanted.some((job) => job.name === name) ? 0 : jobs.redBefore.includes(name) ? 2 : 1;
  const failed = (read.ok ? read.value.filter(hasFailed) : []).toSorted((one, other) => weight(one) - weight(other));
  const [first] = failed;
  const told = failed.slice(0, TOLD).map(({ name, steps }) => {
    const broken = steps.filter(hasFailed).map((step) => `"${step.name}"`);
    return broken.length === 0 ? `job "${name}"` : `job "${name}", step ${broken.join(", ")}`;
  });
  const more = failed.length > TOLD ? [`${failed.length - TOLD} more jobs`] : [];
  const log = first === undefined ? null : await logOf(github, first.id);
  const text = cutLog(log ?? "", (first?.steps ?? []).filter(hasFailed), LONGEST);
  return { jobs: [...told, ...more], log: first === undefined || text === "" ? null : { job: first.name, text } };
}

/** The last bytes of a job's log; null when they cannot be read: best effort. */
async function logOf(github: Github, jobId: number): Promise<string | null> {
  const log = await readJobLog(github.within(LOG_MS), jobId, LOG_BYTES);
  return log.ok ? log.value : null;
}
