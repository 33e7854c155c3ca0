import { z } from "zod";
import { keyVariables } from "../../agents/registry.ts";
import { expressionsIn } from "../../core/repair/expressions.ts";
import { deploys, isDispatchable } from "../../core/repair/workflow-command.ts";

export const Words = z.record(z.string(), z.unknown()).catch({});
const Env = Words.default({});
const Step = z.looseObject({ id: z.string().optional(), uses: z.string().optional(), with: Env, env: Env });
const Job = z.looseObject({
  uses: z.string().optional().catch(undefined),
  steps: z.array(Step).catch([]).default([]),
  permissions: z.unknown().optional(),
  concurrency: z.unknown().optional(),
  env: Env,
});

/** A workflow's file, as far as it matters here. */
export const Workflow = z.looseObject({
  name: z.string().optional().catch(undefined),
  on: z.unknown().optional(),
  permissions: z.unknown().optional(),
  concurrency: z.unknown().optional(),
  env: Env,
  jobs: z.record(z.string(), Job),
});
export type Workflow = z.output<typeof Workflow>;

/** A job, and the file in which it stands, as in `smithers.yml`. */
export interface PlacedJob {
  readonly file: string;
  readonly workflow: Workflow;
  readonly job: z.output<typeof Job>;
}

/** The file of the same repository that a job calls; "": none. */
export function calledBy({ uses = "" }: PlacedJob["job"]): string {
  return /^\.\/\.github\/workflows\/(?<file>[^/]+)$/u.exec(uses)?.groups?.["file"] ?? "";
}

/** A step of ours in a workflow's file, with all that decides what it needs. */
export interface LoopStep {
  /** the one that events start, also of a step in a workflow that this one calls */
  readonly file: string;
  /** by which jobs it comes from there to where the step stands, each in the file that the one before it calls; []: it stands there */
  readonly callers: readonly PlacedJob[];
  /** where the step stands */
  readonly at: string;
  readonly workflow: Workflow;
  readonly jobId: string;
  readonly job: z.output<typeof Job>;
  /** as in `smithers/loop@v1` */
  readonly uses: string;
  /** settings by name, of `with:` and of `env:` */
  readonly inputs: Readonly<Record<string, unknown>>;
  /** of workflow, job and step */
  readonly env: Readonly<Record<string, unknown>>;
  /** the events that start the workflow, each with its types; undefined: those that GitHub takes then */
  readonly events: ReadonlyMap<string, readonly string[] | undefined>;
  /** the events that ask it for something, also by way of a relay */
  readonly asked: ReadonlySet<string>;
  /** whether a relay in another file starts it */
  readonly isStarted: boolean;
  /** whether a relay starts it for `/smithers prd`, which people can write on issues as well */
  readonly isAskedForPrd: boolean;
  /** all of the repository, by file name */
  readonly workflows: ReadonlyMap<string, Workflow>;
}

/** Whether something holds for a step. */
export type Asks = (step: LoopStep) => boolean;
/** What a step is for; `loop`: all of it in one job. */
export type Kind = "loop" | "run" | "publish" | "plan" | "land" | "relay";

/** Events by which anybody asks something of a loop, and the types of them that do; undefined: all. */
const ASKING: ReadonlyMap<string, readonly string[] | undefined> = new Map([
  ["issue_comment", undefined],
  ["issues", ["labeled"]],
  ["pull_request", ["labeled", "closed"]],
  ["pull_request_review", undefined],
  ["workflow_run", undefined],
]);

/** A pull request that says no types means these, of which none asks for anything. */
const SILENT = "pull_request";

function asks({ events }: Pick<LoopStep, "events">): boolean {
  return [...events].some(([event, types]) => {
    const wanted = ASKING.get(event);
    if (wanted === undefined) return ASKING.has(event);
    return types === undefined ? event !== SILENT : types.some((type) => wanted.includes(type));
  });
}

function saidKind({ inputs }: LoopStep): string {
  return word(inputs["job"]);
}

function isRelay(step: LoopStep): boolean {
  return saidKind(step) === "relay" || (saidKind(step) === "" && asks(step));
}

/** One step without `job:` can be both: the relay of what people ask, and what works when it is started. */
export function is(...kinds: readonly Kind[]): Asks {
  return (step) => {
    const said = saidKind(step);
    if (kinds.includes("relay") && isRelay(step)) return true;
    if (said !== "") return kinds.some((kind) => kind === said);
    const only = asks(step) && word(step.inputs["relay-to"]) !== "" && !step.events.has("workflow_dispatch");
    return kinds.includes("loop") && !only;
  };
}

