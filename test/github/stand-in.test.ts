import { describe, expect, test } from "vitest";
import { clientOf } from "../support/github-api/client.ts";
import { ApiDescription } from "../support/github-api/description.ts";
import { anArtifact, aCache, aJob, aRun, type GithubApi, startGithubApi } from "../support/github-api/server.ts";

const TOKENS = {
  reader: { login: "bot", permissions: { actions: "read" } },
  writer: { login: "bot", permissions: { actions: "write" } },
} as const;
const REPOSITORY = { owner: "octo", repo: "demo" };

function client(api: GithubApi, token = "reader") {
  return clientOf(api, token).request;
}

async function start(): Promise<GithubApi> {
  const api = await startGithubApi({ tokens: TOKENS });
  api.world.runs.push(aRun({ id: 1 }), aRun({ id: 2, headRepositoryId: 9 }), aRun({ id: 3, path: "a/other.yml" }));
  api.world.jobs.push(aJob({ id: 31, runId: 1 }));
  api.world.artifacts.push(anArtifact({ id: 7, runId: 1, name: "a", zip: Buffer.from("zip") }));
  api.world.caches.push(aCache({ id: 8, key: "k-1" }), aCache({ id: 9, key: "k-2" }));
  return api;
}

describe("the stand-in for GitHub's REST API", () => {
  test("every operation that it does is answered as GitHub describes it", async () => {
    await using api = await start();
    const reader = client(api);
    const runs = await reader("GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs", {
      ...REPOSITORY,
      workflow_id: "smithers.yml",
      status: "completed",
    });
    expect(runs.data.workflow_runs.map(({ id, head_repository }) => [id, head_repository?.id])).toEqual([
      [2, 9],
      [1, 1001],
    ]);
    await reader("GET /repos/{owner}/{repo}/actions/runs/{run_id}", { ...REPOSITORY, run_id: 1 });
    await reader("GET /repos/{owner}/{repo}/actions/jobs/{job_id}", { ...REPOSITORY, job_id: 31 });
    const { data } = await reader("GET /repos/{owner}/{repo}/actions/runs/{run_id}/artifacts", {
      ...REPOSITORY,
      run_id: 1,
      name: "a",
    });
    expect(data.artifacts[0]).toMatchObject({ id: 7, size_in_bytes: 3, workflow_run: { head_repository_id: 1001 } });
    await reader("GET /repos/{owner}/{repo}/actions/artifacts/{artifact_id}", { ...REPOSITORY, artifact_id: 7 });
    const writer = client(api, "writer");
    await writer("DELETE /repos/{owner}/{repo}/actions/caches{?key}", { ...REPOSITORY, key: "k-1" });
    await writer("DELETE /repos/{owner}/{repo}/actions/caches/{cache_id}", { ...REPOSITORY, cache_id: 9 });
    expect((await writer("GET /repos/{owner}/{repo}/actions/caches", REPOSITORY)).data.total_count).toBe(0);
    expect(api.problems).toEqual([]);
  });

  test("an artifact's bytes lie behind a redirect", async () => {
    await using api = await start();
    const request = { redirect: "manual" as const };
    const answer = await client(api)("GET /repos/{owner}/{repo}/actions/artifacts/{artifact_id}/{archive_format}", {
      ...REPOSITORY,
      artifact_id: 7,
      archive_format: "zip",
      request,
    });
    expect(answer).toMatchObject({ status: 302 });
    const bytes = await fetch(answer.headers.location ?? "");
    expect(await bytes.text()).toBe("zip");
    expect(api.problems).toEqual([]);
  });

  test.for([
    { name: "no token for a private repository", token: null, path: "/repos/octo/demo", status: 404 },
    { name: "an unknown token", token: "x", path: "/repos/octo/demo", status: 401 },
    { name: "another repository", token: "reader", path: "/repos/octo/secret", status: 404 },
    { name: "a missing permission", token: "reader", path: "/repos/octo/demo/actions/caches/8", status: 403 },
  ])("$name is refused with $status", async ({ token, path, status }) => {
    await using api = await start();
    const method = status === 403 ? "DELETE" : "GET";
    const headers = token === null ? {} : { authorization: `Bearer ${token}` };
    expect((await fetch(api.url + path, { method, headers })).status).toBe(status);
    expect(api.world.caches).toHaveLength(2);
  });

  test.for([
    { name: "an unknown operation", path: "/repos/octo/demo/unheard-of", status: 404, problem: "no such operation" },
    { name: "an unknown parameter", path: "/repos/octo/demo/actions/caches?kee=x", status: 422, problem: "kee" },
    { name: "a wrong type", path: "/repos/octo/demo/actions/caches?per_page=x", status: 422, problem: "per_page" },
    {
      name: "an operation that nobody does",
      path: "/user",
      status: 500,
      problem: "nobody does users/get-authenticated",
    },
  ])("$name is a problem", async ({ path, status, problem }) => {
    await using api = await start();
    const response = await fetch(api.url + path, { headers: { authorization: "token reader" } });
    expect(response.status).toBe(status);
    expect(api.problems).toEqual([expect.stringContaining(problem)]);
  });

  test("a body that GitHub would not take, and an answer that it would not give, are problems", async () => {
    await using api = await startGithubApi({
      tokens: TOKENS,
      handlers: { "issues/create-comment": { handle: () => ({ status: 201, body: { id: "1" } }) } },
    });
    const say = (body: unknown) =>
      fetch(`${api.url}/repos/octo/demo/issues/1/comments`, {
        method: "POST",
        headers: { authorization: "token reader" },
        body: JSON.stringify(body),
      });
    expect((await say({ text: "x" })).status).toBe(422);
    expect(api.problems).toEqual([expect.stringContaining("issues/create-comment: body")]);
    await say({ body: "x" });
    expect(api.problems).toContain("issues/create-comment: answer /id must be integer");
  });
});

test("payloads of events are held to GitHub's description too", () => {
  const problems = new ApiDescription().webhookProblems("workflow-dispatch", { ref: "refs/heads/main", inputs: {} });
  expect(problems).toContain(" must have required property 'repository'");
});
