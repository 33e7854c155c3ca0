import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { codexConfig } from "../codex-home.ts";
import { gitHttp, type GitHttp } from "../git-http.ts";
import { gitRepository, headOf } from "../git-repository.ts";
import { aJob, anArtifact, aRun, aUser, startGithubApi, type GithubApi, type RunRow } from "../github-api/server.ts";
import { type ModelServer, type Script, startModelServer } from "../model-server.ts";
import { artifactHandlers } from "../results/github-handlers.ts";
import { type CacheScope, type ResultsService, startResultsService } from "../results/service.ts";
import { createRunner, type Job, type JobRequest, type Runner, type RunnerOptions } from "../runner/runner.ts";
import { tempFolder } from "../temp-folder.ts";

const program = promisify(execFile);

const ROOT = path.join(import.meta.dirname, "../../..");

/** The Action that is tested: the committed one, unless somebody names the folder of another. */
const ACTION = process.env["SMITHERS_ACTION_DIR"] ?? ROOT;

const CHECK_RUN = "77";

export interface CiOptions {
  /** the folder of the Action; the committed one, unless said */
  readonly actionDir?: string;
  /** the files of the repository's first commit */
  readonly files?: Record<string, string>;
  /** what the model says; without it the model is not there */
  readonly script?: Script;
  /** false: no job publishes its work unless its inputs say so, which saves the pauses between writes to GitHub */
  readonly publishes?: boolean;
  /** true: a loop travels by its git ref alone, unless a job's inputs say otherwise; the programs for cache and artifact cost time */
  readonly byRef?: true;
  /** whether others may read the repository */
  readonly private?: boolean;
  /** of its jobs; the same for every CI on this machine, unless said */
  readonly token?: string;
  /** of the job's token; all that the Action ever asks for, unless said */
  readonly permissions?: Readonly<Record<string, "read" | "write">>;
}

/** A job of the Action, apart from what every job has. */
export interface CiJob extends JobRequest {
  readonly attempt?: number;
  /** the caches that it may use; those of the default branch, to write, unless said */
  readonly scopes?: readonly CacheScope[];
  /** when the job began, in milliseconds since the epoch; now */
  readonly startedAt?: number;
}

/** One runner with a checkout. What a job leaves in the temp folder is gone after it, as on GitHub's machines. */
export interface CiMachine extends AsyncDisposable {
  readonly runner: Runner;
  /** the checkout */
  readonly workspace: string;
  /** Runs git in the checkout. */
  git(...args: string[]): Promise<string>;
  /** Runs the Action as the last step of a job. */
  run(job?: CiJob): Promise<Job>;
}

/** How a machine differs from the usual one. */
interface MachineOptions extends Pick<RunnerOptions, "ladder" | "user"> {
  /** of the checkout's history; all of it, unless said */
  readonly depth?: number;
}

/** A repository on GitHub, with the services around it, and as many machines as are wanted. */
export interface Ci extends AsyncDisposable {
  readonly remote: GitHttp;
  readonly api: GithubApi;
  readonly results: ResultsService;
  readonly model: ModelServer | undefined;
  /** An empty machine that has just checked out the branch, without credentials. */
  machine(options?: MachineOptions): Promise<CiMachine>;
  /** The commit of a loop's ref; "" when it does not exist. */
  refOf(loopId: string): Promise<string>;
}

