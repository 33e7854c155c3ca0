import { expect, test, vi } from "vitest";
import { VERSION } from "../../src/core/names.ts";
import { createGithub } from "../../src/github/client.ts";
import { type GithubApi, startGithubApi } from "../support/github-api/server.ts";

const TOKENS = { t: { login: "bot", permissions: { actions: "write" } } } as const;
const REPOSITORY = { owner: "octo", name: "demo", id: 1001 };

function client(
  api: GithubApi,
  options: { log?: (line: string) => void; maxWaitMs?: number; timeoutMs?: number; signal?: AbortSignal } = {},
) {
  return createGithub({ token: "t", apiUrl: api.url, repository: REPOSITORY, ...options });
}

test.concurrent("the client says who it is and asks where it is told to", async () => {
  await using api = await startGithubApi({ tokens: TOKENS });
  const { data } = await client(api).rest.repos.get({});
  expect(data.full_name).toBe("octo/demo");
  expect(api.requests[0]?.headers["user-agent"]).toContain(`smithers-loop/${VERSION}`);
  expect(api.problems).toEqual([]);
});

test.concurrent.for([
  { name: "500", fault: { status: 500, body: { message: "Oops" } } },
  { name: "a cut connection", fault: "drop" },
] as const)("what fails in passing is asked again: $name", async ({ fault }) => {
  await using api = await startGithubApi({ tokens: TOKENS });
  api.fail("repos/get", fault);
  await client(api).rest.repos.get({});
  expect(api.requests).toHaveLength(2);
});

test.concurrent("what may not be done twice is not asked again", async () => {
  await using api = await startGithubApi({ tokens: TOKENS });
  api.fail("issues/create-comment", { status: 500, body: { message: "Oops" } }, 5);
  const asked = client(api).rest.issues.createComment({ issue_number: 1, body: "x" });
  await expect(asked).rejects.toMatchObject({ status: 500 });
  expect(api.requests).toHaveLength(1);
});

test.concurrent.for([
  { name: "429", status: 429, message: "Too many", headers: { "retry-after": "1" } },
  { name: "503", status: 503, message: "Unavailable", headers: { "retry-after": "1" } },
  { name: "a secondary rate limit", status: 403, message: "a secondary rate limit", headers: { "retry-after": "1" } },
])("Retry-After is obeyed: $name", async ({ status, message, headers }) => {
  await using api = await startGithubApi({ tokens: TOKENS });
  api.fail("repos/get", { status, body: { message }, headers });
  const begin = performance.now();
  await client(api).rest.repos.get({});
  expect(performance.now() - begin).toBeGreaterThan(950);
  expect(api.requests).toHaveLength(2);
});

test.concurrent.for([
  { name: "429", status: 429, message: "Too many", headers: { "retry-after": "3600" } },
  { name: "503", status: 503, message: "Unavailable", headers: { "retry-after": "3600" } },
  {
    name: "a secondary rate limit",
    status: 403,
    message: "a secondary rate limit",
    headers: { "retry-after": "3600" },
  },
  {
    name: "a used up rate limit",
    status: 403,
    message: "API rate limit exceeded",
    headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(Math.floor(Date.now() / 1000) + 3600) },
  },
])("a wait that is too long is not waited: $name", async ({ status, message, headers }) => {
  await using api = await startGithubApi({ tokens: TOKENS });
  api.fail("repos/get", { status, body: { message }, headers }, 5);
  await expect(client(api).rest.repos.get({})).rejects.toMatchObject({ status });
  expect(api.requests).toHaveLength(1);
});

test.concurrent("a rate limit is told", async () => {
  await using api = await startGithubApi({ tokens: TOKENS });
  const told: string[] = [];
  api.fail("repos/get", { status: 429, body: { message: "a secondary rate limit" }, headers: { "retry-after": "90" } });
  const asked = client(api, { log: (line) => told.push(line) }).rest.repos.get({});
  await expect(asked).rejects.toMatchObject({ status: 429 });
  expect(told).toEqual([
    "GitHub's rate limit: GET /repos/{owner}/{repo} is given up: it may be asked again in 90 s only.",
  ]);
});

test.concurrent("a missing permission is not asked for twice", async () => {
  await using api = await startGithubApi({ tokens: { t: { login: "bot", permissions: {} } } });
  const asked = client(api).rest.actions.getActionsCacheList({});
  await expect(asked).rejects.toThrow("Resource not accessible by integration");
  expect(api.requests).toHaveLength(1);
});

test.concurrent("an attempt that takes too long has failed", async () => {
  await using api = await startGithubApi({ tokens: TOKENS });
  api.fail("repos/get", "hang");
  await client(api, { timeoutMs: 100 }).rest.repos.get({});
  expect(api.requests).toHaveLength(2);
});

test.concurrent.for([
  { name: "an answer that never comes", fault: "hang" },
  { name: "a wait between attempts", fault: { status: 429, body: { message: "" }, headers: { "retry-after": "30" } } },
] as const)("a signal ends $name at once", async ({ fault }) => {
  await using api = await startGithubApi({ tokens: TOKENS });
  api.fail("repos/get", fault);
  const stopped = new AbortController();
  const github = client(api, { signal: stopped.signal });
  const ended = github.rest.repos.get({}).then(undefined, (error: unknown) => error);
  // However long it takes until the server is asked: only then there is something to end.
  await vi.waitFor(() => expect(api.requests).toHaveLength(1), 60_000);
  setTimeout(() => stopped.abort(), 100);
  expect(await ended).toMatchObject({ name: "AbortError" });
  await expect(github.rest.repos.get({})).rejects.toMatchObject({ name: "AbortError" });
  expect(api.requests).toHaveLength(1);
});

test.concurrent("an operation that ends earlier ends with either signal", async () => {
  await using api = await startGithubApi({ tokens: TOKENS });
  api.fail("repos/get", "hang", 2);
  const stopped = new AbortController();
  const github = client(api, { signal: stopped.signal });
  await expect(github.within(100).rest.repos.get({})).rejects.toMatchObject({ name: "AbortError" });
  const asked = github.within(60_000).rest.repos.get({});
  stopped.abort();
  await expect(asked).rejects.toMatchObject({ name: "AbortError" });
});
