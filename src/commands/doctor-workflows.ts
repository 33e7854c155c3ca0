import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { finding } from "../agents/agent.ts";
import type { Finding, Right } from "../views/gaps.ts";

const FOLDER = path.join(".github", "workflows");

/** More of a file is not read: people write shorter ones. */
const MOST_CHARACTERS = 200_000;

const Words = z.record(z.string(), z.unknown()).catch({});
const Step = z.looseObject({ uses: z.string().optional(), with: Words.default({}) });
const Job = z.looseObject({
  steps: z.array(Step).catch([]).default([]),
  permissions: z.unknown().optional(),
  concurrency: z.unknown().optional(),
});
const Workflow = z.looseObject({
  on: z.unknown().optional(),
  permissions: z.unknown().optional(),
  concurrency: z.unknown().optional(),
  jobs: z.record(z.string(), Job),
});
type Workflow = z.output<typeof Workflow>;

/** A step of ours in a workflow's file, with all that decides what it needs. */
interface LoopStep {
  readonly workflow: Workflow;
  readonly job: z.output<typeof Job>;
  readonly inputs: z.output<typeof Words>;
  /** the events that start the workflow */
  readonly events: ReadonlySet<string>;
}

/** Something that a step of ours needs in its workflow. */
interface Need {
  /** what does not work without it, as in `answer on issues` */
  readonly why: string;
  /** the line to add, as it stands in the file */
  readonly line: string;
  readonly isNeeded: (step: LoopStep) => boolean;
  readonly isThere: (step: LoopStep) => boolean;
}

/** Events that anybody can cause, which a step takes as its relay's. */
const RELAYED = ["issue_comment", "pull_request", "workflow_run"];

function isRelay({ inputs, events }: LoopStep): boolean {
  return inputs["job"] === "relay" || (inputs["job"] === undefined && RELAYED.some((event) => events.has(event)));
}

function runsLoop({ inputs }: LoopStep): boolean {
  return inputs["job"] === undefined || inputs["job"] === "loop";
}

/** What a plan has given out, its ledger keeps apart. */
function hasPlan({ workflow }: LoopStep): boolean {
  return Object.values(workflow.jobs).some(({ steps }) => steps.some((step) => step.with["job"] === "plan"));
}

function publishes(step: LoopStep): boolean {
  return runsLoop(step) && step.inputs["pull-request"] !== "never";
}

function permission(scope: string, level: "read" | "write", why: string, isNeeded: Need["isNeeded"]): Need {
  const line = `permissions: ${scope}: ${level}`;
  return { why, line, isNeeded, isThere: (step) => grants(step, scope, level) };
}

/** Where nothing is said of permissions, the repository's settings decide. */
function grants({ workflow, job }: LoopStep, scope: string, level: "read" | "write"): boolean {
  const given = job.permissions ?? workflow.permissions;
  if (given === undefined || given === null || given === "write-all") return true;
  if (given === "read-all") return level === "read";
  const granted = Words.parse(given)[scope];
  return granted === "write" || granted === level;
}

function wordOf({ inputs }: LoopStep, name: string): string {
  const said = inputs[name];
  return typeof said === "string" ? said : "";
}

