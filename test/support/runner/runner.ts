import { randomUUID } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { tempFolder } from "../temp-folder.ts";
import { type ActionMetadata, type Expressions, inputEnvironment, readAction } from "./action-metadata.ts";
import { type GithubContext, githubContext, machineEnvironment, type RunnerFolders, runnerFolders } from "./context.ts";
import { killLeftOvers, leftOvers } from "./left-overs.ts";
import { type Ladder, RUNNER_LADDER } from "./stage.ts";
import { masked, runStep, type Stage } from "./step.ts";
import type { UserOfTheRunner } from "./user.ts";

const MAJOR = "v24.";
const TIMEOUT_MS = 120_000;
const GOING_MS = 1_000;

export interface RunnerOptions {
  /** the folder of the action */
  readonly actionDir: string;
  /** `GITHUB_WORKSPACE`: what the step before has checked out */
  readonly workspace: string;
  /** instead of the folder's `action.yml` */
  readonly action?: ActionMetadata;
  /** shorter times, for tests that do not measure them */
  readonly ladder?: Partial<Ladder>;
  /** whom its stages run as; the tests' own user, unless said */
  readonly user?: UserOfTheRunner;
}

export interface JobRequest {
  /** `with:` */
  readonly inputs?: Readonly<Record<string, string>>;
  /** `env:` and what the services need */
  readonly env?: Readonly<Record<string, string>>;
  /** what the log never shows, as the secrets of a repository */
  readonly secrets?: readonly string[];
  readonly event?: { readonly name: string; readonly payload: unknown };
  readonly github?: GithubContext;
  /** what expressions in the action's defaults stand for: `github.token` */
  readonly expressions?: Expressions;
  /** a person cancels the job as soon as main's log so far is like this */
  readonly cancelWhen?: (log: string) => boolean;
  /** the machine is gone as soon as main's log so far is like this: everything is killed, and post never runs */
  readonly vanishWhen?: (log: string) => boolean;
  /** how often post runs; 1 */
  readonly posts?: number;
  /** after post, before the runner empties its temp folder */
  readonly afterwards?: (temp: string) => Promise<void>;
  /** of each stage, in milliseconds; 50 seconds */
  readonly timeoutMs?: number;
  /** true: the stages run from the sources in this process, see `runStageInProcess`; nobody can cancel them */
  readonly inProcess?: true;
}

export interface Job {
  /** `vanished`: nobody is left to tell */
  readonly conclusion: "success" | "failure" | "cancelled" | "vanished";
  /** what people see: both stages, secrets masked */
  readonly log: string;
  readonly main: Stage;
  /** [] when the machine vanished or the action has no post */
  readonly posts: readonly Stage[];
  readonly outputs: Readonly<Record<string, string>>;
  readonly runId: string;
}

export interface Runner extends AsyncDisposable {
  readonly folders: RunnerFolders;
  /** @throws Error when a stage takes too long, and when a process is left after post */
  run(request?: JobRequest): Promise<Job>;
}

/** A machine that runs the action as the GitHub runner does. One job at a time. */
export async function createRunner(options: RunnerOptions): Promise<Runner> {
  if (!process.version.startsWith(MAJOR)) {
    throw new Error(`The runner has Node ${MAJOR}x and this is ${process.version}: put node_modules/.bin before PATH.`);
  }
  const ladder = shorter(options.ladder ?? {});
  const root = await tempFolder("runner-");
  const folders = runnerFolders(root.path, options.workspace);
  const action = options.action ?? (await readAction(options.actionDir));
  await mkdir(folders.home, { recursive: true });
  await mkdir(folders.toolCache, { recursive: true });
  const trackingId = `github_${randomUUID()}`;
  return {
    folders,
    run: (request = {}) => runJob({ ...options, user: options.user, action, ladder, folders, trackingId }, request),
    async [Symbol.asyncDispose]() {
      await killLeftOvers(trackingId, folders);
      await root[Symbol.asyncDispose]();
    },
  };
}

/** Tests may hurry, but not be more patient than the runner. */
function shorter(wanted: Partial<Ladder>): Ladder {
  const least = (name: keyof Ladder): number => Math.min(wanted[name] ?? Infinity, RUNNER_LADDER[name]);
  return { interruptMs: least("interruptMs"), terminateMs: least("terminateMs"), streamsMs: least("streamsMs") };
}

