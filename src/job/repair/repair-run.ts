import path from "node:path";
import { parse } from "yaml";
import type { Settings } from "../../app/read-settings.ts";
import type { CommittedFiles } from "../../app/shell.ts";
import { UsageError } from "../../core/errors.ts";
import { done, failed, type Result } from "../../core/result.ts";
import { type FailedRun, mergedText } from "../../core/repair/repair.ts";
import { localUses } from "../../core/policy/mirror.ts";
import {
  commandOf,
  deploys,
  isDispatchable,
  mayFail,
  type WorkflowCommand,
} from "../../core/repair/workflow-command.ts";
import { type Checks, hasChecks } from "../../core/task.ts";
import { asInBase, baseOfWork } from "../../publish/trusted-ci.ts";
import type { GithubAccess } from "../../github/access.ts";
import type { Github } from "../../github/client.ts";
import type { GithubContext } from "../../github/context.ts";
import { ask } from "../../github/refusal.ts";
import { hasFailed, type RunJob, type WorkflowRun } from "../../github/runs.ts";
import type { Teller } from "../../os/teller.ts";
import { fileAt } from "../../requests/find-loop.ts";
import type { RunRequest } from "../../requests/run-request.ts";
import { withoutSecretsIn } from "../../store/redaction.ts";
import { oneLine } from "../../views/plain-text.ts";
import { type Gathered, gatherRun } from "./gather.ts";

/** How long it may take, in milliseconds. */
const WITHIN_MS = 60_000;
const FILE_BYTES = 262_144;
/** A workflow's file of the repository; others are GitHub's own, or of another repository. */
const WORKFLOW = /^\.github\/workflows\/[\w.-]+\.ya?ml$/u;

interface RepairSources {
  readonly runRequest: RunRequest;
  readonly github: GithubAccess | undefined;
  readonly context: GithubContext;
  /** the repository's files as of the commit that may say what runs: never a pull request's own */
  readonly committed: CommittedFiles;
  /** of the workspace, absolute */
  readonly root: string;
  readonly settings: Settings;
  readonly teller: Teller;
}

/** What a run is to repair, and what proves it. */
interface RepairPlan {
  readonly failed: FailedRun;
  /** with the checks that were derived, where the workflow of the loop names none */
  readonly settings: Settings;
}

/**
 * Finds out what a failed run is about and how a repair could be proved (C101, C102): by the checks that this workflow
 * names, else by the command of the failed step and by CI itself; commands for quality are asked besides. Says before any
 * turn whether the job's command can be run here.
 *
 * @returns undefined: nothing is to be repaired
 * @throws UsageError `REPAIR_UNPROVABLE` when nothing could prove a repair, or nobody knows what has to be green
 */