/** Starts everything that a job of the Action meets on GitHub: real git, a real blob store, the API with its own judge. */
export async function startCi(options: CiOptions = {}): Promise<Ci> {
  await using stack = new AsyncDisposableStack();
  const remote = stack.use(await gitHttp());
  remote.writeToken = options.token ?? remote.writeToken;
  const model = options.script === undefined ? undefined : stack.use(await startModelServer(options.script));
  const seed = stack.use(await gitRepository(options.files));
  await seed.git("push", "-q", remote.folder, "main");
  let results: ResultsService | undefined;
  const needed = (): ResultsService => {
    if (results === undefined) throw new Error("The results service is not there yet.");
    return results;
  };
  const api = stack.use(
    await startGithubApi({
      repository: { owner: "o", name: "r", private: options.private ?? true },
      tokens: { [remote.writeToken]: { login: "github-actions[bot]", permissions: options.permissions ?? ALL } },
      git: remote,
      handlers: artifactHandlers(needed),
    }),
  );
  api.world.users.set("me", aUser({ login: "me" }));
  results = stack.use(
    await startResultsService({
      onArtifact: ({ id, run, name, isArchive }, zip) => {
        const { artifacts, pages } = api.world;
        (isArchive ? artifacts : pages).push(anArtifact({ id, runId: Number(run), name, zip, createdAt: new Date() }));
      },
    }),
  );
  const given: Readonly<Record<string, string>> = {
    ...(options.publishes === false ? { "pull-request": "never" } : {}),
    ...(options.byRef === true ? { carriers: "ref" } : {}),
  };
  const { actionDir = ACTION } = options;
  const ci = { remote, api, results: needed(), model, actionDir, given };
  const owned = stack.move();
  return {
    ...ci,
    machine: async (machine = {}) => createMachine(ci, machine),
    refOf: async (loopId) => remote.git("for-each-ref", "--format=%(objectname)", `refs/smithers-loops/${loopId}`),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const ALL = {
  actions: "write",
  checks: "read",
  contents: "write",
  issues: "write",
  "pull-requests": "write",
  statuses: "write",
} as const;

/** What the machines of a CI share. */
interface Grounds extends Pick<Ci, "remote" | "api" | "results" | "model"> {
  readonly actionDir: string;
  /** inputs of every job that does not say otherwise */
  readonly given: Readonly<Record<string, string>>;
}

async function createMachine(
  { remote, api, results, model, actionDir, given }: Grounds,
  { depth, ...how }: MachineOptions,
): Promise<CiMachine> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await tempFolder("machine-"));
  const workspace = path.join(folder.path, "r");
  // From the folder itself git takes the objects as they are, which is far less work; but no part of the history.
  const from = depth === undefined ? [remote.folder] : [`--depth=${depth}`, `file://${remote.folder}`];
  const git = async (...args: string[]): Promise<string> =>
    (await program("git", args, { cwd: workspace, maxBuffer: 1 << 26 })).stdout.replace(/\n$/u, "");
  await mkdir(workspace);
  await git("clone", "-q", "--no-hardlinks", ...from, ".");
  const runner = stack.use(await createRunner({ actionDir, workspace, ...how }));
  if (model !== undefined) await prepareCodex(runner.folders.home, model);
  const owned = stack.move();
  return {
    runner,
    workspace,
    git,
    run: async (job = {}) => runJob({ runner, workspace, remote, api, results, given }, job),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function prepareCodex(home: string, model: ModelServer): Promise<void> {
  await mkdir(path.join(home, ".codex"), { recursive: true });
  await writeFile(path.join(home, ".codex", "config.toml"), codexConfig(model, { keyVariable: "CODEX_API_KEY" }));
}

let runs = 5_000;

async function runJob(
  machine: Pick<CiMachine, "runner" | "workspace"> & Omit<Grounds, "model" | "actionDir">,
  { attempt = 1, scopes, startedAt = Date.now(), ...job }: CiJob,
): Promise<Job> {
  const { runner, workspace, remote, api, results, given } = machine;
  const id = Number(job.github?.run_id ?? ++runs);
  const event = job.event ?? { name: "schedule", payload: { repository: { private: api.world.repository.private } } };
  const { actor = "octocat" } = job.github ?? {};
  const fresh = { status: "in_progress", conclusion: null, createdAt: new Date() };
  startRun(api, aRun({ id, attempt, actor, event: event.name, ...workflowOf(job), ...fresh }));
  api.world.jobs.push(aJob({ id: Number(CHECK_RUN) + id, runId: id, startedAt: new Date(startedAt) }));
  const caller = { run: String(id), job: `job-${id}-${attempt}`, ...(scopes === undefined ? {} : { scopes }) };
  const done = await runner.run({
    ...job,
    inputs: { ...given, ...job.inputs },
    env: { ...results.environment(caller), ...job.env },
    secrets: [remote.writeToken, ...(job.secrets ?? [])],
    expressions: {
      "github.token": remote.writeToken,
      "job.check_run_id": String(Number(CHECK_RUN) + id),
      ...job.expressions,
    },
    event,
    github: {
      run_id: String(id),
      run_attempt: String(attempt),
      repository: "o/r",
      api_url: api.url,
      // git finds the way to such a name, and the toolkit takes it for GitHub's own
      server_url: new URL(remote.url.replace("127.0.0.1", "github.localhost")).origin,
      sha: await headOf(workspace),
      ...job.github,
    },
  });
  // What vanished is still running, as far as anybody knows.
  if (done.conclusion !== "vanished") endRun(api, id, done.conclusion);
  return done;
}

/** The file of the job's workflow; that of `aRun` unless said. */
function workflowOf({ github }: JobRequest): Pick<RunRow, "path"> | undefined {
  const file = /\.github\/workflows\/[^@]+/u.exec(github?.workflow_ref ?? "")?.[0];
  return file === undefined ? undefined : { path: file };
}

/** A dispatch has made its run before, as the first attempt has that of the second. */
function startRun({ world: { runs } }: GithubApi, run: RunRow): void {
  const known = runs.findIndex(({ id }) => id === run.id);
  if (known < 0) runs.push(run);
  else runs[known] = { ...run, createdAt: runs[known]?.createdAt ?? run.createdAt };
}

function endRun({ world: { runs } }: GithubApi, id: number, conclusion: string): void {
  const at = runs.findIndex((row) => row.id === id);
  const run = runs[at];
  if (run !== undefined) runs[at] = { ...run, status: "completed", conclusion };
}
