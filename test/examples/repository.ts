import { writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { type Ci, type CiJob, startCi } from "../support/ci/ci.ts";
import type { Turns } from "../support/ci/scripted-task.ts";
import type { Dispatch, Token } from "../support/github-api/server.ts";
import type { Script } from "../support/model-server.ts";
import { dispatchEvent, type Event } from "../support/github-api/webhooks.ts";
import type { Job } from "../support/runner/runner.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { type Contexts, filled, holds, valueOf } from "./expressions.ts";
import { type JobOfFile, readExample, type StepOfFile, triggerOf, type WorkflowFile } from "./workflow-file.ts";

/** A job that an example has run. */
interface Ran extends Job {
  /** the workflow's file, as in `relay.yml` */
  readonly file: string;
  /** the lines of its log that tell of a permission which it had not */
  readonly lacks: readonly string[];
}

/** A repository on GitHub with examples for workflows, whose agent is Codex. */
export interface CodexRepository extends AsyncDisposable {
  readonly ci: Ci;
  /**
   * Something happens: every workflow that listens to it runs, then every one that those have started, and so on.
   *
   * @returns what has run, in this order
   */
  happens(event: Event, how?: How): Promise<readonly Ran[]>;
}

/** The same with an agent that follows a script. */
export interface ExampleRepository extends CodexRepository {
  /** From now on the agent has these turns: one that begins anew begins with the first. */
  follows(turns: Turns): Promise<void>;
}

/** What is not as an example says. */
interface How {
  /** inputs that are added to those of the first runs */
  readonly inputs?: Readonly<Record<string, string>>;
  /** a permission that the jobs of the first runs are not given */
  readonly without?: string;
  readonly vanishWhen?: CiJob["vanishWhen"];
}

const CHECK = { scripts: { test: "test -f done.txt" } };
const SECRETS = { OPENAI_API_KEY: "sk-secret-key" };
const LOGIN = "github-actions[bot]";
const OURS = "smithers/loop@v1";

/** @param turns of the agent, which is scripted in place of the paid one; `npm test` asks for `done.txt` */
export async function repositoryWith(
  names: readonly string[],
  turns: Turns,
  files: Readonly<Record<string, string>> = {},
): Promise<ExampleRepository> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await tempFolder("agent-"));
  const script = path.join(folder.path, "agent.json");
  const follows = async (next: Turns): Promise<void> => writeFile(script, JSON.stringify({ turns: next }));
  await follows(turns);
  const repository = stack.use(await examplesIn({ names, files, agent: { provider: "scripted", script } }));
  const owned = stack.move();
  return { ...repository, follows, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/**
 * @param says what the model answers to Codex, which is the published program
 * @param inputs that the workflows' jobs with an agent have besides their own
 */
export async function repositoryWithCodex(
  names: readonly string[],
  says: Script,
  { files = {}, inputs = {} }: Partial<Record<"files" | "inputs", Readonly<Record<string, string>>>> = {},
): Promise<CodexRepository> {
  return examplesIn({ names, files, agent: inputs, script: says });
}

interface Setting {
  readonly names: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  /** inputs of the jobs with an agent */
  readonly agent: Readonly<Record<string, string>>;
  readonly script?: Script;
}

async function examplesIn({ names, files, agent, script }: Setting): Promise<CodexRepository> {
  await using stack = new AsyncDisposableStack();
  const workflows = await Promise.all(names.map(readExample));
  const listed = workflows.map((workflow) => [workflow.path, workflow.text] as const);
  const all = { "package.json": JSON.stringify(CHECK), ...Object.fromEntries(listed), ...files };
  const ci = stack.use(await startCi({ files: all, ...(script === undefined ? {} : { script }) }));
  const empty = stack.use(await tempFolder("empty-"));
  ci.api.world.workflows.length = 0;
  for (const workflow of workflows) {
    const inputs = Object.keys(triggerOf(workflow, "workflow_dispatch")?.inputs ?? {});
    if ("workflow_dispatch" in workflow.on) ci.api.world.workflows.push({ path: workflow.path, inputs });
  }
  const repository = new Repository(ci, workflows, agent, empty.path);
  const owned = stack.move();
  return {
    ci,
    happens: (event, how = {}) => repository.happens(event, how),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** A job to be run, with all that its expressions can name. */
interface Wanted {
  readonly workflow: WorkflowFile;
  readonly key: string;
  readonly job: JobOfFile;
  readonly permissions: Token["permissions"];
  readonly contexts: Contexts;
  readonly event: Event;
  readonly dispatch: Dispatch | undefined;
  /** of the workflow's run, where a job of it has run already */
  readonly runId: string | undefined;
  readonly how: How;
}

/** What a job leaves for those that need it. */
interface Needed {
  readonly result: "success" | "failure" | "skipped";
  readonly outputs: Readonly<Record<string, string>>;
}

const SKIPPED: Needed = { result: "skipped", outputs: {} };

function isGreen({ result }: Needed): boolean {
  return result === "success";
}

/** Further contexts of each leg of a job's matrix; of a job without one, none. */
function legsOf({ strategy }: JobOfFile, contexts: Contexts): readonly Contexts[] {
  if (strategy === undefined) return [{}];
  const Matrix = z.object({ include: z.array(z.record(z.string(), z.string())).min(1) });
  return Matrix.parse(valueOf(strategy.matrix, contexts)).include.map((matrix) => ({ matrix }));
}

class Repository {
  readonly #ci: Ci;
  readonly #workflows: readonly WorkflowFile[];
  readonly #agent: Readonly<Record<string, string>>;
  readonly #empty: string;

  constructor(ci: Ci, workflows: readonly WorkflowFile[], agent: Readonly<Record<string, string>>, empty: string) {
    this.#ci = ci;
    this.#workflows = workflows;
    this.#agent = agent;
    this.#empty = empty;
  }

  async happens(event: Event, how: How): Promise<readonly Ran[]> {
    const { world } = this.#ci.api;
    const known = world.dispatches.length;
    const ran: Ran[] = [];
    for (const workflow of this.#workflows) {
      if (listens(workflow, event)) ran.push(...(await this.#start(workflow, event, how)));
    }
    for (let next = known; next < world.dispatches.length; next += 1) {
      const dispatch = world.dispatches[next];
      const workflow = this.#workflows.find((one) => one.path === dispatch?.workflow);
      // What is not an example is the repository's own CI: `onDispatch` says what becomes of it.
      if (workflow === undefined && world.workflows.some(({ path }) => path === dispatch?.workflow)) continue;
      if (dispatch === undefined || workflow === undefined) throw new Error("nobody can be started so");
      ran.push(...(await this.#start(workflow, dispatchEvent(world, dispatch), {}, dispatch)));
    }
    return ran;
  }

  async #start(workflow: WorkflowFile, happened: Event, how: How, dispatch?: Dispatch): Promise<readonly Ran[]> {
    const ran: Ran[] = [];
    const plain = this.#contexts(workflow, happened);
    // GitHub puts the defaults into the event as well.
    const isAsked = happened.name === "workflow_dispatch";
    const payload = isAsked ? { ...Object(happened.payload), inputs: plain["inputs"] } : happened.payload;
    const event: Event = { ...happened, payload };
    const all: Record<string, Needed> = {};
    for (const [key, job] of Object.entries(workflow.jobs)) {
      const needs = Object.fromEntries(job.needs.map((name) => [name, all[name] ?? SKIPPED]));
      const contexts = job.needs.length === 0 ? plain : { ...plain, needs };
      const isDue = (job.if ?? "").includes("always()") || Object.values(needs).every(isGreen);
      if (!isDue || !holds(job.if, contexts)) continue;
      const legs: Ran[] = [];
      for (const more of legsOf(job, contexts)) {
        const { permissions = workflow.permissions } = job;
        const runId = (ran[0] ?? legs[0])?.runId;
        const wanted = {
          workflow,
          key,
          job,
          permissions,
          contexts: { ...contexts, ...more },
          event,
          dispatch,
          how,
          runId,
        };
        legs.push(await (job.uses === undefined ? this.#run(wanted) : this.#call(wanted, job.uses)));
      }
      const steps = Object.fromEntries(job.steps.map(({ id }) => [id ?? "", { outputs: legs.at(-1)?.outputs ?? {} }]));
      const outputs = Object.entries(job.outputs).map(([name, text]) => [name, filled(text, { steps })]);
      const isSuccess = legs.every(({ conclusion }) => conclusion === "success");
      all[key] = { result: isSuccess ? "success" : "failure", outputs: Object.fromEntries(outputs) };
      ran.push(...legs);
    }
    return ran;
  }

  #contexts(workflow: WorkflowFile, { name, payload }: Event): Contexts {
    const declared = triggerOf(workflow, "workflow_dispatch")?.inputs ?? {};
    const defaults = Object.entries(declared).map(([input, { default: value = "" }]) => [input, value] as const);
    const given = z.object({ inputs: z.record(z.string(), z.string()).default({}) }).parse(payload);
    const github = { event: payload, event_name: name, repository: "o/r", run_id: 1 };
    const inputs = name === "workflow_dispatch" ? { ...Object.fromEntries(defaults), ...given.inputs } : {};
    return { github, inputs, secrets: SECRETS, vars: Object.fromEntries(this.#ci.api.world.variables) };
  }

  /** A job of a called workflow gets what is passed to it, and may do no more than the calling job. */
  async #call(caller: Wanted, uses: string): Promise<Ran> {
    const called = this.#workflows.find((one) => uses === `./${one.path}`);
    const [[key, job] = []] = Object.entries(called?.jobs ?? {});
    if (called === undefined || key === undefined || job === undefined) throw new Error(`there is no ${uses}`);
    const { permissions = called.permissions } = job;
    for (const [scope, level] of Object.entries(permissions)) {
      const most = caller.permissions[scope];
      if (most !== "write" && most !== level)
        throw new Error(`${uses} asks for ${scope}: ${level}, which is not given`);
    }
    const handed = (texts: Readonly<Record<string, string>>) =>
      Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, filled(text, caller.contexts)]));
    const contexts = { ...caller.contexts, inputs: handed(caller.job.with), secrets: handed(caller.job.secrets) };
    // What the runner calls the workflow is the caller.
    return this.#run({ ...caller, key, job, permissions, contexts });
  }

  async #run(wanted: Wanted): Promise<Ran> {
    const { workflow, key, job, permissions, contexts, event, dispatch, how, runId } = wanted;
    const { ci } = this;
    const steps = job.steps.filter((step) => holds(step.if, contexts));
    const step = steps.at(-1);
    if (step?.uses !== OURS) throw new Error(`the last step of ${workflow.file} is not ours`);
    const token = permissions["contents"] === "write" ? ci.remote.writeToken : ci.remote.readToken;
    ci.api.world.tokens.clear();
    const given = Object.entries(permissions).filter(([scope]) => scope !== how.without);
    ci.api.world.tokens.set(token, { login: LOGIN, permissions: Object.fromEntries(given) });
    await using machine = await ci.machine({ depth: 1 });
    const sha = await machine.git("rev-parse", "HEAD");
    const ref = filled(steps.find(isCheckout)?.with["ref"] ?? "", contexts);
    if (ref !== "") {
      await machine.git("fetch", "-q", "--depth=1", "origin", ref);
      await machine.git("checkout", "-q", "--detach", "FETCH_HEAD");
    }
    const texts = (of: Readonly<Record<string, string>>) =>
      Object.fromEntries(Object.entries(of).map(([name, text]) => [name, filled(text, contexts)]));
    const agent = ["relay", "publish", "plan", "land"].includes(step.with["job"] ?? "") ? {} : this.#agent;
    const done = await machine.run({
      inputs: { ...texts(step.with), ...agent, ...how.inputs },
      env: texts({ ...workflow.env, ...job.env, ...step.env }),
      secrets: [token, ...Object.values(SECRETS)],
      expressions: { "github.token": token },
      event,
      github: {
        ...whereabouts(event, workflow),
        sha,
        ...(dispatch === undefined ? {} : { run_id: String(dispatch.runId) }),
        ...(runId === undefined ? {} : { run_id: runId }),
        ...(steps.some(isCheckout) ? {} : { workspace: this.#empty }),
        job: key,
        action: step.id ?? "__smithers_loop",
      },
      ...(how.vanishWhen === undefined ? {} : { vanishWhen: how.vanishWhen }),
    });
    return {
      ...done,
      file: workflow.file,
      lacks: done.log.split("\n").filter((line) => line.includes("permissions:")),
    };
  }

  get ci(): Ci {
    return this.#ci;
  }
}

function listens(workflow: WorkflowFile, { name, payload }: Event): boolean {
  const trigger = triggerOf(workflow, name);
  if (trigger === undefined) return false;
  const Said = z.object({ action: z.string().default(""), workflow: z.unknown().optional() });
  const { action, workflow: other } = Said.parse(payload);
  if (trigger?.types?.includes(action) === false) return false;
  const named = z.object({ name: z.string() }).safeParse(other);
  if (name === "workflow_dispatch") return other === workflow.path;
  return trigger?.workflows === undefined || (named.success && trigger.workflows.includes(named.data.name));
}

function isCheckout({ uses = "" }: StepOfFile): boolean {
  return uses.startsWith("actions/checkout@");
}

/** What the runner says of an event and the workflow that it starts. */
function whereabouts({ name, payload }: Event, { path: file, name: workflow }: WorkflowFile): CiJob["github"] & object {
  const Said = z.object({ number: z.number().optional(), sender: z.object({ login: z.string() }).optional() });
  const { number, sender } = Said.parse(payload);
  // Of a review the payload names the pull request alone.
  const pull =
    number ?? z.object({ pull_request: z.object({ number: z.number() }) }).safeParse(payload).data?.pull_request.number;
  const merge = name.startsWith("pull_request") ? `pull/${pull}/merge` : "";
  return {
    ref: merge === "" ? "refs/heads/main" : `refs/${merge}`,
    ref_name: merge === "" ? "main" : merge.replace("pull/", ""),
    workflow,
    workflow_ref: `o/r/${file}@refs/heads/main`,
    ...(sender === undefined ? {} : { actor: sender.login, triggering_actor: sender.login }),
  };
}