export async function planRepair(sources: RepairSources): Promise<RepairPlan | undefined> {
  const { runRequest, settings, teller } = sources;
  const { failed: run } = runRequest;
  const github = await sources.github?.within(WITHIN_MS);
  if (run === undefined || github === undefined) return undefined;
  const text = await textAtBase(sources, run.path);
  const file = text.ok ? parsed(text.value) : undefined;
  const { pullRequest: number } = runRequest;
  const base = await baseOfWork(github, {
    pullRequest: number === null ? null : { number },
    // The loop's own branch is a new one, or the pull request's.
    branch: "",
    others: [settings.config.base, sources.context.event.defaultBranch],
  });
  const gathered = await gatherRun(github, run, {
    base: base.ok ? base.value : null,
    ownFile: sources.context.workflow.file,
    mayFail: (job) => mayFail(file, job),
  });
  const noBase = base.ok ? [] : [`Which branch the work is for is not known: ${base.trouble.because}.`];
  for (const unread of [...noBase, ...gathered.unread]) teller.notice(oneLine(unread));
  const { checks } = settings.identity;
  const isNamed = hasChecks({ ...checks, quality: [] }) || settings.identity.prd !== null;
  const found = await proofsOf(sources, { github, run, base, text }, gathered);
  const { command, ci, notes } = found;
  const others = restOf(command.ok && !ci.ok && !isNamed ? found.rest : []);
  const whole: FailedRun = {
    ...gathered.run,
    command: command.ok ? command.value.run : null,
    not_here: command.ok ? null : command.trouble.because,
    notes: [...(command.ok ? command.value.notes : []), ...notes, ...others.notes],
    unasked: others.unasked,
  };
  const failure = withoutSecretsIn(whole, settings.config);
  tell(failure, teller);
  if (isNamed) {
    if (checks.ci === failure.run.file && gathered.untold !== null) throw unknown(failure, gathered.untold);
    if (checks.ci !== failure.run.file) teller.notice(NOT_ASKED.replaceAll("ci.yml", failure.run.file));
    return { failed: failure, settings };
  }
  const shown = { successCommand: null, successShell: failure.command, quality: [], ci: ci.ok ? ci.value : null };
  if (!hasChecks(shown)) throw unprovable(failure, ci.ok ? "" : ci.trouble.because);
  // Commands for quality say nothing of the job that failed: they are asked besides, as are those of other jobs that failed.
  const more = others.commands.filter((one) => one !== failure.command && !checks.quality.includes(one));
  const derived: Checks = { ...shown, quality: [...checks.quality, ...more] };
  teller.line(`What proves the repair: ${provedBy([failure.command, ...more], derived.ci, failure)}.`);
  return { failed: failure, settings: { ...settings, identity: { ...settings.identity, checks: derived } } };
}

const NOT_ASKED =
  "What proves the repair is what this workflow names, and the failed job itself is not asked. With ci-workflow: ci.yml it has to be green as well";

interface Found {
  readonly command: Result<WorkflowCommand>;
  /** the workflow's file, where it can prove the work on GitHub; `because`: why not, as part of a sentence */
  readonly ci: Result<string>;
  readonly notes: readonly string[];
  /** of the other jobs that failed */
  readonly rest: readonly JobCommand[];
}

interface JobCommand {
  readonly job: string;
  readonly command: Result<WorkflowCommand>;
}

/** What asks the other jobs that failed, where only commands prove the work; and which of them nothing asks. */
function restOf(rest: readonly JobCommand[]) {
  const commands = new Set(rest.flatMap(({ command }) => (command.ok ? [command.value.run] : [])));
  const unasked = rest.flatMap(({ job, command }) =>
    command.ok ? [] : [{ job: oneLine(job), why: command.trouble.because }],
  );
  return {
    commands: [...commands],
    unasked: unasked.map(({ job }) => job),
    notes: unasked.map(
      ({ job, why }) =>
        `Job ${JSON.stringify(job)} failed as well, and nothing asks it: its command cannot be run here (${why}), and GitHub is not asked.`,
    ),
  };
}

const RUNS_ONLY = "this job only runs the loop (job: run), and starts no workflow";
const NO_DISPATCH =
  "cannot be started by hand without inputs: its on:, on the base or on the branch, has no such workflow_dispatch";

const DEPLOYS =
  "has a job that deploys to an environment, and nobody has said that it may be started for work that no person has seen; ci-workflow in the loop's workflow says so";
const unknownDeploys = (because: string): string =>
  `calls another workflow, and whether that deploys is not known: ${because}; ci-workflow in the loop's workflow says that it may be started all the same`;
/** What a `uses:` of this repository calls, in place of an action. */
const CALLABLE = /^\.github\/workflows\/[^/]+\.ya?ml$/u;
/** GitHub calls at most this many for one run. */
const MOST_CALLED = 50;

/** Where a failed run's workflow is looked at. */
interface Looking {
  readonly github: Github;
  readonly run: WorkflowRun;
  /** the branch that the work is for, without `refs/heads/` */
  readonly base: Result<string>;
  /** its file, as the base has it */
  readonly text: Result<string>;
}

