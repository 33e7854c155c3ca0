import { cutLog } from "../../core/repair/cut-log.ts";
import { type CauseFacts, causeOf, type JobFacts } from "../../core/repair/cause.ts";
import type { FailedJob, FailedRun, Since } from "../../core/repair/repair.ts";
import { seenOnOneLine } from "../../core/text.ts";
import { findRedRuns } from "../../requests/run-to-fix.ts";
import type { Github } from "../../github/client.ts";
import {
  type Annotation,
  commitsBetween,
  hasFailed,
  listRuns,
  readAnnotations,
  readJobLog,
  readJobs,
  type RunJob,
  type WorkflowRun,
} from "../../github/runs.ts";

/** The logs of at most this many failed jobs are read; more are only counted. */
const TOLD_JOBS = 3;
/** What is fetched of a log: a failing step is near its end. */
const LOG_BYTES = 1_048_576;
/** What a prompt and a state can hold of all logs together; UTF-16 units. */
const LOG_LENGTH = 9_000;
const ANNOTATIONS = 10;
const ANNOTATION_LENGTH = 400;
const NAME_LENGTH = 200;
const COMMITS = 20;
const OTHER_RUNS = 20;

/** What GitHub tells of a failed run. */
export interface Gathered {
  /** all but what the workflow's file says */
  readonly run: Omit<FailedRun, "command" | "not_here" | "notes">;
  /** the job that the loop is about; undefined: GitHub does not tell which jobs failed */
  readonly first: RunJob | undefined;
  /** what could not be read and why, a sentence each */
  readonly unread: readonly string[];
}

/**
 * Asks GitHub for all that it knows of a failed run (`actions: read`; `checks: read` for annotations, `contents: read` for
 * commits): about a dozen requests. Never throws: what cannot be read is named.
 *
 * @param base the branch that the work is for, without `refs/heads/`; null: not known
 * @param ownFile the workflow that runs the loop, as in `smithers.yml`
 */
export async function gatherRun(
  github: Github,
  run: WorkflowRun,
  base: string | null,
  ownFile: string,
): Promise<Gathered> {
  const file = run.path.slice(run.path.lastIndexOf("/") + 1);
  const all = await readJobs(github, run.id, "all");
  const known = all.ok ? all.value : [];
  const last = known.filter(({ attempt }) => attempt === run.attempt);
  const failed = last.filter(hasFailed);
  const [jobs, around, red] = await Promise.all([
    Promise.all(failed.slice(0, TOLD_JOBS).map(async (job, _at, { length }) => readFailedJob(github, job, length))),
    lookAround(github, run, { file, base, failed }),
    findRedRuns(github, { sha: run.headSha, own: [ownFile] }),
  ]);
  const facts = failed.map((job, at) => factsOf(job, known, jobs[at]?.job));
  const proved = failed.filter(({ name }) => around.base?.failed.includes(name) !== true);
  const { id, attempt, url, name: workflow, headSha: sha, headBranch: branch } = run;
  return {
    run: {
      run: { id, attempt, url, workflow: seenOnOneLine(workflow, NAME_LENGTH), file, sha, branch },
      jobs: jobs.map(({ job }) => job),
      more_jobs: failed.length - jobs.length,
      range: around.range,
      others: (red.ok ? red.value : [])
        .filter((other) => other.id !== run.id)
        .slice(0, OTHER_RUNS)
        .map((other) => ({ id: other.id, name: seenOnOneLine(other.name, NAME_LENGTH), url: other.url })),
      cause: causeOf({ ...around, jobs: facts, branch }),
      // What the base has red as well is not this loop's to make green, unless there is nothing else.
      proves: (proved.length === 0 ? failed : proved).map(({ name }) => name),
    },
    first: failed[0],
    unread: [
      ...(all.ok ? [] : [`Which jobs of the run failed is not known: ${all.trouble.because}.`]),
      ...jobs.flatMap(({ unread }) => unread),
      ...around.unread,
      ...(red.ok ? [] : [`What else is red for the commit is not known: ${red.trouble.because}.`]),
    ],
  };
}

