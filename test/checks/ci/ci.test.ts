import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Github } from "../../../src/github/client.ts";
import { findCiRun, isInconclusive, readCiRun } from "../../../src/checks/ci/ci-run.ts";
import { whatFailed } from "../../../src/checks/ci/ci-verdict.ts";
import { dispatchWorkflow } from "../../../src/github/dispatch.ts";
import { githubOf } from "../../support/github-api/client.ts";
import { aJob, aRun, type GithubApi, type RunRow, startGithubApi } from "../../support/github-api/server.ts";

const SHA = "b".repeat(40);
const BRANCH = "smithers/a";
const QUESTION = { workflow: "ci.yml", branch: BRANCH, sha: SHA };
const PATH = ".github/workflows/ci.yml";
const ERROR = "##[error]Process completed with exit code 1.";

let api: GithubApi;
let github: Github;

beforeAll(async () => {
  const permissions = { actions: "write", contents: "write" } as const;
  api = await startGithubApi({ tokens: { t: { login: "github-actions[bot]", permissions } } });
  const { world } = api;
  world.workflows.push({ path: PATH, inputs: [] });
  await world.refs.set(`refs/heads/${BRANCH}`, SHA);
  github = githubOf(api, AbortSignal.timeout(60_000));
});
afterAll(async () => end(api));

/** GitHub's own description has found nothing wrong. */
async function end({ problems, ...stage }: GithubApi): Promise<void> {
  await stage[Symbol.asyncDispose]();
  expect(problems).toEqual([]);
}

/** Puts the only runs of CI on GitHub; the last one is the newest. */
function runs(...rows: readonly Partial<RunRow>[]): void {
  const all = rows.map((row, index) => aRun({ id: index + 1, path: PATH, branch: BRANCH, sha: SHA, ...row }));
  api.world.runs.splice(0, Infinity, ...all);
}

describe("the run that proves a commit", () => {
  const running = { status: "in_progress", conclusion: null };
  test.each<[string, readonly Partial<RunRow>[], number | null]>([
    ["there is none", [], null],
    ["one that still runs", [running], 1],
    ["the newest", [{ conclusion: "failure" }, { conclusion: "success" }], 2],
    ["not one that somebody cancelled", [{ conclusion: "failure" }, { conclusion: "cancelled" }], 1],
    ["not that of another commit", [{ sha: "c".repeat(40) }], null],
    ["not that of another branch", [{ branch: "main" }], null],
    ["not one that a push has started", [{ event: "push" }], null],
    ["not that of another workflow", [{ path: ".github/workflows/lint.yml" }], null],
  ])("%s", async (_title, rows, id) => {
    runs(...rows);
    expect(await findCiRun(github, QUESTION)).toMatchObject({ ok: true, value: id === null ? null : { id } });
  });

  test("a workflow that GitHub does not know is not an empty list", async () => {
    expect(await findCiRun(github, { ...QUESTION, workflow: "no.yml" })).toMatchObject({
      ok: false,
      trouble: { kind: "absent" },
    });
  });

  test("it is dispatched without inputs, and found then", async () => {
    runs();
    const started = await dispatchWorkflow(github, { workflow: "ci.yml", ref: BRANCH, inputs: {} });
    expect(started).toMatchObject({ ok: true, value: { runId: expect.any(Number) } });
    expect(api.world.dispatches.at(-1)).toMatchObject({ workflow: PATH, ref: BRANCH, inputs: {} });
    const id = started.ok ? started.value.runId : null;
    expect(await findCiRun(github, QUESTION)).toMatchObject({
      value: { id, ended: false, conclusion: null, sha: SHA },
    });
  });

  test("thrift: a run that has not changed is not sent again", async () => {
    runs(running);
    const first = await readCiRun(github, 1, null);
    if (!first.ok) throw new Error(first.trouble.because);
    expect(first.value).toMatchObject({ id: 1, ended: false, tag: expect.stringContaining("W/") });
    expect(await readCiRun(github, 1, first.value)).toEqual(first);
    expect(api.requests.at(-1)?.headers["if-none-match"]).toBe(first.value.tag);
    runs({ conclusion: "failure" });
    expect(await readCiRun(github, 1, first.value)).toMatchObject({ value: { ended: true, conclusion: "failure" } });
  });

  test.each([
    ["success", false],
    ["failure", false],
    ["cancelled", true],
    ["stale", true],
    ["action_required", true],
    ["skipped", true],
    [null, false],
  ])("%s is inconclusive: %s", (conclusion, is) => {
    expect(isInconclusive({ conclusion })).toBe(is);
  });
});

