import path from "node:path";

/** The fields of the `github` context that the runner puts into the environment, in its spelling. */
type GithubField =
  | "action"
  | "action_path"
  | "action_ref"
  | "action_repository"
  | "actor"
  | "actor_id"
  | "api_url"
  | "base_ref"
  | "event_name"
  | "event_path"
  | "graphql_url"
  | "head_ref"
  | "job"
  | "ref"
  | "ref_name"
  | "ref_protected"
  | "ref_type"
  | "repository"
  | "repository_id"
  | "repository_owner"
  | "repository_owner_id"
  | "retention_days"
  | "run_attempt"
  | "run_id"
  | "run_number"
  | "server_url"
  | "sha"
  | "triggering_actor"
  | "workflow"
  | "workflow_ref"
  | "workflow_sha"
  | "workspace";

export type GithubContext = Readonly<Partial<Record<GithubField, string>>>;

/** The folders of one runner, all inside `root`. */
export interface RunnerFolders {
  readonly root: string;
  readonly temp: string;
  readonly toolCache: string;
  readonly home: string;
  readonly workspace: string;
}

export function runnerFolders(root: string, workspace: string): RunnerFolders {
  return {
    root,
    temp: path.join(root, "_temp"),
    toolCache: path.join(root, "_tool"),
    home: path.join(root, "home"),
    workspace,
  };
}

let runs = 9_000;

/** What is always set for a job on github.com, with `overrides`; every job is a run of its own. */
export function githubContext(overrides: GithubContext): Record<string, string> {
  runs += 1;
  const repository = overrides.repository ?? "octo/demo";
  const [owner = ""] = repository.split("/");
  const fields: GithubContext = {
    action: "__smithers_loop",
    action_ref: "v1",
    action_repository: "smithers/loop",
    actor: "octocat",
    actor_id: "1",
    api_url: "https://api.github.com",
    base_ref: "",
    event_name: "workflow_dispatch",
    graphql_url: "https://api.github.com/graphql",
    head_ref: "",
    job: "loop",
    ref: "refs/heads/main",
    ref_name: "main",
    ref_protected: "false",
    ref_type: "branch",
    repository,
    repository_id: "1001",
    repository_owner: owner,
    repository_owner_id: "2",
    retention_days: "90",
    run_attempt: "1",
    run_id: String(runs),
    run_number: String(runs - 9_000),
    server_url: "https://github.com",
    sha: "0".repeat(40),
    triggering_actor: "octocat",
    workflow: "smithers",
    workflow_ref: `${repository}/.github/workflows/smithers.yml@refs/heads/main`,
    workflow_sha: "0".repeat(40),
    ...overrides,
  };
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [`GITHUB_${name.toUpperCase()}`, value]));
}

/** What a hosted Linux machine and its runner give to every step, before anything of the action. */
export function machineEnvironment(folders: RunnerFolders, trackingId: string): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: folders.home,
    USER: "runner",
    LANG: "C.UTF-8",
    CI: "true",
    GITHUB_ACTIONS: "true",
    RUNNER_ARCH: "X64",
    RUNNER_ENVIRONMENT: "github-hosted",
    RUNNER_NAME: "runner-1",
    RUNNER_OS: "Linux",
    RUNNER_TEMP: folders.temp,
    RUNNER_TOOL_CACHE: folders.toolCache,
    RUNNER_TRACKING_ID: trackingId,
    RUNNER_WORKSPACE: path.dirname(folders.workspace),
  };
}