const NEEDS: readonly Need[] = [
  permission("contents", "write", "the branch cannot be pushed, nor the loop kept", publishes),
  permission("pull-requests", "write", "there is no pull request, no comment and no answer", (step) => {
    return publishes(step) || isRelay(step);
  }),
  permission("statuses", "write", "the commit status smithers/loop is missing", publishes),
  permission("issues", "write", "the labels cannot be made at a HARD STOP", (step) => {
    return publishes(step) && step.inputs["todo-file"] !== undefined;
  }),
  permission("issues", "write", "a command on an issue gets no answer", (step) => {
    return isRelay(step) && step.events.has("issue_comment");
  }),
  permission("actions", "write", "the relay cannot start the run that works", isRelay),
  permission(
    "actions",
    "write",
    "the loop cannot start its next run",
    ({ inputs }) => inputs["self-continue"] === "auto",
  ),
  permission("actions", "write", "ci-workflow cannot be run", ({ inputs }) => inputs["ci-workflow"] !== undefined),
  {
    why: "protected-paths opens workflow files, which the job's own token can never push",
    line: "with: github-token: a token of a GitHub App, or a fine-grained one, with “Workflows: read and write”",
    isNeeded: (step) =>
      publishes(step) && /!\s*\.github(?:\/workflows)?(?:\/|\b)/u.test(wordOf(step, "protected-paths")),
    isThere: ({ inputs }) => inputs["github-token"] !== undefined || inputs["app-id"] !== undefined,
  },
  {
    why: "work that GitHub does not take is kept by nothing in a public repository",
    line: "with: carriers: ref, artifact, cache",
    isNeeded: (step) => publishes(step) && step.inputs["carriers"] !== undefined && step.inputs["carriers"] !== "none",
    isThere: (step) => step.inputs["state-key"] !== undefined || /artifact/u.test(wordOf(step, "carriers")),
  },
  {
    why: "the relay and self-continue start it by this input",
    line: 'on: workflow_dispatch: { inputs: { smithers: { type: string, default: "" } } }',
    isNeeded: (step) => runsLoop(step) && (isRelay(step) || step.inputs["self-continue"] === "auto"),
    isThere: ({ workflow }) => "smithers" in wordsAt(workflow.on, "workflow_dispatch", "inputs"),
  },
  {
    why: "two runs of one loop would work at once",
    line: "concurrency: { group: smithers, queue: max }",
    isNeeded: (step) => runsLoop(step) && !hasPlan(step),
    isThere: (step) => concurrencyOf(step) !== undefined,
  },
  {
    why: "GitHub silently drops a run that waits when the next one comes",
    line: "concurrency: queue: max",
    isNeeded: (step) => runsLoop(step) && typeof concurrencyOf(step) === "object" && !cancels(step),
    isThere: (step) => Words.parse(concurrencyOf(step))["queue"] === "max",
  },
  {
    why: "a newer run would kill the loop in the middle of its turn",
    line: "concurrency: cancel-in-progress: false",
    isNeeded: runsLoop,
    isThere: (step) => !cancels(step),
  },
];

function concurrencyOf({ workflow, job }: LoopStep): unknown {
  const said = job.concurrency ?? workflow.concurrency ?? undefined;
  return typeof said === "string" ? { group: said } : said;
}

function cancels(step: LoopStep): boolean {
  return Words.parse(concurrencyOf(step))["cancel-in-progress"] === true;
}

function wordsAt(value: unknown, ...keys: readonly string[]): Readonly<Record<string, unknown>> {
  return keys.reduce((words, key) => Words.parse(words[key]), Words.parse(value));
}

/** A text, a list or a mapping: all three name events. */
function eventsOf(on: unknown): ReadonlySet<string> {
  if (typeof on === "string") return new Set([on]);
  return new Set(Array.isArray(on) ? on.map(String) : Object.keys(Words.parse(on)));
}

/**
 * What the workflows of a repository that run a loop lack, each with the line to add. Reads only, and runs nothing of
 * them; a file that is no workflow is none.
 *
 * @param root of the work tree
 */
export async function workflowFindings(root: string): Promise<readonly Finding[]> {
  const files = await readdir(path.join(root, FOLDER)).catch(() => []);
  const found: Finding[] = [];
  for (const file of files.filter((name) => /\.ya?ml$/u.test(name)).toSorted()) {
    const text = await readFile(path.join(root, FOLDER, file), "utf8").catch(() => "");
    // Most repositories have none of ours, and nothing is loaded for them.
    if (text.length <= MOST_CHARACTERS && /uses:.*smithers\/loop@/u.test(text))
      found.push(...(await lacksOf(file, text)));
  }
  return found;
}

async function lacksOf(file: string, text: string): Promise<readonly Finding[]> {
  const subject = `the workflow ${file}`;
  const { parse } = await import("yaml");
  const workflow = Workflow.safeParse(readable(() => parse(text)));
  if (!workflow.success) {
    const why = "it cannot be read as a workflow";
    return [finding(subject, { right: "missing", why, next: "Look at it on the repository's page Actions." })];
  }
  const lacks = stepsOf(workflow.data).flatMap((step) =>
    NEEDS.filter((need) => need.isNeeded(step) && !need.isThere(step)),
  );
  const lines = lacks.filter(({ line }, index) => lacks.findIndex((other) => other.line === line) === index);
  if (lines.length === 0) return [finding(subject, { right: "there" })];
  return lines.map(({ why, line }) => finding(subject, { right: "missing", why, next: `Add ${line}` } satisfies Right));
}

function readable(read: () => unknown): unknown {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function stepsOf(workflow: Workflow): readonly LoopStep[] {
  const events = eventsOf(workflow.on);
  return Object.values(workflow.jobs).flatMap((job) =>
    job.steps
      .filter(({ uses = "" }) => uses.startsWith("smithers/loop@"))
      .map((step): LoopStep => ({ workflow, job, inputs: step.with, events })),
  );
}
