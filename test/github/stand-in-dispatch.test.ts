import { expect, test } from "vitest";
import { dispatchedJob } from "../support/ci/dispatched-job.ts";
import { clientOf } from "../support/github-api/client.ts";
import { anActivity, aJob, type GithubApi, startGithubApi } from "../support/github-api/server.ts";

const REPOSITORY = { owner: "octo", repo: "demo" };
const FILE = { ...REPOSITORY, workflow_id: "smithers.yml" };

async function start(): Promise<GithubApi> {
  const permissions = { actions: "write", contents: "read" } as const;
  return startGithubApi({ tokens: { t: { login: "github-actions[bot]", permissions } } });
}

function client(api: GithubApi) {
  return clientOf(api).request;
}

async function dispatch(
  api: GithubApi,
  ref: string,
  more: { return_run_details?: boolean; inputs?: Record<string, string> },
) {
  return client(api)("POST /repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches", {
    ...FILE,
    ref,
    ...more,
  }).then(
    ({ status, data }) => ({ status, data }),
    (error: unknown) => ({
      status: error instanceof Error && "status" in error ? error.status : 0,
      data: String(error),
    }),
  );
}

test("a dispatch makes a run, says which when asked, and what it starts can be waited for", async () => {
  await using api = await start();
  const done: string[] = [];
  api.world.onDispatch = async ({ runId, inputs, login }) => {
    done.push(`${inputs["smithers"]} by ${login}`);
    if (inputs["smithers"] === "first") await dispatch(api, "main", { inputs: { smithers: "second" } });
    api.world.jobs.push(aJob({ id: runId + 5000, runId }));
  };
  const { status, data } = await dispatch(api, "main", { return_run_details: true, inputs: { smithers: "first" } });
  expect(status).toBe(200);
  await api.settled();
  expect(done).toEqual(["first by github-actions[bot]", "second by github-actions[bot]"]);
  const [first] = api.world.dispatches;
  if (first === undefined) throw new Error("nothing was dispatched");
  expect(data).toMatchObject({ workflow_run_id: first.runId });
  expect(dispatchedJob(api, first)).toMatchObject({
    event: { name: "workflow_dispatch", payload: { inputs: { smithers: "first" }, ref: "refs/heads/main" } },
    github: { run_id: String(first.runId), actor: "github-actions[bot]" },
  });
  const run = { ...REPOSITORY, run_id: first.runId };
  const { data: jobs } = await client(api)("GET /repos/{owner}/{repo}/actions/runs/{run_id}/jobs", run);
  expect(jobs.jobs).toHaveLength(1);
  const { data: runs } = await client(api)("GET /repos/{owner}/{repo}/actions/runs", {
    ...REPOSITORY,
    event: "workflow_dispatch",
  });
  expect(runs).toMatchObject({ total_count: 2, workflow_runs: [{ status: "queued" }, { status: "queued" }] });
  expect((await dispatch(api, "main", {})).status).toBe(204);
  expect(api.problems).toEqual([]);
});

test.for([
  { ref: "a".repeat(40), allowed: true, status: 422, text: "No ref found for" },
  { ref: "refs/pull/5/merge", allowed: true, status: 422, text: "No ref found for" },
  {
    ref: "main",
    allowed: false,
    status: 403,
    text: "Event 'workflow_dispatch' is not allowed to trigger Actions workflows",
  },
])("a dispatch is refused: $text", async ({ ref, allowed, status, text }) => {
  await using api = await start();
  api.world.settings.dispatchAllowed = allowed;
  expect(await dispatch(api, ref, {})).toEqual({ status, data: expect.stringContaining(text) });
  expect(api.world.dispatches).toEqual([]);
});

test("a job's token cannot read variables and settings of the repository", async () => {
  await using api = await start();
  const ask = async (path: string) => (await fetch(api.url + path, { headers: { authorization: "token t" } })).status;
  expect(await ask("/repos/octo/demo/actions/variables/SMITHERS_DISABLED")).toBe(403);
  expect(await ask("/repos/octo/demo/actions/permissions/workflow")).toBe(403);
  const admin = { variables: "read", administration: "read" } as const;
  api.world.tokens.set("t", { login: "alice", permissions: admin });
  expect(await ask("/repos/octo/demo/actions/variables/SMITHERS_DISABLED")).toBe(404);
  api.world.variables.set("SMITHERS_DISABLED", "true");
  expect(await ask("/repos/octo/demo/actions/variables/SMITHERS_DISABLED")).toBe(200);
  expect(await ask("/repos/octo/demo/actions/permissions/workflow")).toBe(200);
  expect(api.problems).toEqual([]);
});

test("the activity of a ref is told newest first", async () => {
  await using api = await start();
  api.world.activity.push(anActivity({ id: 1 }), anActivity({ id: 2, ref: "refs/heads/other" }), anActivity({ id: 3 }));
  const { data } = await client(api)("GET /repos/{owner}/{repo}/activity", {
    ...REPOSITORY,
    ref: "refs/heads/feature",
  });
  expect(data.map(({ id, actor }) => [id, actor?.login])).toEqual([
    [3, "alice"],
    [1, "alice"],
  ]);
  expect(api.problems).toEqual([]);
});
