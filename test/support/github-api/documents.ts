import type { ArtifactRow, CacheRow, JobRow, RunRow, World } from "./world.ts";

export type Document = Readonly<Record<string, unknown>>;

/** Addresses that documents give of themselves: nothing of ours may use them, so they only have to look right. */
function addresses(base: string, names: string): Document {
  return Object.fromEntries(names.split(" ").map((name) => [`${name}_url`, `${base}/${name}`]));
}

/** A moment as GitHub gives it: in whole seconds. */
export function instant(at: Date): string {
  return `${at.toISOString().slice(0, 19)}Z`;
}

export function userDocument(world: World, login: string): Document {
  const base = `${world.url}/users/${encodeURIComponent(login)}`;
  const names =
    "avatar events followers following gists html organizations received_events repos starred subscriptions";
  return {
    ...addresses(base, names),
    ...{ login, id: 500 + login.length, node_id: `U_${login}`, gravatar_id: "", url: base },
    ...{ type: world.users.get(login)?.type ?? (login.endsWith("[bot]") ? "Bot" : "User"), site_admin: false },
  };
}

export function repositoryPath({ repository }: World): string {
  return `/repos/${repository.owner}/${repository.name}`;
}

/** The short form; a repository with another id than ours stands for a fork of it. */
export function minimalRepository(world: World, id = world.repository.id): Document {
  const { owner, name } = world.repository;
  const login = id === world.repository.id ? owner : "forker";
  const base = `${world.url}/repos/${login}/${name}`;
  const names =
    "archive assignees blobs branches collaborators comments commits compare contents contributors deployments " +
    "downloads events forks git_commits git_refs git_tags hooks html issue_comment issue_events issues keys labels " +
    "languages merges milestones notifications pulls releases stargazers statuses subscribers subscription tags " +
    "teams trees";
  return {
    ...addresses(base, names),
    ...{ id, node_id: `R_${id}`, name, full_name: `${login}/${name}`, url: base },
    ...{ owner: userDocument(world, login), private: world.repository.private, description: null },
    fork: login !== owner,
  };
}

export function fullRepository(world: World, id = world.repository.id): Document {
  const { private: hidden, defaultBranch } = world.repository;
  const none = "forks forks_count open_issues open_issues_count size stargazers_count watchers watchers_count";
  const on = "has_downloads has_issues has_projects has_wiki has_pages has_discussions";
  return {
    ...minimalRepository(world, id),
    ...addresses(`${world.url}${repositoryPath(world)}`, "clone git ssh svn"),
    ...Object.fromEntries(none.split(" ").map((name) => [name, 0])),
    ...Object.fromEntries(on.split(" ").map((name) => [name, true])),
    ...{ default_branch: defaultBranch, visibility: hidden ? "private" : "public", mirror_url: null, homepage: null },
    ...{ topics: [], is_template: false, allow_forking: true, web_commit_signoff_required: false },
    ...{ language: null, license: null, archived: false, disabled: false, network_count: 0, subscribers_count: 0 },
    ...{ pushed_at: "2026-11-20T02:00:00Z", created_at: "2026-01-01T00:00:00Z", updated_at: "2026-11-20T02:00:00Z" },
  };
}

export function runDocument(world: World, run: RunRow): Document {
  const base = `${world.url}${repositoryPath(world)}/actions/runs/${run.id}`;
  const at = instant(run.createdAt);
  return {
    ...addresses(base, "html jobs logs check_suite artifacts cancel rerun workflow"),
    ...{ id: run.id, node_id: `WFR_${run.id}`, name: run.name, display_title: run.name, url: base },
    ...{ run_number: run.id, run_attempt: run.attempt, workflow_id: 77, path: run.path, event: run.event },
    ...{ status: run.status, conclusion: run.conclusion, head_branch: run.branch, head_sha: run.sha },
    ...{ created_at: at, updated_at: at, run_started_at: instant(run.startedAt), pull_requests: [] },
    ...{ actor: userDocument(world, run.actor), triggering_actor: userDocument(world, run.triggeringActor) },
    head_commit: {
      ...{ id: run.sha, tree_id: run.sha, message: "commit", timestamp: at },
      ...{ author: { name: "A", email: "a@example.org" }, committer: { name: "A", email: "a@example.org" } },
    },
    repository: minimalRepository(world),
    head_repository: minimalRepository(world, run.headRepositoryId),
  };
}

export function jobDocument(world: World, job: JobRow): Document {
  const actions = `${world.url}${repositoryPath(world)}/actions`;
  const url = `${actions}/jobs/${job.id}`;
  const run = world.runs.find(({ id }) => id === job.runId);
  const at = instant(job.startedAt);
  return {
    ...{ id: job.id, node_id: `CR_${job.id}`, run_id: job.runId, name: job.name, url, html_url: url },
    ...{
      run_url: `${actions}/runs/${job.runId}`,
      check_run_url: `${world.url}${repositoryPath(world)}/check-runs/${job.id}`,
    },
    ...{ head_sha: run?.sha ?? "a".repeat(40), head_branch: run?.branch ?? "main", workflow_name: "smithers" },
    ...{ status: job.conclusion === null ? "in_progress" : "completed", conclusion: job.conclusion },
    ...{ started_at: at, created_at: at, completed_at: job.conclusion === null ? null : at },
    steps: Object.entries(job.steps).map(([name, conclusion], index) => {
      const [began, ended] = job.stepTimes[name] ?? [job.startedAt, job.startedAt];
      const times = { started_at: instant(began), completed_at: instant(ended) };
      return { name, number: index + 1, status: "completed", conclusion, ...times };
    }),
    run_attempt: job.attempt,
    ...{ labels: [...job.labels], runner_id: 1, runner_name: "runner", runner_group_id: 1, runner_group_name: "g" },
  };
}

export function artifactDocument(world: World, artifact: ArtifactRow): Document {
  const url = `${world.url}${repositoryPath(world)}/actions/artifacts/${artifact.id}`;
  const run = world.runs.find(({ id }) => id === artifact.runId);
  const at = instant(artifact.createdAt);
  return {
    ...{ id: artifact.id, node_id: `A_${artifact.id}`, name: artifact.name, size_in_bytes: artifact.zip.length },
    ...{ url, archive_download_url: `${url}/zip`, expired: artifact.expired },
    ...{ created_at: at, updated_at: at, expires_at: "2027-02-20T03:00:00Z" },
    workflow_run: {
      ...{ id: artifact.runId, repository_id: world.repository.id, head_repository_id: run?.headRepositoryId },
      ...{ head_branch: run?.branch, head_sha: run?.sha },
    },
  };
}

export function cacheDocument({ id, key, ref, createdAt }: CacheRow): Document {
  const at = instant(createdAt);
  return { id, key, ref, version: "f".repeat(64), last_accessed_at: at, created_at: at, size_in_bytes: 1024 };
}

/** A commit without who made it. */
export function minimalCommit(world: World, sha: string, message: string): Document {
  const url = `${world.url}${repositoryPath(world)}/commits/${sha}`;
  const person = { name: "A", email: "a@example.org", date: "2026-11-20T02:00:00Z" };
  const commit = { url, message, author: person, committer: person, comment_count: 0, tree: { sha, url } };
  return { url, sha, node_id: `C_${sha}`, html_url: url, comments_url: url, commit, parents: [] };
}