/**
 * What the workflow's file says, as of the base: what a pull request wrote is neither a command nor a verdict (T8). Where it
 * wrote another command for the step that failed, the base's would show nothing of that.
 */
async function proofsOf(
  sources: RepairSources,
  { github, run, base, text }: Looking,
  { first, rest, untold }: Pick<Gathered, "first" | "rest" | "untold">,
): Promise<Found> {
  const nothing = (because: string): Found => ({
    ...{ command: failed({ because }), ci: failed({ because }), notes: [], rest: [] },
  });
  if (!text.ok) return nothing(text.trouble.because);
  const own = await ask("contents: read", async () => fileAt(github, run.headSha, run.path));
  if (!own.ok) return nothing(`${run.path} of the commit that failed cannot be read: ${own.trouble.because}`);
  // The base's own is bounded where it is read.
  if (own.value.length > FILE_BYTES) return nothing(`${run.path} of the commit that failed is too large to be read`);
  const workflow = parsed(text.value);
  const isOther = own.value !== text.value;
  const changed = `the commit that failed has ${run.path} otherwise than the base`;
  const unlike = `${changed}, and runs another command there, or none that could be run here`;
  const commandFor = (job: RunJob | undefined): Result<WorkflowCommand> => {
    const command = commandAt(workflow, job);
    if (!isOther || !command.ok) return command;
    const theirs = commandAt(parsed(own.value), job);
    return theirs.ok && theirs.value.run === command.value.run ? command : failed({ because: unlike });
  };
  return {
    command: commandFor(first),
    // Of a run that is green as a whole, those very jobs may be skipped.
    ci:
      untold === null
        ? await ciOf(sources, { github, run, base }, [workflow, parsed(own.value)])
        : failed({ because: `which of its jobs have to be green is not known: ${untold}` }),
    notes: isOther ? [`${capital(changed)}; the base's counts.`] : [],
    rest: rest.map((job) => ({ job: job.name, command: commandFor(job) })),
  };
}

/** The workflow that failed, if it can judge the work: nothing of it is the branch's own word (C118). */
async function ciOf(
  sources: RepairSources,
  { github, run, base }: Omit<Looking, "text">,
  workflows: readonly unknown[],
): Promise<Result<string>> {
  const { context, settings } = sources;
  const file = path.basename(run.path);
  if (settings.config.job === "run") return failed({ because: RUNS_ONLY });
  if (file === context.workflow.file) return failed({ because: `${file} is the workflow that this loop runs in` });
  if (!base.ok) return base;
  const as = await asInBase(github, { workflow: file, sha: run.headSha, base: base.value, as: "branch" });
  if (!as.ok && as.trouble.kind === "unread") return as;
  if (!as.ok) return failed({ because: `${as.trouble.because}, and what a branch says itself proves nothing` });
  if (!workflows.every(isDispatchable)) return failed({ because: `${file} ${NO_DISPATCH}` });
  const unwanted = await whyNotStarted(sources, workflows);
  return unwanted === undefined ? done(file) : failed({ because: `${file} ${unwanted}` });
}

/**
 * Why workflows may not be started for work that nobody has seen (C181), by them and by what they call of the repository, as
 * the base has it; undefined: they may.
 */
async function whyNotStarted(sources: RepairSources, workflows: readonly unknown[]): Promise<string | undefined> {
  const waiting = [...workflows];
  const looked = new Set<string>();
  // Grows while it is gone through.
  for (const workflow of waiting) {
    if (deploys(workflow)) return DEPLOYS;
    const called = localUses(workflow).paths.filter((file) => CALLABLE.test(file) && !looked.has(file));
    for (const file of called.slice(0, MOST_CALLED - looked.size)) {
      looked.add(file);
      const text = await textAtBase(sources, file);
      if (!text.ok) return unknownDeploys(text.trouble.because);
      waiting.push(parsed(text.value));
    }
  }
  return undefined;
}

