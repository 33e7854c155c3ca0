import { z } from "zod";
import { failed, done, type Result } from "../result.ts";
import { seenOnOneLine } from "../text.ts";
import { expressionsIn, literalsIn } from "./expressions.ts";

/** Which step failed, as GitHub tells it. Others chose the names: they only say where to look. */
export interface FailedStep {
  /** as in `test (20, ubuntu-latest)` */
  readonly job: string;
  /** what the job's runner is called by */
  readonly labels: readonly string[];
  /** as in `Run npm test`, in their order; []: no step failed */
  readonly steps: readonly string[];
}

/** Where the command would run. */
interface Here {
  /** as in `process.platform` and `process.arch` */
  readonly platform: string;
  readonly arch: string;
}

/** A command that was found in a workflow. */
export interface WorkflowCommand {
  /** text for bash */
  readonly run: string;
  /** what a person has to know of it, a sentence each */
  readonly notes: readonly string[];
}

const Env = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).nullish();
const Defaults = z
  .object({ run: z.object({ shell: z.string().nullish(), "working-directory": z.string().nullish() }).nullish() })
  .nullish();
const Step = z.object({
  name: z.string().nullish(),
  run: z.string().nullish(),
  uses: z.string().nullish(),
  shell: z.string().nullish(),
  "working-directory": z.string().nullish(),
  env: Env,
  if: z.unknown().optional(),
  with: z.unknown().optional(),
  "continue-on-error": z.unknown().optional(),
  "timeout-minutes": z.unknown().optional(),
});
type Step = z.infer<typeof Step>;
const Job = z.object({
  name: z.string().nullish(),
  uses: z.string().nullish(),
  environment: z.unknown().optional(),
  if: z.unknown().optional(),
  container: z.unknown().optional(),
  services: z.unknown().optional(),
  strategy: z.object({ matrix: z.unknown().optional() }).nullish(),
  env: Env,
  defaults: Defaults,
  "continue-on-error": z.unknown().optional(),
  steps: z.array(Step).nullish(),
});
type Job = z.infer<typeof Job>;
const Workflow = z.object({
  on: z.unknown().optional(),
  env: Env,
  defaults: Defaults,
  jobs: z.record(z.string(), z.unknown()),
});

