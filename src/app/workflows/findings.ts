import { constants } from "node:fs";
import { open, readdir } from "node:fs/promises";
import path from "node:path";
import { finding } from "../../agents/agent.ts";
import { type CiJobNames, jobNamesIn } from "../../core/policy/mirror.ts";
import { oneLine } from "../../views/plain-text.ts";
import type { Finding } from "../../views/gaps.ts";
import { type Need, NEEDS } from "./needs.ts";
import { hasPlan, is, type Kind, type LoopStep, relayTargets, wordsIn, Workflow } from "./step.ts";

const FOLDER = path.join(".github", "workflows");

/** More of a file is not read: people write shorter ones. */
const MOST_BYTES = 200_000;
const MOST_FILES = 200;
const OURS = "smithers/loop@";

/** What of a running job is known: only its own steps are looked at, and only for what nobody else tells it. */
interface RunningJob {
  /** as in `smithers.yml` */
  readonly file: string;
  /** the job's key; in a workflow that is called, the one of that file */
  readonly job: string;
}

/**
 * The jobs of the same file that come after one, and would find out too late: what the agent has been paid for could not
 * be published, or not land. The jobs of a wave's stories look for themselves, and their plan for those behind them.
 */
const BEHIND: readonly (readonly [of: Kind, later: readonly Kind[]])[] = [
  ["run", ["publish"]],
  ["plan", ["publish", "land"]],
];

function isBehind(step: LoopStep, running: readonly LoopStep[]): boolean {
  const jobs = running.filter((own) => is("plan")(own) || !hasPlan(own));
  return BEHIND.some(([of, later]) => jobs.some(is(of)) && is(...later)(step));
}

/** The repository's workflows by file name; `undefined`: it cannot be read as one. */
type Workflows = ReadonlyMap<string, Workflow | undefined>;

/**
 * What the workflows of a repository that run a loop lack, by the one table of it (`needs.ts`), each with the line to
 * add. Reads only, and runs nothing of them; a file that is no workflow is none. Never throws.
 *
 * @param root of the work tree, which others can write: neither links nor pipes are followed
 * @param running for the checks before the first turn: the job that asks, and those that depend on it; else all jobs
 */
export async function workflowFindings(root: string, running?: RunningJob): Promise<readonly Finding[]> {
  const { ours, workflows } = await readWorkflows(root, running?.file);
  const steps = stepsOf(workflows);
  const found = ours.map((file) => {
    const subject = `the workflow ${oneLine(file)}`;
    if (workflows.get(file) === undefined) return running === undefined ? [finding(subject, UNREADABLE)] : [];
    const inFile = steps.filter((step) => step.file === file);
    const asking = inFile.filter(({ jobId }) => jobId === running?.job);
    const own =
      running === undefined ? inFile : inFile.filter((step) => asking.includes(step) || isBehind(step, asking));
    const needs = NEEDS.filter((need) => running === undefined || need.before === "file");
    const lacks = own.flatMap((step) => {
      const isOwn = running === undefined || asking.includes(step);
      const of = isOwn ? subject : `${subject}, its job ${oneLine(step.jobId)}`;
      return needs.flatMap((need) => lackOf(of, need, step));
    });
    const distinct = lacks.filter((lack, index) => lacks.findIndex((other) => sameCure(lack, other)) === index);
    return distinct.length > 0 || running !== undefined ? distinct : [finding(subject, { right: "there" })];
  });
  return found.flat();
}

/** What the workflows of a repository name that run a loop, each once, without what is computed. */
interface Named {
  /** whom to tell */
  readonly people: readonly string[];
  /** the branches that the work is for */
  readonly bases: readonly string[];
  /** what answers required checks, with the names of all of its jobs; null: nothing */
  readonly ci: CiJobNames | null;
}

/** @param root of the work tree, absolute */
export async function namedIn(root: string): Promise<Named> {
  const { workflows } = await readWorkflows(root);
  const steps = stepsOf(workflows);
  const said = (...names: readonly string[]): readonly string[] => {
    const values = steps.flatMap(({ inputs }) => names.map((name) => inputs[name]));
    return [...new Set(values.flatMap((value) => (String(value).includes("${{") ? [] : wordsIn(value))))];
  };
  const ci = jobsOf(workflows, said("ci-workflow"));
  return { people: said("reviewers", "notify"), bases: said("base"), ci };
}

/** The names of all jobs of these files; null: there are no files. */
function jobsOf(workflows: Workflows, files: readonly string[]): CiJobNames | null {
  const names = files.map((file) => jobNamesIn(workflows.get(file)));
  const known = names.filter((some) => some !== null);
  const all = known.length < files.length ? null : new Set(known.flatMap((some) => [...some]));
  return files.length === 0 ? null : { file: files.join(", "), names: all };
}

const UNREADABLE = {
  right: "missing",
  why: "it cannot be read as a workflow",
  next: "Look at it on the repository's page Actions.",
} as const;

function lackOf(subject: string, need: Need, step: LoopStep): readonly Finding[] {
  if (!need.isNeeded(step) || need.isThere(step)) return [];
  const { why, permission = null } = need;
  const line = oneLine(typeof need.line === "string" ? need.line : need.line(step));
  if (need.isPerhaps === true) {
    return [
      { ...finding(subject, { right: "unknown", because: "untold", why: `${why}: add ${line}` }), blocks: false },
    ];
  }
  const next = permission === null ? `Add ${line}` : "";
  return [{ subject, right: { right: "missing", why, next }, permission, blocks: false }];
}

