import { expect, test } from "vitest";
import { readJobStart } from "../../src/github/runs.ts";
import { createGithub } from "../../src/github/client.ts";
import { aJob, aRun, type GithubApi, startGithubApi } from "../support/github-api/server.ts";

const TOKENS = {
  reader: { login: "bot", permissions: { actions: "read" } },
  nobody: { login: "bot", permissions: {} },
} as const;

async function start(): Promise<GithubApi> {
  const api = await startGithubApi({ tokens: TOKENS });
  api.world.runs.push(aRun({ id: 5 }));
  api.world.jobs.push(aJob({ id: 31, runId: 5, startedAt: new Date("2026-11-20T03:00:00Z") }));
  return api;
}

interface Question {
  readonly token?: string;
  readonly checkRunId?: number | null;
  readonly withinMs?: number;
}

function ask(api: GithubApi, { token = "reader", checkRunId = 31, withinMs = 2_000 }: Question = {}) {
  const repository = { owner: "octo", name: "demo", id: 1001 };
  const github = createGithub({ token, apiUrl: api.url, repository, signal: AbortSignal.timeout(withinMs) });
  return readJobStart(github, 5, checkRunId);
}

test("the job's start is what GitHub's record says", async () => {
  await using api = await start();
  expect(await ask(api)).toEqual({ ok: true, value: Date.parse("2026-11-20T03:00:00Z") });
  expect(api.problems).toEqual([]);
});

test.for([
  { name: "a token without the permission", question: { token: "nobody" }, why: "actions: read" },
  { name: "an unknown token", question: { token: "x" }, why: "GitHub does not know the token" },
  { name: "a server that names no job", question: { checkRunId: null }, why: "does not say which" },
  { name: "an unknown job", question: { checkRunId: 99 }, why: "GitHub does not know it" },
])("with $name the start is unknown, with a reason", async ({ question, why }) => {
  await using api = await start();
  expect(await ask(api, question)).toEqual({ ok: false, trouble: { because: expect.stringContaining(why) } });
  expect(api.problems).toEqual([]);
});

test("the record of another run's job is not believed", async () => {
  await using api = await start();
  api.world.jobs.push(aJob({ id: 32, runId: 4 }));
  expect(await ask(api, { checkRunId: 32 })).toEqual({
    ok: false,
    trouble: { because: "GitHub's record is of another job" },
  });
});

test("an API that hangs costs what it may cost and no more", { timeout: 5_000 }, async () => {
  await using api = await start();
  api.fail("actions/get-job-for-workflow-run", "hang");
  expect(await ask(api, { withinMs: 200 })).toEqual({
    ok: false,
    trouble: { because: "GitHub did not answer in time" },
  });
});