interface Machine {
  readonly actionDir: string;
  readonly action: ActionMetadata;
  readonly ladder: Ladder;
  readonly folders: RunnerFolders;
  readonly trackingId: string;
  readonly user: UserOfTheRunner | undefined;
}

async function runJob(machine: Machine, request: JobRequest): Promise<Job> {
  const { action, folders, trackingId } = machine;
  await emptyTemp(folders.temp);
  const env = await jobEnvironment(machine, request);
  const runId = env["GITHUB_RUN_ID"] ?? "";
  const end = (log: string): "cancel" | "vanish" | undefined => {
    if (request.vanishWhen?.(log) === true) return "vanish";
    return request.cancelWhen?.(log) === true ? "cancel" : undefined;
  };
  const masks = new Set(request.secrets);
  const inProcess = request.inProcess ?? false;
  if (inProcess && (request.cancelWhen ?? request.vanishWhen) !== undefined) throw new Error("It cannot be cancelled.");
  const shared = { ...machine, masks, inProcess, timeoutMs: request.timeoutMs ?? TIMEOUT_MS };
  const main = await runStep({ ...shared, script: action.runs.main, env, endWhen: end });
  if (main.ended === "vanished") {
    await killLeftOvers(trackingId, folders);
    return { conclusion: "vanished", log: masked(main.log, masks), main, posts: [], outputs: {}, runId };
  }
  const posts: Stage[] = [];
  let { state } = main;
  for (let left = action.runs.post === undefined ? 0 : (request.posts ?? 1); left > 0; left -= 1) {
    const saved = Object.fromEntries(Object.entries(state).map(([name, value]) => [`STATE_${name}`, value]));
    const script = action.runs.post ?? "";
    const added = [...main.path.toReversed(), env["PATH"]].join(path.delimiter);
    const postEnv = { ...env, ...main.env, PATH: added, ...saved };
    const post = await runStep({ ...shared, script, env: postEnv, endWhen: () => undefined });
    posts.push(post);
    state = { ...state, ...post.state };
  }
  await refuseLeftOvers(machine);
  await request.afterwards?.(folders.temp);
  await emptyTemp(folders.temp);
  const stages = [main, ...posts];
  const log = masked(stages.map((stage) => stage.log).join(""), masks);
  const failed = stages.some(({ result }) => result === "failure");
  const conclusion = main.result === "cancelled" ? "cancelled" : failed ? "failure" : "success";
  return { conclusion, log, main, posts, outputs: main.outputs, runId };
}

async function emptyTemp(temp: string): Promise<void> {
  await rm(temp, { recursive: true, force: true });
  await mkdir(temp, { recursive: true });
}

async function jobEnvironment(machine: Machine, request: JobRequest): Promise<Record<string, string>> {
  const { folders, trackingId, action, actionDir } = machine;
  const eventPath = path.join(folders.temp, "_github_workflow", "event.json");
  await mkdir(path.dirname(eventPath), { recursive: true });
  await writeFile(eventPath, JSON.stringify(request.event?.payload ?? {}));
  return {
    ...machineEnvironment(folders, trackingId),
    ...request.env,
    ...githubContext({
      workspace: folders.workspace,
      action_path: actionDir,
      event_path: eventPath,
      ...(request.event === undefined ? {} : { event_name: request.event.name }),
      ...request.github,
    }),
    ...inputEnvironment(action, request.inputs ?? {}, request.expressions ?? {}),
  };
}

/** The real runner would kill them; in a test they are a fault of the action. */
async function refuseLeftOvers({ trackingId, folders }: Machine): Promise<void> {
  let found = leftOvers(trackingId, folders);
  // What has just been killed takes a moment to go.
  for (const until = Date.now() + GOING_MS; found.length > 0 && Date.now() < until; await sleep(20)) {
    found = leftOvers(trackingId, folders);
  }
  if (found.length === 0) return;
  await killLeftOvers(trackingId, folders);
  throw new Error(`Left after post: ${found.map(({ pid, command }) => `${pid} ${command}`).join("; ")}`);
}