function sameCure(one: Finding, other: Finding): boolean {
  if (one.subject !== other.subject) return false;
  if (one.permission !== null) return one.permission === other.permission;
  return JSON.stringify(one.right) === JSON.stringify(other.right);
}

/** @param only the one that has to be ours; else nothing is parsed */
async function readWorkflows(
  root: string,
  only?: string,
): Promise<{ readonly ours: readonly string[]; readonly workflows: Workflows }> {
  const files = (await readdir(path.join(root, FOLDER)).catch(() => []))
    .filter((name) => /\.ya?ml$/u.test(name))
    .toSorted()
    .slice(0, MOST_FILES);
  const texts = await Promise.all(files.map(async (name) => textOf(path.join(root, FOLDER, name))));
  const named = files.filter((_, index) => isOurs(texts[index] ?? ""));
  const calling = files.filter((_, index) => named.some((file) => texts[index]?.includes(`/${file}`)));
  const ours = [...new Set([...named, ...calling])].filter((file) => only === undefined || file === only).toSorted();
  // Most repositories have none of ours, and nothing is loaded for them.
  if (ours.length === 0) return { ours, workflows: new Map() };
  const { parse } = await import("yaml");
  const read = (text: string): Workflow | undefined => {
    try {
      return Workflow.safeParse(parse(text, { logLevel: "error" }), { jitless: true }).data;
    } catch {
      return undefined;
    }
  };
  return { ours, workflows: new Map(files.map((file, index) => [file, read(texts[index] ?? "")])) };
}

function isOurs(text: string): boolean {
  return new RegExp(`uses:.*${OURS}`, "u").test(text);
}

async function textOf(file: string): Promise<string> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW).catch(() => null);
  if (handle === null) return "";
  try {
    const { size } = await handle.stat();
    return size > MOST_BYTES ? "" : await handle.readFile("utf8");
  } catch {
    return "";
  } finally {
    await handle.close();
  }
}

function stepsOf(workflows: Workflows): readonly LoopStep[] {
  const known = [...workflows].flatMap(([file, workflow]) => (workflow === undefined ? [] : [{ file, workflow }]));
  const own = known.flatMap(({ file, workflow }) =>
    Object.entries(workflow.jobs).flatMap(([jobId, job]) => {
      const called = workflows.get(/^\.\/\.github\/workflows\/(?<file>[^/]+)$/u.exec(job.uses ?? "")?.[1] ?? "");
      if (called === undefined) return stepsIn({ file, workflow, jobId, job });
      const caller = {
        permissions: job.permissions ?? workflow.permissions,
        concurrency: job.concurrency ?? workflow.concurrency,
      };
      return Object.entries(called.jobs).flatMap(([id, inner]) =>
        stepsIn({ file, workflow: called, jobId: id, job: inner, caller }),
      );
    }),
  );
  const all = new Map(known.map(({ file, workflow }) => [file, workflow]));
  const steps = own.map((step): LoopStep => ({ ...step, workflows: all, asked: new Set(step.events.keys()) }));
  // What a relay hears, the workflow that it starts is asked.
  return steps.map((step) => {
    const relays = steps.filter((other) => other.file !== step.file);
    const started = relays.filter((other) => relayTargets(other).includes(step.file));
    // For /smithers prd it starts a plan, which is asked for nothing else.
    const heard = relays.filter((other) => relayTargets(other)[0] === step.file);
    const asked = new Set([...step.asked, ...heard.flatMap(({ events }) => [...events.keys()])]);
    const isAskedForPrd = steps.some(
      (other) => other.events.has("issue_comment") && relayTargets(other)[1] === step.file,
    );
    return { ...step, asked, isAskedForPrd, isStarted: started.length > 0 };
  });
}

type InFile = Pick<LoopStep, "file" | "workflow" | "jobId" | "job"> & Partial<Pick<LoopStep, "caller">>;

function stepsIn({
  file,
  workflow,
  jobId,
  job,
  caller = {},
}: InFile): readonly Omit<LoopStep, "workflows" | "asked">[] {
  return job.steps
    .filter(({ uses = "" }) => uses.startsWith(OURS))
    .map((step) => {
      const env = [workflow.env, job.env, step.env];
      const inputs = { ...Object.assign({}, ...env.map(settingsIn)), ...step.with };
      const uses = step.uses ?? "";
      return {
        file,
        workflow,
        jobId,
        job,
        caller,
        inputs,
        uses,
        env: Object.assign({}, ...env),
        events: eventsOf(workflow.on),
        isStarted: false,
        isAskedForPrd: false,
      };
    });
}

/** Settings can be said by the environment as well, of workflow, job or step. */
function settingsIn(env: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const ours = Object.entries(env).filter(([name]) => name.startsWith("SMITHERS_"));
  return Object.fromEntries(
    ours.map(([name, value]) => [name.slice("SMITHERS_".length).toLowerCase().replaceAll("_", "-"), value]),
  );
}

/** A text, a list or a mapping: all three name events; each with its types, where it has some. */
function eventsOf(on: unknown): LoopStep["events"] {
  if (typeof on === "string") return new Map([[on, undefined]]);
  if (Array.isArray(on)) return new Map(on.map((event) => [String(event), undefined]));
  const entries = typeof on === "object" && on !== null ? Object.entries(on) : [];
  return new Map(entries.map(([event, said]: [string, unknown]) => [event, typesIn(said)]));
}

function typesIn(said: unknown): readonly string[] | undefined {
  const types = typeof said === "object" && said !== null && "types" in said ? said.types : undefined;
  return types === undefined ? undefined : wordsIn(types);
}
