import { z } from "zod";
import { failed, done, type Result } from "../result.ts";
import { seenOnOneLine } from "../text.ts";

/** Which step failed, as GitHub tells it. Others chose the names: they only say where to look. */
export interface FailedStep {
  /** as in `test (20, ubuntu-latest)` */
  readonly job: string;
  /** what the job's runner is called by */
  readonly labels: readonly string[];
  /** as in `Run npm test`; null: no step failed */
  readonly step: string | null;
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
});
type Step = z.infer<typeof Step>;
const Job = z.object({
  name: z.string().nullish(),
  uses: z.string().nullish(),
  container: z.unknown().optional(),
  services: z.unknown().optional(),
  strategy: z.object({ matrix: z.unknown().optional() }).nullish(),
  env: Env,
  defaults: Defaults,
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
  const shown = failure.step ?? "";
  const lack = lackOfJob(job, failure, here);
  if (lack !== undefined) return no(lack);
  const steps = job.steps ?? [];
  const at = steps.findIndex((one) => isNamed(one, shown));
  const step = steps[at];
  if (step === undefined) return no(`the base's workflow has no step ${quoted(shown)} in this job`);
  const text = textOf(step, [file.data, job]);
  return text.ok ? done({ run: text.value, notes: notesOf(job, steps.slice(0, at), step) }) : text;
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
  if (called === shown) return true;
  if (typeof uses === "string" && shown.startsWith(`${called} / `)) return true;
  if (strategy?.matrix === undefined) return false;
  if (!EXPRESSION.test(called)) return shown.startsWith(`${called} (`);
  const parts = called.split(/\$\{\{.*?\}\}/u).map((part) => part.trim());
  return parts.every((part) => shown.includes(part)) && shown.startsWith(called.replace(/\$\{\{[^]*$/u, "").trim());
}

function lackOfJob(job: Job, { labels, step }: FailedStep, here: Here): string | undefined {
  if (typeof job.uses === "string") return "the job calls another workflow";
  if (isThere(job.container)) return "the job runs in a container";
  if (isThere(job.services)) return "the job needs service containers";
  const machine = otherMachine(labels, here);
  if (machine !== undefined) return machine;
  return step === null ? "no step of the job failed: the runner or GitHub ended it" : undefined;
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

/** GitHub calls a step without a name by what it does. */
function isNamed({ name, run, uses }: Step, shown: string): boolean {
  if (typeof name === "string") return name === shown;
  if (typeof run === "string") return `Run ${firstLine(run)}` === shown;
  return `Run ${uses ?? ""}` === shown;
}

/** @param outer the workflow and the job, whose words hold where the step has none */
function textOf(step: Step, outer: readonly Pick<Job, "env" | "defaults">[]): Result<string> {
  if (typeof step.uses === "string") return no(`the step is an action (${quoted(step.uses)}), no command`);
  const run = step.run?.trim() ?? "";
  if (run === "") return no("the step has no command");
  const defaults = outer.map(({ defaults }) => defaults?.run);
  const shell = step.shell ?? defaults.findLast((one) => typeof one?.shell === "string")?.shell ?? null;
  if (shell !== null && shell !== "bash" && shell !== "sh") return no(`the step runs in ${quoted(shell)}`);
  const folder =
    step["working-directory"] ??
    defaults.findLast((one) => typeof one?.["working-directory"] === "string")?.["working-directory"] ??
    ".";
  const env = new Map([...outer.map((one) => one.env), step.env].flatMap((one) => Object.entries(one ?? {})));
  const values = [...env].map(([name, value]) => [name, value === null ? "" : String(value)] as const);
  const unknown = [run, folder, ...values.map(([, value]) => value)].map(unknownIn).find((why) => why !== undefined);
  if (unknown !== undefined) return no(unknown);
  if (folder.startsWith("/") || folder.split("/").includes("..")) return no("the step runs outside of the repository");
  if (values.some(([name]) => !NAME.test(name))) return no("the step has a variable that no shell can set");
  const before = [
    ...values.map(([name, value]) => `export ${name}=${shellWord(value)}`),
    ...(/^\.?\/*$/u.test(folder) ? [] : [`cd -- ${shellWord(folder)}`]),
  ];
  // As GitHub starts it; one plain command says the same without.
  const isPlain = before.length === 0 && /^[^\n;&|()`$<>]+$/u.test(run);
  const strict = shell === "bash" ? "set -eo pipefail" : "set -e";
  return done(isPlain ? run : [strict, ...before, run].join("\n"));
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

function notesOf({ strategy }: Job, before: readonly Step[], { run: own }: Step): readonly string[] {
  const commands = before.flatMap(({ run }) => (typeof run === "string" && run !== own ? [firstLine(run)] : []));
  const isFetched = before.some(({ uses }) => uses?.startsWith("actions/download-artifact") === true);
  return [
    ...(strategy?.matrix === undefined
      ? []
      : ["The job is one of a matrix, and the versions on this machine may be others than its own."]),
    ...(commands.length === 0
      ? []
      : [
          `What the job runs before it is not repeated: ${commands.map(quoted).join(", ")}. Where the command needs that, let steps before smithers/loop do it, or say success-cmd.`,
        ]),
    ...(isFetched ? ["The job fetches artifacts of other jobs, which are not here."] : []),
  ];
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