const EXPRESSION = /\$\{\{/u;
const NAME = /^[A-Za-z_]\w{0,100}$/u;
const SHOWN = 100;

/**
 * The command of a failed step, if it can be run here (C101).
 *
 * @param workflow the parsed workflow file of a commit that may say what runs: never one that a pull request brings
 * @returns `because` says why not, as part of a sentence
 */
export function commandOf(workflow: unknown, failure: FailedStep, here: Here): Result<WorkflowCommand> {
  const file = Workflow.safeParse(workflow, { jitless: true });
  if (!file.success) return no("the workflow's file on the base cannot be read");
  const found = jobOf(file.data.jobs, failure.job);
  if (!found.ok) return found;
  const job = found.value;
  const lack = lackOfJob(job, failure, here);
  if (lack !== undefined) return no(lack);
  const steps = job.steps ?? [];
  const red = failedOf(steps, failure.steps);
  if (!red.ok) return red;
  const { at: index, step } = red.value;
  const before = steps.slice(0, index);
  const text = textOf(step, [file.data, job]);
  if (!text.ok) return text;
  const unlike = before.map(unlikeHere).find((why) => why !== undefined);
  if (unlike !== undefined) return no(unlike);
  return done({ run: text.value, notes: notesOf(job, { before, step, after: steps.slice(index + 1) }) });
}

/**
 * Whether a run is green although this job of it failed (`continue-on-error`); `perhaps`: only GitHub can work it out.
 *
 * @param workflow as for `commandOf`
 * @param job as GitHub shows its name
 */
export function mayFail(workflow: unknown, job: string): "never" | "perhaps" | "always" {
  const file = Workflow.safeParse(workflow, { jitless: true });
  const found = file.success ? jobOf(file.data.jobs, job) : undefined;
  return found?.ok === true ? mayBeRed(found.value) : "never";
}

function mayBeRed({ "continue-on-error": said }: Pick<Step, "continue-on-error">): "never" | "perhaps" | "always" {
  if (said === true || said === "true") return "always";
  return typeof said === "string" && EXPRESSION.test(said) ? "perhaps" : "never";
}

/** Whether a workflow can be started by hand, without inputs. */
export function isDispatchable(workflow: unknown): boolean {
  const file = Workflow.safeParse(workflow, { jitless: true });
  const on = file.success ? file.data.on : null;
  if (on === "workflow_dispatch" || (Array.isArray(on) && on.includes("workflow_dispatch"))) return true;
  const parsed = Dispatchable.safeParse(on, { jitless: true });
  if (!parsed.success) return false;
  const inputs = Object.values(parsed.data.workflow_dispatch?.inputs ?? {});
  return inputs.every((input) => input?.required !== true || (input.default ?? null) !== null);
}

const Input = z.looseObject({ required: z.boolean().nullish(), default: z.unknown().optional() }).nullish();
const Dispatchable = z
  .looseObject({ workflow_dispatch: z.looseObject({ inputs: z.record(z.string(), Input).nullish() }).nullable() })
  .refine((on) => "workflow_dispatch" in on);

function jobOf(jobs: Readonly<Record<string, unknown>>, name: string): Result<Job> {
  const found = Object.entries(jobs).flatMap(([id, value]) => {
    const parsed = Job.safeParse(value, { jitless: true });
    return parsed.success && isJob(id, parsed.data, name) ? [parsed.data] : [];
  });
  const [job] = found;
  if (job === undefined) return no(`the base's workflow has no job ${quoted(name)} that could be read`);
  return found.length > 1 ? no(`several jobs of the base's workflow are called ${quoted(name)}`) : done(job);
}

/** GitHub adds the values of a matrix, and for a workflow that is called the name of its job. */
function isJob(id: string, { name, strategy, uses }: Job, shown: string): boolean {
  const called = name ?? id;
  if (couldBe(called, shown)) return true;
  if (typeof uses === "string" && shown.startsWith(`${called} / `)) return true;
  return strategy?.matrix !== undefined && !EXPRESSION.test(called) && shown.startsWith(`${called} (`);
}

/** Whether a name as the file has it could be shown so: what its expressions give is not known. */
function couldBe(name: string, shown: string): boolean {
  const [first = "", ...others] = literalsIn(name);
  const last = others.pop();
  if (last === undefined) return name === shown;
  let at = first.length;
  for (const part of others) {
    const found = shown.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return shown.startsWith(first) && shown.endsWith(last) && shown.length - last.length >= at;
}

/** The environment that a job deploys to; null: none. Who may, and when, are the environment's rules. */
function environmentOf({ environment }: Pick<Job, "environment">): string | null {
  if (!isThere(environment)) return null;
  const name: unknown =
    typeof environment === "object" && environment !== null ? Reflect.get(environment, "name") : environment;
  return typeof name === "string" ? name : "";
}

/** Whether a workflow has a job that deploys; of those that it calls nothing is known here. */
export function deploys(workflow: unknown): boolean {
  const file = Workflow.safeParse(workflow, { jitless: true });
  const jobs = file.success ? Object.values(file.data.jobs) : [];
  return jobs.some((one) => {
    const job = Job.safeParse(one, { jitless: true });
    return !job.success || environmentOf(job.data) !== null;
  });
}

function lackOfJob(job: Job, { labels, steps }: FailedStep, here: Here): string | undefined {
  if (typeof job.uses === "string") return "the job calls another workflow";
  if (isThere(job.container)) return "the job runs in a container";
  if (isThere(job.services)) return "the job needs service containers";
  const environment = environmentOf(job);
  if (environment !== null)
    return `the job deploys to an environment (${quoted(environment)}), whose rules nobody asks here`;
  const machine = otherMachine(labels, here);
  if (machine !== undefined) return machine;
  return steps.length === 0 ? "no step of the job failed: the runner or GitHub ended it" : undefined;
}

function isThere(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return false;
  return typeof value !== "object" || Object.keys(value).length > 0;
}

const SYSTEMS = [
  [/^windows/u, "win32", "Windows"],
  [/^macos/u, "darwin", "macOS"],
  [/^(?:ubuntu|linux)/u, "linux", "Linux"],
] as const;

function otherMachine(labels: readonly string[], { platform, arch }: Here): string | undefined {
  const names = labels.map((label) => label.toLowerCase());
  if (names.includes("self-hosted")) return "the job ran on a machine of your own, and what is there is not known here";
  const [, system, called] = SYSTEMS.find(([pattern]) => names.some((name) => pattern.test(name))) ?? [];
  if (system === undefined) return `on which system the job ran is not known (${names.map(quoted).join(", ")})`;
  if (system !== platform) return `the job ran on ${called}`;
  const isArm = names.some((name) => /(?:^|-)arm(?:64)?$/u.test(name));
  return isArm === (arch === "arm64") || system === "darwin" ? undefined : "the job ran on another kind of processor";
}

/** A step, and its place among those of its job. */
interface PlacedStep {
  readonly at: number;
  readonly step: Step;
}

/** Which of the steps made the job red: exactly one, found by exactly one name. */
function failedOf(steps: readonly Step[], names: readonly string[]): Result<PlacedStep> {
  const red: PlacedStep[] = [];
  let allowed = "";
  for (const name of names) {
    const found = steps.flatMap((step, at) => (couldBe(nameOf(step), name) ? [at] : []));
    const [at = -1] = found;
    const step = steps[at];
    if (step === undefined) return no(`the base's workflow has no step ${quoted(name)} in this job`);
    if (found.length > 1) return no(`several steps of this job could be called ${quoted(name)}`);
    const may = mayBeRed(step);
    if (may !== "never") allowed = `step ${quoted(name)} may fail (continue-on-error), so it shows nothing`;
    if (may === "perhaps") return no(allowed);
    // What runs only behind a failure is no cause of it.
    if (may === "never" && (red.length === 0 || !isBehindFailure(step))) red.push({ at, step });
  }
  const [first, ...others] = red;
  if (first === undefined) return no(allowed);
  if (others.length > 0)
    return no(`several of its steps failed (${names.map(quoted).join(", ")}), and no one command is all`);
  const isFollowing = isBehindFailure(first.step);
  return isFollowing ? no("the step that failed runs only when another one has failed") : done(first);
}

/** Whether a step is skipped where nothing has failed. */
function isBehindFailure({ if: condition }: Step): boolean {
  return (
    typeof condition === "string" &&
    /(?<!!\s{0,9})\bfailure\s*\(/u.test(condition) &&
    !/\b(?:success|always)\s*\(/u.test(condition)
  );
}

/** GitHub calls a step without a name by what it does. */
function nameOf({ name, run, uses }: Step): string {
  if (typeof name === "string") return name;
  return `Run ${typeof run === "string" ? firstLine(run) : (uses ?? "")}`;
}

/** Why the machine is not as the job has it when this step has been run; undefined: it may be. */
function unlikeHere(step: Step): string | undefined {
  const { run, uses, with: inputs, if: condition } = step;
  const called = `a step before it (${quoted(nameOf(step))})`;
  if (/\bGITHUB_(?:ENV|PATH)\b/u.test(run ?? "")) return `${called} sets variables or the PATH for it`;
  // A condition is an expression also without ${{ }}.
  const isOfLeg = typeof condition === "string" && /\bmatrix\b/u.test(condition);
  if (isOfLeg || expressionsIn(JSON.stringify(step)).some((text) => /\bmatrix\b/u.test(text)))
    return `${called} uses a value of the job's matrix`;
  if (uses?.startsWith("actions/checkout@") !== true) return undefined;
  const said = Object.entries(Inputs.parse(inputs)).find(([name, value]) => isElsewhere(name, String(value)));
  return said === undefined
    ? undefined
    : `${called} checks out something else (${said[0]}: ${quoted(String(said[1]))})`;
}

const Inputs = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).catch({});

/** Whether an input of `actions/checkout` gives the job another tree, or at another place. An event's commit is the run's. */
function isElsewhere(name: string, value: string): boolean {
  if (value === "" || (name === "path" && /^\.\/?$/u.test(value))) return false;
  if (name === "ref") return !EXPRESSION.test(value);
  if (name === "repository") return !/^\$\{\{\s*github\.repository\s*\}\}$/u.test(value);
  return name === "path";
}

/** @param outer the workflow and the job, whose words hold where the step has none */
function textOf(step: Step, outer: readonly Pick<Job, "env" | "defaults">[]): Result<string> {
  if (typeof step.uses === "string") return no(`the step is an action (${quoted(step.uses)}), no command`);
  const run = step.run?.trim() ?? "";
  if (run === "") return no("the step has no command");
  const defaults = outer.map(({ defaults }) => defaults?.run);
  const shell = step.shell ?? defaults.findLast((one) => typeof one?.shell === "string")?.shell ?? null;
  const unknownShell = unknownIn(shell ?? "");
  if (unknownShell !== undefined) return no(unknownShell);
  if (shell !== null && shell !== "bash" && shell !== "sh") return no(`the step runs in ${quoted(shell)}`);
  const folder =
    step["working-directory"] ??
    defaults.findLast((one) => typeof one?.["working-directory"] === "string")?.["working-directory"] ??
    ".";
  const env = new Map([...outer.map((one) => one.env), step.env].flatMap((one) => Object.entries(one ?? {})));
  const values = [...env].map(([name, value]) => [name, value === null ? "" : String(value)] as const);
  const unknown = [run, folder, ...values.map(([, value]) => value)].map(unknownIn).find((why) => why !== undefined);
  if (unknown !== undefined) return no(unknown);
  const [, told] = /\b((?:GITHUB|RUNNER|ACTIONS)_[A-Z\d_]+)\b/u.exec(run) ?? [];
  if (told !== undefined) return no(`the step reads $${told}, which is another one here`);
  if (folder.startsWith("/") || folder.split("/").includes("..")) return no("the step runs outside of the repository");
  if (values.some(([name]) => !NAME.test(name))) return no("the step has a variable that no shell can set");
  const before = [
    ...values.map(([name, value]) => `export ${name}=${shellWord(value)}`),
    ...(/^\.?\/*$/u.test(folder) ? [] : [`cd -- ${shellWord(folder)}`]),
  ];
  // As GitHub starts it; one plain command of bash says the same without. In sh it may not: `[ a == a ]`, `source`, `{1,2}`.
  const isPlain = shell !== "sh" && before.length === 0 && /^[^\n;&|()`$<>]+$/u.test(run);
  const strict = shell === "bash" ? "set -eo pipefail" : "set -e";
  const body = shell === "sh" ? `sh -e -c ${shellWord(run)}` : run;
  return done(isPlain ? run : [strict, ...before, body].join("\n"));
}

/** Why an expression cannot be worked out here; undefined: there is none. */
function unknownIn(text: string): string | undefined {
  const [, expression] = /\$\{\{(.*?)(?:\}\}|$)/su.exec(text) ?? [];
  if (expression === undefined) return undefined;
  if (/\bsecrets\b|\bgithub\.token\b/u.test(expression)) return "the step needs a secret";
  if (/\bmatrix\b/u.test(expression)) return "the step needs a value of the job's matrix";
  return `the step needs ${quoted(`\${{${expression}}}`)}, which only GitHub knows`;
}

function shellWord(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

interface Around {
  readonly before: readonly Step[];
  readonly step: Step;
  readonly after: readonly Step[];
}

function notesOf({ strategy, if: due }: Job, { before, step, after }: Around): readonly string[] {
  const { run: own, if: condition, "timeout-minutes": minutes } = step;
  const isChecked = (uses: string): boolean => /^actions\/(?:checkout|download-artifact)@/u.test(uses);
  const commands = before.flatMap(({ run }) => (typeof run === "string" && run !== own ? [firstLine(run)] : []));
  const actions = before.flatMap(({ uses }) => (typeof uses === "string" && !isChecked(uses) ? [uses] : []));
  const isFetched = before.some(({ uses }) => uses?.startsWith("actions/download-artifact@") === true);
  const later = after.flatMap((one) =>
    typeof one.run === "string" && !isBehindFailure(one) ? [firstLine(one.run)] : [],
  );
  const skipped = [...actions, ...commands];
  return [
    ...(strategy?.matrix === undefined
      ? []
      : ["The job is one of a matrix, and the versions on this machine may be others than its own."]),
    ...(skipped.length === 0
      ? []
      : [
          `What the job runs before it is not repeated: ${listed(skipped)}. Where the command needs that, let steps before smithers/loop do it, or say success-cmd.`,
        ]),
    ...(isFetched ? ["The job fetches artifacts of other jobs, which are not here."] : []),
    ...(typeof due === "string" ? [`The job runs only if ${quoted(due)}; here its command is run in any case.`] : []),
    ...(typeof condition === "string"
      ? [`The job runs it only if ${quoted(condition)}; here it is run in any case.`]
      : []),
    ...(typeof minutes === "number" ? [`The job gives it ${minutes} minutes; here check-timeout-minutes counts.`] : []),
    ...(later.length === 0 ? [] : [`What the job runs after it is not asked here, only by CI: ${listed(later)}.`]),
  ];
}

/** At most this many are named. */
const NAMED = 5;

function listed(names: readonly string[]): string {
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : "";
  return names.slice(0, NAMED).map(quoted).join(", ") + more;
}

function firstLine(text: string): string {
  return text
    .trim()
    .replace(/\n[^]*$/u, "")
    .trim();
}

function quoted(text: string): string {
  return `“${seenOnOneLine(text, SHOWN)}”`;
}

function no(because: string) {
  return failed({ because });
}
