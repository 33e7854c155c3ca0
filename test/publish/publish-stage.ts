import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { PassThrough } from "node:stream";
import { expect } from "vitest";
import { type Branches, createBranches, type PublishBranch } from "../../src/publish/publish-branch.ts";
import { type FactSources } from "../../src/publish/publication-facts.ts";
import { keptOf, type Pushing } from "../../src/publish/push-work.ts";
import { readJob } from "../../src/job/run-job.ts";
import type { Host } from "../../src/job/run-stage.ts";
import { OperationalError, UsageError } from "../../src/core/errors.ts";
import type { GithubAccess } from "../../src/github/access.ts";
import type { Github } from "../../src/github/client.ts";
import { createRunnerLog } from "../../src/os/runner-log.ts";
import { createTeller, type Teller } from "../../src/os/teller.ts";
import { type GitHttp, gitHttp } from "../support/git-http.ts";
import { gitRepository, pushFile, shellIn } from "../support/git-repository.ts";
import { githubOf } from "../support/github-api/client.ts";
import { type GithubApi, startGithubApi, type Token } from "../support/github-api/server.ts";
import { shortPauses } from "../support/short-pauses.ts";
import { tempFolder } from "../support/temp-folder.ts";

export const BOT = "github-actions[bot]";
export const LOOP = "a-loop";
export const BRANCH = `smithers/${LOOP}`;

const ALL: Token["permissions"] = {
  actions: "write",
  contents: "write",
  issues: "write",
  "pull-requests": "write",
  statuses: "write",
};

/** A job's event: a dispatch with the input `smithers`, or anything else. */
export interface StageJob {
  readonly inputs?: Readonly<Record<string, string>>;
  readonly smithers?: string;
  readonly event?: { readonly name: string; readonly payload: unknown };
  readonly env?: Readonly<Record<string, string>>;
}

/** What a step of a job has read, and what it tells. */
export interface JobOnStage extends Awaited<ReturnType<typeof readJob>> {
  readonly host: Host;
  readonly teller: Teller;
  readonly notices: readonly string[];
}

/** A repository on GitHub whose git and API agree, and a checkout of it in which a step of a job runs. */
export interface PublishStage extends AsyncDisposable {
  readonly api: GithubApi;
  readonly remote: GitHttp;
  access(): Github;
  readonly github: GithubAccess;
  /** What a step of the job knows. */
  job(job?: StageJob): Promise<JobOnStage>;
  /** Runs git in the checkout. */
  git(...args: string[]): Promise<string>;
  branches(job: JobOnStage): Branches;
  /** Checks the branch out. */
  checkOut(job: JobOnStage, branch?: string): Promise<PublishBranch>;
  /** What the work is pushed with. */
  pushing(job: JobOnStage, branch: PublishBranch | undefined, refHolds?: boolean): Pushing;
  /** What the facts of a publication are found out with. */
  sources(job: JobOnStage, branch: PublishBranch | undefined): FactSources;
  /** Commits a file in the checkout. @returns the commit */
  work(name: string): Promise<string>;
  /** Somebody pushes a commit with this file to a branch, which begins at `main`. @returns the commit */
  push(branch: string, name?: string): Promise<string>;
  /** Where a branch is on GitHub; "" where it is not. */
  tip(branch: string): Promise<string>;
}