describe("what failed in it", () => {
  /** Puts the only jobs of run 1 on GitHub. */
  function jobs(...rows: readonly Partial<Parameters<typeof aJob>[0]>[]): void {
    runs({ conclusion: "failure" });
    const all = rows.map((row, index) => aJob({ id: 10 + index, runId: 1, name: `job${index}`, ...row }));
    api.world.jobs.splice(0, Infinity, ...all);
  }

  test("the jobs and steps, and the log of the first one up to its last error", async () => {
    const log = [
      "\uFEFF2026-11-20T02:00:00.1234567Z ##[group]Run npm test",
      "2026-11-20T02:00:01.1234567Z \u001B[31mnot ok\u001B[39m 7 adds up",
      "2026-11-20T02:00:01.1234567Z ##[endgroup]",
      `2026-11-20T02:00:02.1234567Z ${ERROR}`,
      "2026-11-20T02:00:03.1234567Z Post job cleanup.",
    ].join("\r\n");
    jobs(
      { conclusion: "success", name: "lint" },
      { conclusion: "failure", name: "test", steps: { checkout: "success", "Run npm test": "failure" }, log },
      { conclusion: "timed_out", name: "slow" },
    );
    expect(await whatFailed(github, 1)).toEqual({
      jobs: ['job "test", step "Run npm test"', 'job "slow"'],
      log: { job: "test", text: "Run npm test\nnot ok 7 adds up\nError: Process completed with exit code 1." },
    });
  });

  test("of a long log only the end is fetched, in whole lines", async () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `2026-11-20T02:00:00.0Z line ${index}`);
    jobs({ conclusion: "failure", log: [...lines, ERROR].join("\n") });
    const { log } = await whatFailed(github, 1);
    expect(log?.text.length).toBeLessThanOrEqual(3_000);
    expect(log?.text).toMatch(/^\[… cut\]\nline \d{5}\n[^]*\nline 19999\nError: Process completed/u);
  });

  test("what the failing step printed is kept, whatever a later one that runs in any case says [C101]", async () => {
    const at = (second: number, text: string) => `2026-11-20T02:00:0${second}.1234567Z ${text}`;
    const time = (second: number) => new Date(`2026-11-20T02:00:0${second}Z`);
    const upload = Array.from({ length: 200 }, (_, nth) => at(5, `no file ${nth} to be uploaded`));
    const log = [at(1, "added 2 packages"), at(3, "not ok 7"), at(3, ERROR), ...upload, at(5, ERROR)].join("\n");
    const steps = { "Run npm test": "failure", "Upload what is covered": "success" } as const;
    const stepTimes = { "Run npm test": [time(2), time(3)], "Upload what is covered": [time(5), time(6)] } as const;
    jobs({ conclusion: "failure", steps, stepTimes, log });
    expect((await whatFailed(github, 1)).log?.text).toBe("not ok 7\nError: Process completed with exit code 1.");
  });

  test("many jobs are counted", async () => {
    jobs(...Array.from({ length: 7 }, () => ({ conclusion: "failure" })));
    const failure = await whatFailed(github, 1);
    expect(failure.jobs).toHaveLength(6);
    expect(failure.jobs.at(-1)).toBe("2 more jobs");
    expect(failure.log).toBeNull();
  });

  test("one that failed is found among more jobs than GitHub tells of at once", async () => {
    const green = Array.from({ length: 120 }, () => ({ conclusion: "success" }));
    jobs(...green, { conclusion: "failure", name: "the last", log: "boom" });
    expect(await whatFailed(github, 1)).toEqual({ jobs: ['job "the last"'], log: { job: "the last", text: "boom" } });
  });

  test("a log without an error is shown as it ends", async () => {
    jobs({ conclusion: "failure", log: "2026-11-20T02:00:00.0Z killed\n" });
    expect((await whatFailed(github, 1)).log?.text).toBe("killed");
  });

  test("what has to be green is told first, with its log, and what was red before anybody worked last [C102, C116]", async () => {
    const failing = (name: string) => ({ conclusion: "failure", name, log: `${name} says why` }) as const;
    jobs(failing("lint"), failing("docs"), failing("types"), failing("test"));
    const of = { wanted: [{ name: "test", step: null }], redBefore: ["lint", "test", "docs"] };
    expect(await whatFailed(github, 1, of)).toEqual({
      jobs: ['job "test"', 'job "types"', 'job "lint"', 'job "docs"'],
      log: { job: "test", text: "test says why" },
    });
  });

  test("without an answer nothing is known, and nobody is stopped by it", async () => {
    jobs({ conclusion: "failure", log: "x" });
    api.fail("actions/download-job-logs-for-workflow-run", { status: 500, body: {} });
    expect(await whatFailed(github, 1)).toEqual({ jobs: ['job "job0"'], log: null });
    api.fail("actions/list-jobs-for-workflow-run", { status: 500, body: {} });
    expect(await whatFailed(github, 1)).toEqual({ jobs: [], log: null });
  });
});
