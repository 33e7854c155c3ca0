import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Ci, startCi } from "../support/ci/ci.ts";
import { timeIsUpOnce } from "../support/ci/late-clock.ts";
import { aJob, type Dispatch } from "../support/github-api/server.ts";
import { end, FILES, pullsOf, stateOf, tipOf, work } from "./publish-stage.ts";

/** The checks here are green after every turn, and what the agent was told is next to its work. */
const TURN = { files: { "done.txt": "{{iteration}}\n", "told.txt": "{{prompt}}" } };
const INPUTS = { script: "told.json", "ci-workflow": "ci.yml", "success-sh": "test -f done.txt" };
const WORKFLOW = `name: CI
on:
  workflow_dispatch:
jobs:
  test: { runs-on: ubuntu-24.04, steps: [{ uses: ./tools/setup }, { run: npm test }] }
`;
const SETUP = {
  "tools/setup/action.yml":
    'runs: { using: composite, steps: [{ run: "$GITHUB_ACTION_PATH/setup.sh", shell: bash }] }\n',
  "tools/setup/setup.sh": "npm ci\n",
};
/** What CI runs before the tests is the agent's now. */
const BENT = { files: { "done.txt": "1\n", "tools/setup/setup.sh": "rm -r test\n" } };
const LOG = [
  "2026-11-20T02:00:00.1234567Z ##[group]Run npm test",
  "2026-11-20T02:00:01.1234567Z not ok 7 adds up",
  "2026-11-20T02:00:02.1234567Z ##[error]Process completed with exit code 1.",
].join("\n");

let ci: Ci;

beforeAll(async () => {
  const scripts = { "told.json": JSON.stringify({ turns: [TURN] }), "bent.json": JSON.stringify({ turns: [BENT] }) };
  const files = { ...FILES, ...scripts, ".github/workflows/ci.yml": WORKFLOW, ...SETUP };
  ci = await startCi({ byRef: true, files });
  ci.api.world.workflows.push({ path: ".github/workflows/ci.yml", inputs: [] });
});
afterAll(() => end(ci));

/** Ends a run of CI. */
function judge({ api: { world } }: Ci, runId: number, conclusion: string): void {
  const at = world.runs.findIndex(({ id }) => id === runId);
  const run = world.runs[at];
  if (run === undefined) throw new Error(`there is no run ${runId}`);
  world.runs[at] = { ...run, status: "completed", conclusion };
  const steps = { "Run npm test": conclusion };
  world.jobs.push(aJob({ id: runId + 100_000, runId, name: "test", conclusion, steps, log: LOG }));
}

/** CI judges what is dispatched, in this order. */
function judgesAs(...conclusions: readonly string[]): readonly Dispatch[] {
  const { world } = ci.api;
  const dispatches: Dispatch[] = [];
  world.onDispatch = (dispatch) => {
    dispatches.push(dispatch);
    judge(ci, dispatch.runId, conclusions[dispatches.length - 1] ?? "failure");
  };
  return dispatches;
}

/** What the commit status of CI has said of a commit, oldest first. */
function statusesOf(sha: string): readonly (readonly [string, string | null])[] {
  const own = ci.api.world.statuses.filter((row) => row.sha === sha && row.context === "smithers/ci");
  return own.map(({ state, targetUrl }) => [
    state,
    /\/runs\/(?<id>\d+)/u.exec(targetUrl ?? "")?.groups?.["id"] ?? null,
  ]);
}

/** This many requests to the REST API came in since then. */
function restSince(start: number): number {
  return ci.api.requests.slice(start).filter((request) => request.path !== "/graphql").length;
}

