import { constants } from "node:fs";
import { open, readdir } from "node:fs/promises";
import path from "node:path";
import { finding } from "../../agents/agent.ts";
import { type CiJobNames, jobNamesIn } from "../../core/policy/mirror.ts";
import { oneLine } from "../../views/plain-text.ts";
import type { Finding } from "../../views/gaps.ts";
import { type Need, NEEDS } from "./needs.ts";
import {
  calledBy,
  hasPlan,
  is,
  type Kind,
  type LoopStep,
  type PlacedJob,
  relayTargets,
  wordsIn,
  Workflow,
} from "./step.ts";

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
  const read = await readWorkflows(root, running?.file);
  const { ours, workflows } = read;
  const steps = stepsOf(read).filter(({ file }) => ours.includes(file));
  const asking = steps.filter(({ jobId }) => jobId === running?.job);
  const own = running === undefined ? steps : steps.filter((step) => asking.includes(step) || isBehind(step, asking));
  const needs = NEEDS.filter((need) => running === undefined || need.before === "file");
  const lacks = own.flatMap((step) => {
    const job = running === undefined || asking.includes(step) ? "" : `, its job ${oneLine(step.jobId)}`;
    return needs.flatMap((need) => lacksOf(need, step, job));
  });
  const distinct = lacks.filter((lack, index) => lacks.findIndex((other) => sameCure(lack, other)) === index);
  if (running !== undefined) return distinct.map(({ finding: lack }) => lack);
  return ours.flatMap((file) => {
    if (workflows.get(file) === undefined) return [finding(called(file), UNREADABLE)];
    const inFile = distinct.filter((lack) => lack.file === file).map(({ finding: lack }) => lack);
    return inFile.length > 0 ? inFile : [finding(called(file), { right: "there" })];
  });
}

function called(file: string): string {
  return `the workflow ${oneLine(file)}`;
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
  const read = await readWorkflows(root);
  const { workflows } = read;
  const steps = stepsOf(read);
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

/** What a file lacks. */
interface Lack {
  readonly file: string;
  readonly finding: Finding;
}

/** @param job what follows the file's name where the step is of a job behind the one that asks */
function lacksOf(need: Need, step: LoopStep, job: string): readonly Lack[] {
  if (!need.isNeeded(step) || need.isThere(step)) return [];
  const { why, permission = null, files = () => [step.at] } = need;
  const line = oneLine(typeof need.line === "string" ? need.line : need.line(step));
  return files(step).map((file) => {
    const subject = called(file) + job;
    if (need.isPerhaps === true) {
      const open = { right: "unknown", because: "untold", why: `${why}: add ${line}` } as const;
      return { file, finding: { ...finding(subject, open), blocks: false } };
    }
    const next = permission === null ? `Add ${line}` : "";
    return { file, finding: { subject, right: { right: "missing", why, next }, permission, blocks: false } };
  });
}

function sameCure({ finding: one }: Lack, { finding: other }: Lack): boolean {
  if (one.subject !== other.subject) return false;
  if (one.permission !== null) return one.permission === other.permission;
  return JSON.stringify(one.right) === JSON.stringify(other.right);
}

interface Read {
  /** the files that are asked about, of those that lead to a step of ours */
  readonly ours: readonly string[];
  /** all files with such a step, or that call one with it */
  readonly leading: ReadonlySet<string>;
  readonly workflows: Workflows;
}

/** @param only the one that has to be ours; else nothing is parsed */
async function readWorkflows(root: string, only?: string): Promise<Read> {
  const files = (await readdir(path.join(root, FOLDER)).catch(() => []))
    .filter((name) => /\.ya?ml$/u.test(name))
    .toSorted()
    .slice(0, MOST_FILES);
  const texts = await Promise.all(files.map(async (name) => textOf(path.join(root, FOLDER, name))));
  const named = files.filter((_, index) => isOurs(texts[index] ?? ""));
  const calls = new Map(files.map((file, index) => [file, calledIn(texts[index] ?? "")]));
  const leading = new Set(named);
  // Grows while it is gone through: what calls a caller comes behind it.
  for (const file of leading) for (const [other, those] of calls) if (those.has(file)) leading.add(other);
  const ours = [...leading].filter((file) => only === undefined || file === only).toSorted();
  // Most repositories have none of ours, and nothing is loaded for them.
  if (ours.length === 0) return { ours, leading, workflows: new Map() };
  const { parse } = await import("yaml");
  const read = (text: string): Workflow | undefined => {
    try {
      return Workflow.safeParse(parse(text, { logLevel: "error" }), { jitless: true }).data;
    } catch {
      return undefined;
    }
  };
  return { ours, leading, workflows: new Map(files.map((file, index) => [file, read(texts[index] ?? "")])) };
}

function isOurs(text: string): boolean {
  return new RegExp(`uses:.*${OURS}`, "u").test(text);
}

/** The files of the same repository that a workflow names as a call does. */
function calledIn(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(/\.\/\.github\/workflows\/([\w.-]+)/gu)].map(([, file = ""]) => file));
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

/** GitHub refuses workflows that are called through more of them. */
const DEEPEST = 10;
/** Of steps and calls together: the files are anybody's, and those that call each other are soon many. */
const MOST_STEPS = 1_000;

function stepsOf({ leading, workflows }: Read): readonly LoopStep[] {
  const known = [...workflows].flatMap(([file, workflow]) => (workflow === undefined ? [] : [{ file, workflow }]));
  const isCalled = new Set(known.flatMap(({ workflow }) => Object.values(workflow.jobs).map((job) => calledBy(job))));
  let left = MOST_STEPS;
  const within = (file: string, workflow: Workflow, callers: readonly PlacedJob[]): readonly FoundStep[] =>
    Object.entries(workflow.jobs).flatMap(([jobId, job]) => {
      const next = calledBy(job);
      const inner = workflows.get(next);
      if (left <= 0) return [];
      if (inner === undefined) {
        const found = stepsIn({ callers, file, workflow, jobId, job }).slice(0, left);
        left -= found.length;
        return found;
      }
      if (!leading.has(next) || callers.length >= DEEPEST) return [];
      left -= 1;
      return within(next, inner, [...callers, { file, workflow, job }]);
    });
  const own = known.flatMap(({ file, workflow }) => {
    // What only others start is looked at where they call it: they wait, and they give it what it may do.
    const isPart = isCalled.has(file) && [...eventsOf(workflow.on).keys()].every((event) => event === "workflow_call");
    return isPart ? [] : within(file, workflow, []);
  });
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

type FoundStep = Omit<LoopStep, "workflows" | "asked">;

function stepsIn({
  callers,
  file: at,
  workflow,
  jobId,
  job,
}: PlacedJob & Pick<LoopStep, "callers" | "jobId">): readonly FoundStep[] {
  const { file, workflow: first } = callers[0] ?? { file: at, workflow };
  return job.steps
    .filter(({ uses = "" }) => uses.startsWith(OURS))
    .map((step) => {
      const env = [workflow.env, job.env, step.env];
      const inputs = { ...Object.assign({}, ...env.map(settingsIn)), ...step.with };
      return {
        ...{ file, callers, at, workflow, jobId, job, inputs },
        uses: step.uses ?? "",
        env: Object.assign({}, ...env),
        events: eventsOf(first.on),
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
