import { stripVTControlCharacters } from "node:util";
import { proxyFetch } from "../../github/fetch.ts";
import type { Github } from "../../github/client.ts";

/** Of a run that failed. */
export interface CiFailure {
  /** the failed jobs, with their failed steps, one line each; [] where GitHub does not tell */
  readonly jobs: readonly string[];
  /** the end of the first failed job's log up to its last error; null where it is not to be had */
  readonly log: { readonly job: string; readonly text: string } | null;
}

const FAILED: ReadonlySet<string | null> = new Set(["failure", "timed_out"]);
/** More jobs than these are only counted. */
const TOLD = 5;
/** So much of a log is fetched: what failed last stands in it, however long it is. */
const LOG_BYTES = 65_536;
/** A log is an extra: nobody waits long for it. */
const LOG_MS = 15_000;

/** What failed in a run, as far as GitHub tells (`actions: read`); three requests at most. Never throws. */
export async function whatFailed(github: Github, runId: number): Promise<CiFailure> {
  try {
    const { data } = await github.rest.actions.listJobsForWorkflowRun({
      run_id: runId,
      per_page: 100,
    });
    const failed = data.jobs.filter(({ conclusion }) => FAILED.has(conclusion));
    const [first] = failed;
    const jobs = failed.slice(0, TOLD).map(({ name, steps = [] }) => {
      const broken = steps.filter(({ conclusion }) => FAILED.has(conclusion)).map((step) => `"${step.name}"`);
      return broken.length === 0 ? `job "${name}"` : `job "${name}", step ${broken.join(", ")}`;
    });
    const more = failed.length > TOLD ? [`${failed.length - TOLD} more jobs`] : [];
    const log = first === undefined ? null : await logOf(github, first.id);
    const text = log === null ? "" : readable(log);
    return { jobs: [...jobs, ...more], log: first === undefined || text === "" ? null : { job: first.name, text } };
  } catch {
    return { jobs: [], log: null };
  }
}

/** The last bytes of a job's log; null where they are not to be had: it is best effort. */
async function logOf(github: Github, jobId: number): Promise<string | null> {
  const time = github.within(LOG_MS).signal;
  try {
    const { headers } = await github.rest.actions.downloadJobLogsForWorkflowRun({
      job_id: jobId,
      request: { signal: time, redirect: "manual" },
    });
    return headers.location === undefined ? null : await endOf(headers.location, time);
  } catch {
    return null;
  }
}

/** The blob store has no other way to name the end of something. The token is no business of it. */
async function endOf(url: string, signal: AbortSignal): Promise<string> {
  const fetch = proxyFetch(process.env);
  const head = await fetch(url, { method: "HEAD", signal });
  const size = Number(head.headers.get("content-length") ?? 0);
  const from = Math.max(0, size - LOG_BYTES);
  const range = from === 0 ? {} : { range: `bytes=${from}-` };
  const answer = await fetch(url, { headers: range, signal });
  if (answer.status >= 300) throw new Error(`The log's server answered ${answer.status}.`);
  const text = await answer.text();
  return from === 0 ? text : text.slice(text.indexOf("\n") + 1);
}

const TIME = /^\uFEFF?\d{4}-\d\d-\d\dT[\d:.]+Z /u;
/** How the runner marks what a job has written. */
const ERROR = /^##\[error\]/u;
const GROUP_END = /^##\[endgroup\]$/u;

/** A job's log without times and marks. What comes after its last error is only the job being cleared up. */
function readable(log: string): string {
  const lines = log.split(/\r\n|\r|\n/u).map((line) => stripVTControlCharacters(line.replace(TIME, "")).trimEnd());
  const last = lines.findLastIndex((line) => ERROR.test(line));
  return lines
    .slice(0, last < 0 ? undefined : last + 1)
    .filter((line) => !GROUP_END.test(line))
    .map((line) => line.replace(ERROR, "Error: ").replace(/^##\[\w+\]/u, ""))
    .join("\n")
    .trim();
}
