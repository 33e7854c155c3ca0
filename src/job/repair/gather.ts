import { done, type Result } from "../../core/result.ts";
import { cutLog } from "../../core/repair/cut-log.ts";
import { type CauseFacts, causeOf, type JobFacts } from "../../core/repair/cause.ts";
import type { FailedJob, FailedRun, Since } from "../../core/repair/repair.ts";
import { seenOnOneLine } from "../../core/text.ts";
import { findRedRuns } from "../../requests/run-to-fix.ts";
import type { Github } from "../../github/client.ts";
import {
  type Annotation,
  hasFailed,
  listRuns,
  readAnnotations,
  readJobLog,
  readJobs,
  type RunJob,
  type WorkflowRun,
} from "../../github/runs.ts";
import { commitsBetween, tipOf } from "../../github/refs.ts";

/** The logs of at most this many failed jobs are read; more are only counted. */
const TOLD_JOBS = 3;
/** At most this many are remembered: of a larger matrix, the others may not be red afterwards. */
const ASKED_JOBS = 50;
/** What is fetched of a log: a failing step is near its end. */
const LOG_BYTES = 1_048_576;
/** What a prompt and a state can hold of all logs together; UTF-16 units. */
const LOG_LENGTH = 9_000;
const ANNOTATIONS = 10;
const ANNOTATION_LENGTH = 400;
const NAME_LENGTH = 200;
const COMMITS = 20;
const OTHER_RUNS = 20;

/** Where a failed run is looked at from. */
export interface Standpoint {
  /** the branch that the work is for, without `refs/heads/`; null: not known */
  readonly base: string | null;
  /** the workflow that runs the loop, as in `smithers.yml` */
  readonly ownFile: string;
  /** whether a run is green although this job of it failed, as the base's file says */
  readonly mayFail: (job: string) => "never" | "perhaps" | "always";
}

/** What GitHub tells of a failed run. */
export interface Gathered {
  /** all but what the workflow's file says */
  readonly run: Omit<FailedRun, "command" | "not_here" | "notes" | "unasked">;
  /** the job that the loop is about; undefined: GitHub does not tell which jobs failed */
  readonly first: RunJob | undefined;
  /** why GitHub does not tell what became of the jobs, as part of a sentence; null: it does */
  readonly untold: string | null;
  /** the other jobs that have to be green afterwards, at most 50 */
  readonly rest: readonly RunJob[];
  /** what could not be read and why, a sentence each */
  readonly unread: readonly string[];
}

/**
 * Asks GitHub for all that it knows of a failed run (`actions: read`; `checks: read` for annotations, `contents: read` for
 * commits): about a dozen requests. Never throws: what cannot be read is named.
 */
export async function gatherRun(
  github: Github,
  run: WorkflowRun,
  { base, ownFile, mayFail }: Standpoint,
): Promise<Gathered> {
  const file = run.path.slice(run.path.lastIndexOf("/") + 1);
  const all = await readJobs(github, run.id, "all");
  const known = all.ok ? all.value : [];
  const red = asOf(known, run.attempt).filter(hasFailed);
  const [{ failed, ...around }, others, behind] = await Promise.all([
    lookAround(github, run, { file, base, red, mayFail }),
    findRedRuns(github, { sha: run.headSha, own: [ownFile] }),
    behindBase(github, run, base),
  ]);
  const jobs = await Promise.all(
    failed.slice(0, TOLD_JOBS).map(async (job, _at, { length }) => readFailedJob(github, job, length)),
  );
  const proving = toProve(failed, around.base?.failed ?? [], mayFail).slice(0, ASKED_JOBS);
  const facts = failed.map((job, at) => factsOf(job, known, jobs[at]?.job));
  const { id, attempt, url, name: workflow, headSha: sha, headBranch: branch } = run;
  return {
    run: {
      run: { id, attempt, url, workflow: seenOnOneLine(workflow, NAME_LENGTH), file, sha, branch },
      jobs: jobs.map(({ job }) => job),
      more_jobs: failed.length - jobs.length,
      red: failed.slice(0, ASKED_JOBS).map(({ name }) => name),
      range: around.range,
      others: (others.ok ? others.value : [])
        .filter((other) => other.id !== run.id)
        .slice(0, OTHER_RUNS)
        .map((other) => ({ id: other.id, name: seenOnOneLine(other.name, NAME_LENGTH), url: other.url })),
      cause: causeOf({ ...around, jobs: facts, branch }),
      behind: behind.ok ? behind.value : null,
      proves: proving.map(({ name, steps }) => {
        const step = steps.find(hasFailed);
        if (step === undefined) return { name, step: null, number: null };
        return { name, step: seenOnOneLine(step.name, NAME_LENGTH), number: step.number };
      }),
    },
    first: failed[0],
    untold: all.ok ? null : all.trouble.because,
    rest: proving.filter((job) => job !== failed[0]),
    unread: [
      ...(all.ok ? [] : [`Which jobs of the run failed is not known: ${all.trouble.because}.`]),
      ...jobs.flatMap(({ unread }) => unread),
      ...around.unread,
      ...(behind.ok
        ? []
        : [`Whether the base has commits that the branch has not is not known: ${behind.trouble.because}.`]),
      ...(others.ok ? [] : [`What else is red for the commit is not known: ${others.trouble.because}.`]),
    ],
  };
}