export function publishes(step: LoopStep): boolean {
  if (is("publish")(step)) return step.inputs["pull-request"] !== "never";
  return is("loop")(step) && step.inputs["pull-request"] !== "never" && step.inputs["commit"] !== "never";
}

export function has(name: string): Asks {
  return ({ inputs }) => word(inputs[name]) !== "";
}

export const both =
  (...all: readonly Asks[]): Asks =>
  (step) =>
    all.every((one) => one(step));
export const either =
  (...some: readonly Asks[]): Asks =>
  (step) =>
    some.some((one) => one(step));
export const not =
  (one: Asks): Asks =>
  (step) =>
    !one(step);
export const asked =
  (...events: readonly string[]): Asks =>
  (step) =>
    events.some((event) => step.asked.has(event));
export const hears =
  (...events: readonly string[]): Asks =>
  (step) =>
    events.some((event) => step.events.has(event));

export const continues: Asks = ({ inputs }) => inputs["self-continue"] === "auto";
export const tries: Asks = (step) => Number(word(step.inputs["attempts"])) > 1;

/** The todo file of the loop whose end a job publishes is said to the job that runs it. */
export const mayStop: Asks = (step) =>
  has("todo-file")(step) ||
  (is("publish")(step) &&
    Object.values(step.workflow.jobs).some((job) => job.steps.some((other) => word(other.with["todo-file"]) !== "")));

/** The job of a step, with those by which it is called, from without to within. */
function jobsAround({ callers, at: file, workflow, job }: LoopStep): readonly PlacedJob[] {
  return [...callers, { file, workflow, job }];
}

/** What a plan has given out, its ledger keeps apart. */
export function hasPlan(step: LoopStep): boolean {
  const all = jobsAround(step).flatMap(({ workflow }) => Object.values(workflow.jobs));
  return all.some(({ steps }) => steps.some((other) => other.with["job"] === "plan"));
}

/**
 * The files that keep a permission from a step. Where nothing is said of permissions, the repository's settings decide; of
 * another token they say nothing. A workflow that is called may do no more than the job that calls it, and may take less.
 */
export function withholding(step: LoopStep, scope: string, level: "read" | "write"): readonly string[] {
  if (hasOtherToken(step)) return [];
  const denying = jobsAround(step).filter(
    ({ workflow, job }) => !allows(job.permissions ?? workflow.permissions, scope, level),
  );
  return denying.map(({ file }) => file);
}

function allows(given: unknown, scope: string, level: "read" | "write"): boolean {
  if (given === undefined || given === null || given === "write-all") return true;
  if (given === "read-all") return level === "read";
  const granted = Words.parse(given)[scope];
  return granted === "write" || granted === level;
}

export function hasOtherToken({ inputs }: LoopStep): boolean {
  const token = word(inputs["github-token"]);
  return word(inputs["app-id"]) !== "" || (token !== "" && !/github\.token|secrets\.GITHUB_TOKEN/u.test(token));
}

/** Whether the token comes from a step that makes one of an App, in a job that may outlive it. */
export function outlivesToken({ inputs, job }: LoopStep): boolean {
  const id = /steps\.(?<id>[\w-]+)\.outputs/u.exec(word(inputs["github-token"]))?.groups?.["id"];
  const maker = job.steps.find((step) => step.id === id && id !== undefined);
  const minutes = Number(job["timeout-minutes"] ?? 360);
  return /app-token/u.test(maker?.uses ?? "") && minutes > 60;
}

/** The text of a plain value of YAML; else "". */
export function word(said: unknown): string {
  return typeof said === "string"
    ? said.trim()
    : typeof said === "number" || typeof said === "boolean"
      ? String(said)
      : "";
}

/** Words of a text with commas or lines, or of a list. */
export function wordsIn(said: unknown): readonly string[] {
  const all: readonly unknown[] = Array.isArray(said) ? said : word(said).split(/[\s,]+/u);
  return all.map(word).filter((one) => one !== "");
}

/** The files that a relay starts: its own, where it names none. */
export function relayTargets(step: LoopStep): readonly string[] {
  if (!isRelay(step)) return [];
  const to = word(step.inputs["relay-to"]) || step.file;
  return [to, word(step.inputs["relay-prd-to"]) || to];
}