/** The command of the steps that failed in a job, by a workflow's file. */
function commandAt(workflow: unknown, job: RunJob | undefined): Result<WorkflowCommand> {
  if (job === undefined) return failed({ because: "GitHub does not tell which job failed" });
  const steps = job.steps.filter(hasFailed).map(({ name }) => name);
  const { platform, arch } = process;
  return commandOf(workflow, { job: job.name, labels: job.labels, steps }, { platform, arch });
}

/** A workflow's file as the base has it; why not, as part of a sentence. */
async function textAtBase({ committed, root }: RepairSources, file: string): Promise<Result<string>> {
  if (!WORKFLOW.test(file)) return failed({ because: `${oneLine(file)} is no workflow file of this repository` });
  const unusable = (because: string) => failed({ because: `${file} of the base cannot be used: ${because}` });
  try {
    const found = await committed.readOriginal(path.join(root, file), FILE_BYTES);
    return found?.text === undefined ? unusable("it is not there") : done(found.text);
  } catch (error) {
    return unusable(error instanceof Error ? oneLine(error.message) : "it cannot be read");
  }
}

/** Undefined: no YAML, or broken: what could be read of that is not what GitHub reads. Aliases are bounded by the parser. */
function parsed(text: string): unknown {
  try {
    return parse(text, { logLevel: "error" });
  } catch {
    return undefined;
  }
}

function tell({ run, jobs, command, not_here: why, notes, cause, behind }: FailedRun, { line, notice }: Teller): void {
  const [job] = jobs;
  line(`To be repaired: ${run.url}${job === undefined ? "" : `, job ${JSON.stringify(oneLine(job.name))}`}.`);
  line(`Cause, as far as it shows: ${cause.kind}. ${cause.evidence.map(({ text }) => oneLine(text)).join(" ")}`);
  if (command === null) notice(`The failed job's command cannot be run here: ${oneLine(why ?? "it is not known")}.`);
  else line(`The failed job's command, as the base has it, can be run here: ${JSON.stringify(command)}`);
  const merge =
    behind === null ? [] : [`${mergedText(behind)} Bring ${behind.base} into the branch to have that shown.`];
  for (const note of [...notes, ...merge]) notice(oneLine(note));
}

function provedBy(commands: readonly (string | null)[], ci: string | null, { proves }: FailedRun): string {
  const names = proves.map(({ name }) => JSON.stringify(oneLine(name))).join(", ");
  const both = [
    ...commands.flatMap((text) => (text === null ? [] : [`the command ${JSON.stringify(text)} here`])),
    ...(ci === null ? [] : [`${proves.length === 1 ? "job" : "jobs"} ${names} of ${ci} on GitHub`]),
  ];
  return both.join(", then ");
}

function unprovable({ run, jobs, not_here: why }: FailedRun, noCi: string): UsageError {
  const job = jobs[0] === undefined ? "" : ` in job ${JSON.stringify(oneLine(jobs[0].name))}`;
  return new UsageError({
    code: "REPAIR_UNPROVABLE",
    what: `${run.url} has failed${job}, and nothing could prove a repair. Its command cannot be run here: ${oneLine(why ?? "")}. GitHub cannot be asked: ${oneLine(noCi)}. Nothing was done, and no turn was spent.`,
    next: `Name a command that shows the failure as success-cmd. Or let the job itself prove the work: \`workflow_dispatch:\` under on: of ${run.file} on the default branch, and that file, with the actions of the repository that it uses, as the base has it.`,
  });
}

function unknown({ run }: FailedRun, because: string): UsageError {
  return new UsageError({
    code: "REPAIR_UNPROVABLE",
    what: `${run.url} has failed, and which of its jobs ci-workflow has to show green is not known: ${oneLine(because)}. Nothing was done, and no turn was spent.`,
    next: "Give the job actions: read if it lacks that, and run this workflow again when GitHub answers.",
  });
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