/** The jobs of an attempt: who runs one job of several again leaves the others as they were in an earlier one. */
function asOf(jobs: readonly RunJob[], attempt: number): readonly RunJob[] {
  const last = new Map<string, number>();
  for (const job of jobs) {
    if (job.attempt <= attempt) last.set(job.name, Math.max(job.attempt, last.get(job.name) ?? 0));
  }
  return jobs.filter((job) => job.attempt === last.get(job.name));
}

/** What neither the base has red as well nor may be red is this loop's to make green, unless there is nothing else. */
function toProve(
  failed: readonly RunJob[],
  redOnBase: readonly string[],
  mayFail: Standpoint["mayFail"],
): readonly RunJob[] {
  const counted = failed.filter(({ name }) => mayFail(name) !== "always");
  const own = counted.filter(({ name }) => !redOnBase.includes(name));
  return [own, counted].find((jobs) => jobs.length > 0) ?? failed;
}

/** What the loop is about comes first: what surely made the run red, and is not red on the base as well. */
function inOrder(
  red: readonly RunJob[],
  redOnBase: readonly string[],
  mayFail: Standpoint["mayFail"],
): readonly RunJob[] {
  const weight = ({ name }: RunJob): number =>
    2 * ["never", "perhaps", "always"].indexOf(mayFail(name)) + (redOnBase.includes(name) ? 1 : 0);
  return red.toSorted((one, other) => weight(one) - weight(other));
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
  /** the failed jobs, the first is what the loop is about */
  readonly failed: readonly RunJob[];
  readonly unread: readonly string[];
}

/** Other runs of the same workflow: on the same commit, on the branch before it, and on the base. */
async function lookAround(
  github: Github,
  run: WorkflowRun,
  {
    file,
    base,
    red,
    mayFail,
  }: Pick<Standpoint, "base" | "mayFail"> & { readonly file: string; readonly red: readonly RunJob[] },
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
  // What the base has become since says nothing of how it was when the run failed, nor does a run that was cancelled.
  const baseRun =
    atBase?.ok === true
      ? atBase.value.find(
          ({ fork, id, createdAt, conclusion }) =>
            !fork &&
            id !== run.id &&
            createdAt <= run.createdAt &&
            (conclusion === "success" || conclusion === "failure"),
        )
      : undefined;
  const lastGreen = green?.ok === true ? before(green.value) : undefined;
  const greenOfBase =
    atBase?.ok === true ? before(atBase.value.filter(({ conclusion }) => conclusion === "success")) : undefined;
  const [baseJobs, range] = await Promise.all([
    baseRun === undefined || baseRun.conclusion === "success" ? null : readJobs(github, baseRun.id, "latest"),
    rangeSince(github, lastGreen ?? greenOfBase, run.headSha),
  ]);
  const redOnBase = baseJobs?.ok === true ? baseJobs.value.filter(hasFailed).map(({ name }) => name) : [];
  const failed = inOrder(red, redOnBase, mayFail);
  const sameTree = same.ok ? same.value.filter((other) => other.id !== run.id && isOfSameTree(run, other)) : [];
  return {
    failed,
    greenOnCommit: await greenRunOf(github, sameTree, failed[0]),
    base:
      baseRun === undefined || base === null
        ? null
        : {
            ...{ branch: base, url: baseRun.url, sha: baseRun.headSha, isGreen: baseRun.conclusion === "success" },
            failed: redOnBase,
          },
    range: range.since,
    unread: range.unread,
  };
}

/** Events for which a workflow looks at the very commit; for a pull request it looks at its merge with the base of the moment. */
const OF_THE_COMMIT: ReadonlySet<string> = new Set(["push", "schedule", "workflow_dispatch"]);

function isOfSameTree(run: WorkflowRun, other: WorkflowRun): boolean {
  return !other.fork && [run, other].every(({ event }) => OF_THE_COMMIT.has(event));
}

/** The first of these runs in which the job was green as well. */
async function greenRunOf(github: Github, runs: readonly WorkflowRun[], job: RunJob | undefined) {
  const [run] = runs;
  if (run === undefined || job === undefined) return null;
  const jobs = await readJobs(github, run.id, "latest");
  const isGreen = jobs.ok && jobs.value.some(({ name, conclusion }) => name === job.name && conclusion === "success");
  return isGreen ? { url: run.url } : null;
}

/** What a pull request's run has looked at besides the branch: its merge with the base. */
async function behindBase(
  github: Github,
  { event, headSha }: WorkflowRun,
  base: string | null,
): Promise<Result<FailedRun["behind"]>> {
  if (event !== "pull_request" || base === null) return done(null);
  const tip = await tipOf(github, `refs/heads/${base}`);
  if (!tip.ok) return tip;
  const between = await commitsBetween(github, headSha, tip.value, 1);
  if (!between.ok) return between;
  const { count } = between.value;
  return done(count === 0 ? null : { base, count });
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