export function isHere(file: string, step: LoopStep): boolean {
  return file.includes("$") || step.workflows.has(file);
}

export function declaresInput(workflow: Workflow | undefined): boolean {
  const at = (value: unknown, key: string): unknown => Words.parse(value)[key];
  return "smithers" in Words.parse(at(at(workflow?.on, "workflow_dispatch"), "inputs"));
}

/** The workflows whose failed runs a step is told of, by their names; undefined: no file here has it. */
function failing(step: LoopStep): readonly { readonly name: string; readonly found: string | undefined }[] {
  const { on } = step.callers[0]?.workflow ?? step.workflow;
  const names = wordsInList(Words.parse(Words.parse(on)["workflow_run"])["workflows"]);
  return names.map((name) => {
    const found = [...step.workflows].find(([file, { name: own = `.github/workflows/${file}` }]) => own === name);
    return { name, found: found?.[0] };
  });
}

/** A workflow's name may have spaces. */
function wordsInList(said: unknown): readonly string[] {
  return (Array.isArray(said) ? said : [said]).map(word).filter((one) => one !== "");
}

export const unfound = (step: LoopStep) => failing(step).find(({ found }) => found === undefined);
export const unprovable = (step: LoopStep) =>
  failing(step).find(({ found }) => found !== undefined && !isDispatchable(step.workflows.get(found)));
export const deploying = (step: LoopStep) =>
  failing(step).find(({ found }) => found !== undefined && leadsToDeploy(step, found));
export const namesProof = either(has("success-cmd"), has("success-sh"), has("ci-workflow"));
export const ciFile = ({ inputs }: LoopStep) => word(inputs["ci-workflow"]);

/** Whether a file has a job that deploys, or one of the files that it calls. */
function leadsToDeploy({ workflows }: LoopStep, first: string): boolean {
  const files = new Set([first]);
  // Grows while it is gone through.
  for (const file of files) {
    const workflow = workflows.get(file);
    if (deploys(workflow)) return true;
    for (const job of Object.values(workflow?.jobs ?? {})) files.add(calledBy(job));
  }
  return false;
}

/** What a step waits for before it begins, and in which file that is said. */
interface Waiting {
  readonly file: string;
  /** as the file has it, with its expressions; names are the same in small and capital letters */
  readonly group: string;
  readonly keepsAll: boolean;
  readonly kills: boolean;
}

/** Every group that a step waits in, from without to within: GitHub heeds those of workflows, of jobs and of what calls them. */
export function waits(step: LoopStep): readonly Waiting[] {
  return jobsAround(step).flatMap(({ file, workflow, job }) =>
    [workflow.concurrency, job.concurrency].flatMap((said) => {
      if (said === undefined || said === null) return [];
      const {
        group,
        queue,
        "cancel-in-progress": kills,
      } = typeof said === "string" ? { group: said } : Words.parse(said);
      return [{ file, group: word(group), keepsAll: queue === "max", kills: kills === true }];
    }),
  );
}

/** The group that a step waits for while its own run holds it; undefined: none, as far as it shows without working out expressions. */
export function heldByItself(step: LoopStep): Waiting | undefined {
  const all = waits(step);
  return all.find(({ file, group }, index) =>
    all.slice(0, index).some((outer) => {
      // In another file these are other values.
      const isSame = outer.file === file || !/\b(?:inputs|matrix|needs|strategy)\b/u.test(group);
      return isSame && group !== "" && outer.group.toLowerCase() === group.toLowerCase();
    }),
  );
}

/** Variables of the job that hold a secret, so that no check sees them, and that are nobody's of ours. */
export function withheld({ env, inputs }: LoopStep): readonly string[] {
  const passed = wordsIn(inputs["pass-env"]);
  const keys = keyVariables();
  return Object.entries(env).flatMap(([name, value]) => {
    const isPassed = passed.some(
      (pattern) => pattern === name || (pattern.endsWith("*") && name.startsWith(pattern.slice(0, -1))),
    );
    const isOurs = name.startsWith("SMITHERS_") || keys.has(name);
    const isSecret = expressionsIn(word(value)).some((text) => /\bsecrets\./u.test(text));
    return isSecret && !isPassed && !isOurs ? [name] : [];
  });
}