async function readFailedJob(github: Github, job: RunJob, shares: number) {
  const [log, annotations] = await Promise.all([
    readJobLog(github, job.id, LOG_BYTES),
    readAnnotations(github, job.id, ANNOTATIONS),
  ]);
  const steps = job.steps.filter(hasFailed);
  const gone = "GitHub has deleted it, or never had one";
  const why = log.ok ? null : log.trouble.kind === "absent" ? gone : log.trouble.because;
  const told: FailedJob = {
    name: seenOnOneLine(job.name, NAME_LENGTH),
    url: job.url,
    steps: steps.map(({ name }) => seenOnOneLine(name, NAME_LENGTH)),
    log: log.ok ? cutLog(log.value, steps, Math.floor(LOG_LENGTH / shares)) : "",
    unread: why,
    annotations: annotations.ok ? annotations.value.map(annotationText) : [],
  };
  return {
    job: told,
    unread: annotations.ok
      ? []
      : [`What job ${JSON.stringify(told.name)} says about places is not known: ${annotations.trouble.because}.`],
  };
}

function annotationText({ path, line, message }: Annotation): string {
  return seenOnOneLine(`${path}:${line}: ${message}`, ANNOTATION_LENGTH);
}

function factsOf(job: RunJob, known: readonly RunJob[], told: FailedJob | undefined): JobFacts {
  const same = known.filter(({ name, conclusion }) => name === job.name && conclusion === "success");
  return {
    name: job.name,
    steps: job.steps.filter(hasFailed).map(({ name }) => name),
    hasRun: job.hasRun || job.steps.length > 0,
    text: [told?.log ?? "", ...(told?.annotations ?? [])].join("\n"),
    greenAttempts: same.map(({ attempt }) => attempt),
  };
}

interface Around extends Pick<CauseFacts, "greenOnCommit" | "base" | "range"> {
  readonly unread: readonly string[];
}

/** Other runs of the same workflow: on the same commit, on the branch before it, and on the base. */
async function lookAround(
  github: Github,
  run: WorkflowRun,
  { file, base, failed }: { readonly file: string; readonly base: string | null; readonly failed: readonly RunJob[] },
): Promise<Around> {
  const [same, green, atBase] = await Promise.all([
    listRuns(github, { file, sha: run.headSha, status: "success" }),
    run.headBranch === null ? null : listRuns(github, { file, branch: run.headBranch, status: "success" }),
    base === null || base === run.headBranch ? null : listRuns(github, { file, branch: base, status: "completed" }),
  ]);
  const before = (runs: readonly WorkflowRun[]) =>
    runs.find(
      ({ id, createdAt, headSha, fork }) =>
        !fork && id !== run.id && headSha !== run.headSha && createdAt <= run.createdAt,
    );
  const baseRun = atBase?.ok === true ? atBase.value.find(({ fork, id }) => !fork && id !== run.id) : undefined;
  const lastGreen = green?.ok === true ? before(green.value) : undefined;
  const greenOfBase =
    atBase?.ok === true ? before(atBase.value.filter(({ conclusion }) => conclusion === "success")) : undefined;
  const [greenOnCommit, baseJobs, range] = await Promise.all([
    same.ok
      ? greenRunOf(
          github,
          same.value.filter(({ id, fork }) => id !== run.id && !fork),
          failed[0],
        )
      : null,
    baseRun === undefined || baseRun.conclusion === "success" ? null : readJobs(github, baseRun.id, "latest"),
    rangeSince(github, lastGreen ?? greenOfBase, run.headSha),
  ]);
  return {
    greenOnCommit,
    base:
      baseRun === undefined || base === null
        ? null
        : {
            ...{ branch: base, url: baseRun.url, sha: baseRun.headSha, isGreen: baseRun.conclusion === "success" },
            failed: baseJobs?.ok === true ? baseJobs.value.filter(hasFailed).map(({ name }) => name) : [],
          },
    range: range.since,
    unread: range.unread,
  };
}

/** The first of these runs in which the job was green as well. */
async function greenRunOf(github: Github, runs: readonly WorkflowRun[], job: RunJob | undefined) {
  const [run] = runs;
  if (run === undefined || job === undefined) return null;
  const jobs = await readJobs(github, run.id, "latest");
  const isGreen = jobs.ok && jobs.value.some(({ name, conclusion }) => name === job.name && conclusion === "success");
  return isGreen ? { url: run.url } : null;
}

async function rangeSince(
  github: Github,
  green: WorkflowRun | undefined,
  head: string,
): Promise<{ readonly since: Since; readonly unread: readonly string[] }> {
  if (green === undefined) return { since: { green: null, commits: [], count: 0 }, unread: [] };
  const known = { sha: green.headSha, url: green.url, branch: green.headBranch ?? "" };
  const between = await commitsBetween(github, green.headSha, head, COMMITS);
  if (between.ok) return { since: { green: known, ...between.value }, unread: [] };
  const why = `Which commits came since the last green run is not known: ${between.trouble.because}.`;
  return { since: { green: known, commits: [], count: 0 }, unread: [why] };
}