describe("ci-workflow", { timeout: 120_000 }, () => {
  test("red CI goes into the next prompt, green CI completes, and both stand on their commits, under required names too [C7, C13, C96]", async () => {
    const { requiredChecks, statuses } = ci.api.world;
    for (const context of ["test", "deploy"]) requiredChecks.push({ branch: "main", context, app: null });
    const start = ci.api.requests.length;
    const dispatches = judgesAs("failure", "success");
    const job = await work(ci, "red-green", INPUTS);
    expect(job.outputs).toMatchObject({ status: "completed", iterations: "2" });
    expect(restSince(start)).toBeLessThanOrEqual(60);
    const [red, green] = dispatches;
    expect(dispatches).toHaveLength(2);
    expect(red).toMatchObject({ workflow: ".github/workflows/ci.yml", ref: "smithers/red-green", inputs: {} });
    const tip = await tipOf(ci, "smithers/red-green");
    const before = await ci.remote.git("rev-parse", `${tip}~1`);
    expect(statusesOf(before).at(-1)).toEqual(["failure", String(red?.runId)]);
    expect(statusesOf(tip).at(-1)).toEqual(["success", String(green?.runId)]);
    const prompt = await ci.remote.git("show", `${tip}:told.txt`);
    expect(prompt).toContain("The check `CI ci.yml` failed with exit code 1.");
    expect(prompt).toContain('Failed: job "test", step "Run npm test"');
    expect(prompt).toContain("not ok 7 adds up\nError: Process completed with exit code 1.");
    expect(await ci.remote.git("log", "--format=%s", "-2", tip)).toBe(
      "smithers: Write done.txt.\nsmithers: Write done.txt.",
    );
    const [pull] = pullsOf(ci, "smithers/red-green");
    expect(pull).toMatchObject({ state: "open", pull: { draft: false } });
    expect(pull?.body).toContain(`/actions/runs/${green?.runId}`);
    expect(pull?.body).toContain("CI ci.yml");
    const said = statuses.filter(({ context }) => context === "test" || context === "deploy");
    expect(said).toMatchObject([{ context: "test", state: "success", sha: tip }]);
    expect(pull?.body).toMatch(/Required by `main`[^\n]*\n\n- `test`: passed/u);
    expect(pull?.body).toContain("`deploy`: ci.yml, started by hand, has no job of this name");
    requiredChecks.splice(0);
    expect((await stateOf(ci, "red-green")).checks.ci_workflow).toBe("ci.yml");
  });

  test("lists of runs that lag start no second run, and keep nothing from the required names [C148, C96, C80]", async () => {
    const { world } = ci.api;
    world.requiredChecks.push({ branch: "main", context: "test", app: null });
    const dispatches = judgesAs("success");
    const judged = world.onDispatch;
    world.onDispatch = async (dispatch) => {
      await judged?.(dispatch);
      // What is published next finds the lists as they were before.
      ci.api.lag("actions/list-workflow-runs", 2);
    };
    const job = await work(ci, "lags", INPUTS);
    world.requiredChecks.splice(0);
    expect(job.outputs).toMatchObject({ status: "completed", iterations: "1" });
    expect(dispatches).toHaveLength(1);
    const tip = await tipOf(ci, "smithers/lags");
    const said = world.statuses.filter(({ sha, context }) => sha === tip && context === "test");
    expect(said).toMatchObject([{ state: "success" }]);
    const [pull] = pullsOf(ci, "smithers/lags");
    expect(pull?.body).toContain(`/actions/runs/${dispatches[0]?.runId}`);
    expect(pull?.body).toMatch(/Required by `main`[^\n]*\n\n- `test`: passed/u);
  });

  test("success-cmd is green, and CI with what the branch has changed of it is not asked: nothing is proved, and the way out is said [C118, T8, T17]", async () => {
    const dispatches = judgesAs("success");
    const job = await work(ci, "bent", { ...INPUTS, script: "bent.json" });
    expect(job.outputs).toMatchObject({ status: "error", iterations: "1" });
    expect(dispatches).toEqual([]);
    const tip = await tipOf(ci, "smithers/bent");
    expect(await ci.remote.git("show", `${tip}:done.txt`)).toBe("1");
    expect(statusesOf(tip)).toEqual([]);
    expect(job.main.summary).toContain("tools/setup is not as in main, and what a branch says itself proves nothing");
    expect(job.main.summary).toContain("Bring that change to the base first");
    const [pull] = pullsOf(ci, "smithers/bent");
    expect(pull).toMatchObject({ state: "open", pull: { draft: true } });
  });

  test("time is up while CI runs: the next run asks for its verdict first, without a turn or another run of CI [C7]", async () => {
    await using machine = await ci.machine();
    const env = { ...timeIsUpOnce(ci, machine, ".git/late"), LATE_CLOCK_MINUTES: "54" };
    const dispatches: Dispatch[] = [];
    ci.api.world.onDispatch = (dispatch) => {
      dispatches.push(dispatch);
      // At once: the answer does not wait for what it leads to.
      writeFileSync(path.join(machine.workspace, ".git", "late"), "");
    };
    const first = await work(ci, "waits", INPUTS, { on: machine, env });
    expect(first.outputs).toMatchObject({ status: "paused_time_budget", iterations: "1" });
    const tip = await tipOf(ci, "smithers/waits");
    const [pull] = pullsOf(ci, "smithers/waits");
    expect(pull).toMatchObject({ state: "open", pull: { draft: true } });
    expect(pull?.body).toContain("has not ended");

    judge(ci, dispatches[0]?.runId ?? 0, "success");
    const second = await work(ci, "waits", INPUTS);
    expect(second.outputs).toMatchObject({ status: "completed", iterations: "1" });
    expect(dispatches).toHaveLength(1);
    expect(await tipOf(ci, "smithers/waits")).toBe(tip);
    expect(statusesOf(tip)).toEqual([["success", String(dispatches[0]?.runId)]]);
    expect((await stateOf(ci, "waits")).spent.turns).toBe(1);
    expect(pullsOf(ci, "smithers/waits")).toMatchObject([{ pull: { draft: false } }]);
  });
});