export async function publishStage(permissions: Token["permissions"] = ALL): Promise<PublishStage> {
  await using stack = new AsyncDisposableStack();
  stack.use(shortPauses());
  const folder = stack.use(await tempFolder("job-"));
  const remote = stack.use(await gitHttp());
  const seed = stack.use(await gitRepository());
  const workspace = path.join(folder.path, "r");
  await shellIn(
    seed.path,
    `git push -q "$0" main; git clone -q --no-hardlinks "$0" "$1"
    printf '[user]\\n\\tname = Loop\\n\\temail = loop@example.invalid\\n' >> "$1/.git/config"`,
    ...[remote.folder, workspace],
  );
  const api = stack.use(
    await startGithubApi({
      repository: { owner: "o", name: "r" },
      tokens: { [remote.writeToken]: { login: BOT, permissions } },
      git: remote,
    }),
  );
  const git = async (...args: string[]) => seed.git("-C", workspace, ...args);
  const until = (signal: AbortSignal): Github => githubOf(api, signal, remote.writeToken);
  const access = (): Github => until(AbortSignal.timeout(60_000));
  const github: GithubAccess = {
    until: async (signal) => until(signal),
    within: async (ms) => until(AbortSignal.timeout(Math.floor(ms))),
  };
  const branches = ({ context, place, settings: { config }, teller: { notice } }: JobOnStage): Branches =>
    createBranches({ context, place, config, github, notice });
  const owned = stack.move();
  return {
    api,
    remote,
    github,
    branches,
    access,
    job: async (job = {}) => {
      const env = await environment({ folder: folder.path, workspace, api, remote }, job);
      const stream = new PassThrough().resume();
      const program = { platform: process.platform, script: "/action/dist/index.js", startedAt: Date.now() };
      const host = { env, stdout: stream, stderr: stream, ...program };
      const log = createRunnerLog(stream);
      const teller = createTeller(log);
      return { ...(await readJob(host, log)), host, teller, notices: teller.told };
    },
    git,
    checkOut: async (job, name = BRANCH) => {
      const branch = await branches(job).checkOut(name);
      if (branch === undefined) throw new Error(`not checked out: ${job.notices.join(" ")}`);
      return branch;
    },
    pushing: ({ context, place: { loopId }, settings: { config }, teller: { line } }, branch, refHolds = true) => {
      const kept = keptOf(config, { loopId, isPrivate: context.event.visibility === "private", refHolds });
      return { branch, kept, runId: context.runId, line, leftMs: () => 20_000 };
    },
    sources: ({ host, context, place, settings: { config } }, branch) => ({
      ...{ context, config, place, branch },
      disabled: host.env["SMITHERS_DISABLED"] ?? null,
    }),
    work: async (name) => {
      await writeFile(path.join(workspace, name), `${name}\n`);
      return shellIn(workspace, 'git add -A; git commit -q -m "$0"; git rev-parse HEAD', name);
    },
    push: async (branch, name = "theirs.txt") =>
      pushFile(seed, { remote: remote.folder, branch, name, message: `by a person: ${name}` }),
    tip: async (branch) => remote.git("for-each-ref", "--format=%(objectname)", `refs/heads/${branch}`),
    async [Symbol.asyncDispose]() {
      await owned.disposeAsync();
      expect(api.problems).toEqual([]);
    },
  };
}

/** The code and the words of a refusal; what else came out, in words. */
export async function refusalOf(doing: Promise<unknown>): Promise<string> {
  try {
    return `not refused: ${JSON.stringify(await doing)}`;
  } catch (error) {
    if (error instanceof UsageError) return `${error.problems[0]?.code ?? ""}: ${error.problems[0]?.what ?? ""}`;
    if (error instanceof OperationalError) return `${error.code}: ${error.message}`;
    throw error;
  }
}

interface Place {
  readonly folder: string;
  readonly workspace: string;
  readonly api: GithubApi;
  readonly remote: GitHttp;
}

async function environment({ folder, workspace, api, remote }: Place, { inputs, smithers, event, env }: StageJob) {
  const repository = { id: 1001, private: api.world.repository.private, default_branch: "main" };
  const dispatch = { inputs: smithers === undefined ? {} : { smithers }, sender: { login: "alice", type: "User" } };
  const { name, payload } = event ?? { name: "workflow_dispatch", payload: { repository, ...dispatch } };
  const file = path.join(folder, "event.json");
  await writeFile(file, JSON.stringify(payload));
  const all = {
    prompt: "Fix it.",
    "success-sh": "true",
    sandbox: "workspace-write",
    "loop-id": LOOP,
    "github-token": remote.writeToken,
    ...inputs,
  };
  const variables = Object.entries(all).map(([input, value]) => [`INPUT_${input.toUpperCase()}`, value]);
  return {
    ...{ PATH: process.env["PATH"], GITHUB_ACTIONS: "true", GITHUB_REPOSITORY: "o/r", GITHUB_REPOSITORY_ID: "1001" },
    ...{ GITHUB_RUN_ID: "77", GITHUB_RUN_ATTEMPT: "1", GITHUB_JOB: "loop", GITHUB_ACTION: "__self" },
    GITHUB_WORKFLOW_REF: "o/r/.github/workflows/smithers.yml@refs/heads/main",
    GITHUB_SERVER_URL: new URL(remote.url).origin,
    ...{ GITHUB_API_URL: api.url, GITHUB_REF: "refs/heads/main", GITHUB_EVENT_NAME: name, GITHUB_EVENT_PATH: file },
    ...{ GITHUB_WORKSPACE: workspace, RUNNER_TEMP: folder },
    ...Object.fromEntries(variables),
    ...env,
  };
}

/** A commit with these files on top of another one, as a branch on GitHub. */
export async function commitOn(
  at: PublishStage,
  branch: string,
  from: string,
  files: Readonly<Record<string, string>>,
): Promise<string> {
  const top = await at.git("rev-parse", "--show-toplevel");
  await at.git("checkout", "-q", "-B", branch, from);
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(top, name)), { recursive: true });
    await writeFile(path.join(top, name), text);
  }
  await at.git("add", "-A");
  await at.git("commit", "-q", "--allow-empty", "-m", branch);
  await at.git("push", "-q", "-f", at.remote.folder, branch);
  await at.git("fetch", "-q");
  return at.git("rev-parse", "HEAD");
}
