import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { PublishBranch } from "../../../src/publish/publish-branch.ts";
import type { CiJobs } from "../../../src/checks/ci/ci-verdict.ts";
import { type CiGateOptions, createCiGate } from "../../../src/checks/ci/ci-gate.ts";
import { pushForCi } from "../../../src/publish/push-work.ts";
import type { CheckEvent, Clock, Gate, Workspace } from "../../../src/core/ports.ts";
import { done, failed } from "../../../src/core/result.ts";
import type { Evidence } from "../../../src/core/verdict.ts";
import { systemClock } from "../../../src/os/clock.ts";
import { createGitWorkspace } from "../../../src/git/workspace.ts";
import { gateContract } from "../../contract/gate-contract.ts";
import { fastClock } from "../../support/fast-clock.ts";
import { aRun, aJob, type Dispatch, type RunRow } from "../../support/github-api/server.ts";
import { BRANCH, type JobOnStage, LOOP, type PublishStage, publishStage } from "../../publish/publish-stage.ts";

const EVIDENCE: Evidence = { iteration: 1, occasion: "claim", deadline: null };
const never = new AbortController().signal;

let at: PublishStage;
let job: JobOnStage;
let branch: PublishBranch;
let workspace: Workspace;

beforeAll(async () => {
  at = await publishStage();
  job = await at.job();
  branch = await at.checkOut(job);
  workspace = await createGitWorkspace({ ...job.place, excluded: [] });
  for (const name of ["green", "red", "hangs", "ci"]) {
    at.api.world.workflows.push({ path: `.github/workflows/${name}.yml`, inputs: [] });
  }
});
afterAll(async () => at[Symbol.asyncDispose]());

type Given = Partial<{
  jobs: CiJobs;
  trusted: Awaited<ReturnType<CiGateOptions["trusts"]>>;
  trusts: CiGateOptions["trusts"];
  file: string;
  clock: Clock;
  branch: PublishBranch | undefined;
  seen: CheckEvent[];
}>;

function gate({ file = "ci.yml", clock = fastClock(), seen = [], ...given }: Given = {}): Gate {
  const { context, place, teller } = job;
  const route = {
    branch: "branch" in given ? given.branch : branch,
    workspace,
    root: place.root,
    file,
    line: teller.line,
  };
  return createCiGate({
    ...{ file, ownFile: context.workflow.file, github: at.github, teller, clock },
    ...(given.jobs === undefined ? {} : { jobs: given.jobs }),
    trusts: given.trusts ?? (async () => given.trusted ?? done(undefined)),
    bring: async (iteration, ms) => pushForCi(route, { message: "smithers: the task", loopId: LOOP, iteration }, ms),
    observe: (event) => seen.push(event),
  });
}

function end(runId: number, conclusion: string | null): void {
  const { runs } = at.api.world;
  const index = runs.findIndex(({ id }) => id === runId);
  const run = runs[index];
  if (run !== undefined) runs[index] = { ...run, status: "completed", conclusion };
}

/** Nothing has been run; what is dispatched then ends so, or never. */
function ciEnds(conclusion: string | null): readonly Dispatch[] {
  const { world } = at.api;
  const dispatches: Dispatch[] = [];
  world.runs.length = 0;
  world.onDispatch = (dispatch) => {
    // One of a gate that nobody waits for any more may come in late.
    if (!dispatch.workflow.endsWith("/ci.yml")) return;
    dispatches.push(dispatch);
    if (conclusion !== null) end(dispatch.runId, conclusion);
  };
  return dispatches;
}

function ownStatuses(): readonly string[] {
  return at.api.world.statuses.filter(({ context }) => context === "smithers/ci").map(({ state }) => state);
}

gateContract("CI", async () => {
  at.api.world.onDispatch = ({ workflow, runId }) => {
    if (!workflow.includes("hangs")) end(runId, workflow.includes("green") ? "success" : "failure");
  };
  const of = (file: string): Gate => gate({ file, clock: systemClock });
  return {
    ...{ green: of("green.yml"), red: of("red.yml"), unrunnable: of("none.yml"), hanging: of("hangs.yml") },
    async [Symbol.asyncDispose]() {},
  };
});

describe("ci-workflow as a gate", () => {
  beforeEach(() => {
    at.api.world.statuses.length = 0;
  });

  test("the work is committed and pushed, and CI judges that commit [C7, C13]", async () => {
    await writeFile(path.join(job.place.root, "work.txt"), "work\n");
    const dispatches = ciEnds("success");
    const seen: CheckEvent[] = [];
    const verdict = await gate({ seen }).judge(EVIDENCE, never);
    const tip = await at.tip(BRANCH);
    const check = { role: "quality", command: "CI ci.yml", exitCode: 0, timedOut: false };
    expect(verdict).toMatchObject({ result: "passed", checks: [check] });
    expect(seen).toMatchObject([
      { type: "check.started", command: "CI ci.yml" },
      { type: "check.ended", check },
    ]);
    expect(dispatches).toMatchObject([{ ref: BRANCH, inputs: {} }]);
    expect(at.api.world.runs.filter(({ path: file }) => file.endsWith("/ci.yml"))).toMatchObject([{ sha: tip }]);
    expect(await at.git("log", "-1", "--format=%s", "--name-only")).toBe("smithers: the task\n\nwork.txt");
    expect(at.api.world.statuses.at(-1)).toMatchObject({ sha: tip, context: "smithers/ci", state: "success" });
  });

  test.each([
    ["failure", "failed", "failure"],
    ["timed_out", "failed", "failure"],
    ["skipped", "unrunnable", "error"],
    ["cancelled", "unrunnable", "error"],
    ["action_required", "unrunnable", "error"],
  ])("a run that ends as %s: %s [C7]", async (conclusion, result, state) => {
    ciEnds(conclusion);
    expect(await gate().judge(EVIDENCE, never)).toMatchObject({ result });
    expect(ownStatuses()).toEqual([state]);
  });

  /** A green job's, whose second step is the one that had failed. */
  const STEPS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    hollow: { "Run npm test": "skipped" },
    renamed: { "Set up job": "success", "Test abc123": "skipped" },
    called: { "Set up job": "success", "Test abc123": "success", Upload: "skipped" },
  };
  test.each([
    ["green beside one that was red before", { test: "success", lint: "failure" }, "failure", "passed", "success"],
    ["red", { test: "failure" }, "failure", "failed", "failure"],
    ["green beside one that has become red", { test: "success", build: "failure" }, "failure", "failed", "failure"],
    ["green beside one that may be red", { test: "success", canary: "failure" }, "success", "passed", "success"],
    ["red although it may be", { test: "failure" }, "success", "failed", "failure"],
    ["skipped", { test: "skipped" }, "success", "unrunnable", "error"],
    ["not there", { lint: "success" }, "success", "unrunnable", "error"],
    ["green beside another of its name that is red", { test: "both" }, "failure", "failed", "failure"],
    ["green without the step that had failed", { test: "hollow" }, "success", "unrunnable", "error"],
    ["green without it, and it is called otherwise", { test: "renamed" }, "success", "unrunnable", "error"],
    ["green with it, and it is called otherwise", { test: "called" }, "success", "passed", "success"],
  ])("the very job that is to be repaired decides: %s [C102, C117]", async (_name, jobs, conclusion, result, state) => {
    const dispatches = ciEnds(conclusion);
    const judged = gate({
      jobs: { wanted: [{ name: "test", step: "Run npm test", number: 2 }], redBefore: ["test", "lint"] },
    });
    const { world } = at.api;
    const ends = world.onDispatch;
    world.onDispatch = (dispatch) => {
      const add = (name: string, conclusion: string, steps = {}) =>
        world.jobs.push(aJob({ id: world.nextId(), runId: dispatch.runId, name, conclusion, steps }));
      for (const [name, ended] of Object.entries(jobs)) {
        const steps = STEPS[ended];
        if (steps !== undefined) add(name, "success", steps);
        else add(name, ended === "both" ? "success" : ended);
        if (ended === "both") add(name, "failure");
      }
      return ends?.(dispatch);
    };
    expect(await judged.judge(EVIDENCE, never)).toMatchObject({ result });
    expect(ownStatuses().at(-1)).toBe(state);
    expect(dispatches).toHaveLength(1);
  });

  test.each([
    [
      "unlike",
      "ci.yml is not as in main",
      /ci\.yml is not as in main, and what a branch says itself proves nothing/u,
      /pull request of its own.*success-cmd/u,
    ],
    [
      "unread",
      "GitHub is away",
      /whether its workflow is as on the base is not known: GitHub is away/u,
      /resume the loop/u,
    ],
  ] as const)(
    "a workflow that the branch has changed, or may have, judges nothing: %s [C118]",
    async (kind, because, what, next) => {
      const dispatches = ciEnds("success");
      const verdict = await gate({ trusted: failed({ kind, because }) }).judge(EVIDENCE, never);
      const problem = { what: expect.stringMatching(what), next: expect.stringMatching(next) };
      expect(verdict).toMatchObject({ result: "unrunnable", checks: [], problem });
      expect([dispatches, ownStatuses()]).toEqual([[], []]);
    },
  );

  test("a loop that is ended while the workflow is compared is cut off, and starts nothing [C118]", async () => {
    const dispatches = ciEnds("success");
    const over = new AbortController();
    const trusts = async () => {
      over.abort();
      return done(undefined);
    };
    expect(await gate({ trusts }).judge(EVIDENCE, over.signal)).toEqual({ result: "cut_off", checks: [] });
    expect(dispatches).toEqual([]);
  });

  test("a job that GitHub does not tell of has shown nothing [C102]", async () => {
    ciEnds("success");
    at.api.fail("actions/list-jobs-for-workflow-run", { status: 500, body: {} }, 9);
    const verdict = await gate({ jobs: { wanted: [{ name: "test", step: null }], redBefore: [] } }).judge(
      EVIDENCE,
      never,
    );
    expect(verdict).toMatchObject({
      result: "unrunnable",
      problem: { what: expect.stringContaining("what its jobs say is not known") },
    });
  });

  test("thrift: a run that takes half an hour is looked at ever more seldom, and only sent when it has changed [C13]", async () => {
    const clock = fastClock();
    const dispatches = ciEnds(null);
    const start = at.api.requests.length;
    const begun = clock.now();
    clock.at(begun + 30 * 60_000, () => end(dispatches[0]?.runId ?? 0, "success"));
    const verdict = await gate({ clock }).judge(EVIDENCE, never);
    expect(verdict.checks).toMatchObject([{ durationMs: expect.closeTo(30 * 60_000, -5) }]);
    const looks = at.api.requests.slice(start).filter(({ operation }) => operation === "actions/get-workflow-run");
    expect(looks.length).toBeLessThan(70);
    expect(looks.slice(2, -1).every(({ headers }) => headers["if-none-match"] !== undefined)).toBe(true);
    expect(ownStatuses()).toEqual(["pending", "success"]);
  });

  test("cut off at the deadline, it goes on with the same run [C7]", async () => {
    const clock = fastClock();
    const dispatches = ciEnds(null);
    const deadline = clock.now() + 60_000;
    expect(await gate({ clock }).judge({ ...EVIDENCE, deadline }, never)).toEqual({ result: "cut_off", checks: [] });
    expect(clock.now()).toBeLessThan(deadline + 31_000);
    end(dispatches[0]?.runId ?? 0, "success");
    expect(await gate().judge(EVIDENCE, never)).toMatchObject({ result: "passed" });
    expect(dispatches).toHaveLength(1);
    expect(ownStatuses()).toEqual(["pending", "success"]);
  });

  test("what GitHub fails at in passing is asked again", async () => {
    const dispatches = ciEnds(null);
    const clock = fastClock();
    clock.at(clock.now() + 9_000, () => at.api.fail("actions/get-workflow-run", { status: 502, body: {} }, 2));
    clock.at(clock.now() + 60_000, () => end(dispatches[0]?.runId ?? 0, "success"));
    expect(await gate({ clock }).judge(EVIDENCE, never)).toMatchObject({ result: "passed" });
  });

  test("a run that is gone for good is not a verdict", async () => {
    ciEnds(null);
    const clock = fastClock();
    clock.at(clock.now() + 9_000, () => at.api.world.runs.splice(0));
    expect(await gate({ clock }).judge(EVIDENCE, never)).toMatchObject({
      result: "unrunnable",
      problem: { code: "CI_UNRUNNABLE", what: expect.stringContaining("GitHub does not know it") },
    });
  });

  test("a server that does not say which run it has started: it is found by its commit, also in lists that lag [C148]", async () => {
    const dispatches = ciEnds("success");
    const body = { message: '"return_run_details" is not a permitted key.' };
    at.api.fail("actions/create-workflow-dispatch", { status: 422, body });
    at.api.lag("actions/list-workflow-runs", 4);
    expect(await gate().judge(EVIDENCE, never)).toMatchObject({ result: "passed" });
    expect(dispatches).toHaveLength(1);
  });

  test("a start that was not answered may have come about, and is not repeated", async () => {
    const dispatches = ciEnds("success");
    at.api.world.runs.push(runOf(4, await at.tip(BRANCH)));
    at.api.fail("actions/list-workflow-runs", { status: 200, body: { total_count: 0, workflow_runs: [] } });
    at.api.fail("actions/create-workflow-dispatch", { status: 502, body: {} });
    const clock = fastClock();
    clock.at(clock.now() + 20_000, () => end(4, "success"));
    expect(await gate({ clock }).judge(EVIDENCE, never)).toMatchObject({ result: "passed" });
    expect(dispatches).toEqual([]);
  });

  test.for<[what: string, sees: (older: string) => readonly string[], starts: number, result: string]>([
    ["of what was there before the push", (older) => [older, older], 3, "passed"],
    ["of a branch that GitHub does not know yet", () => [""], 1, "passed"],
    ["of what was there before, again and again", (older) => [older, older, older, older], 3, "unrunnable"],
  ])("a run right after the push, %s, is started again for a while [C148]", async ([, sees, starts, result]) => {
    const dispatches = ciEnds("success");
    const older = await at.tip(BRANCH);
    await at.work(`late-${starts}-${result}.txt`);
    const { dispatchesSee } = at.api.world.settings;
    dispatchesSee.push(...sees(older));
    const verdict = await gate().judge(EVIDENCE, never);
    dispatchesSee.splice(0);
    expect(verdict).toMatchObject({ result });
    expect(dispatches).toHaveLength(starts);
    const what = JSON.stringify(verdict);
    expect(what.includes("GitHub has not noticed yet")).toBe(result === "unrunnable");
  });

  test("a run of another commit proves nothing", async () => {
    ciEnds(null);
    at.api.world.onDispatch = ({ runId }) => {
      const { runs } = at.api.world;
      runs.push({ ...runs.splice(0)[0], ...runOf(runId, "c".repeat(40)) });
    };
    expect(await gate().judge(EVIDENCE, never)).toMatchObject({
      result: "unrunnable",
      problem: { what: expect.stringContaining("it ran on cccccccccccc") },
    });
  });

  test.each([
    ["actions/list-workflow-runs", 403, "Resource not accessible by integration", "permissions: actions: read"],
    ["actions/create-workflow-dispatch", 403, "Resource not accessible by integration", "permissions: actions: write"],
    [
      "actions/create-workflow-dispatch",
      422,
      "Workflow does not have 'workflow_dispatch' trigger",
      "add workflow_dispatch to its on:",
    ],
  ])("%s refused with %i: the line that is missing is told", async (operation, status, message, why) => {
    ciEnds("success");
    at.api.fail(operation, { status, body: { message, documentation_url: "" } });
    expect(await gate().judge(EVIDENCE, never)).toMatchObject({
      result: "unrunnable",
      checks: [],
      problem: { code: "CI_UNRUNNABLE", what: expect.stringContaining(why), next: expect.stringContaining("resume") },
    });
  });

  test("a status that cannot be set is told, and changes no verdict", async () => {
    ciEnds("success");
    const message = "Resource not accessible by integration";
    at.api.fail("repos/create-commit-status", { status: 403, body: { message } });
    expect(await gate().judge(EVIDENCE, never)).toMatchObject({ result: "passed" });
    expect(job.notices.join("\n")).toContain("smithers/ci is not set: the token may not do this");
  });

  test.each<[string, Given, string]>([
    ["without a branch", { branch: undefined }, "no branch on GitHub"],
    ["the workflow that the loop itself runs in", { file: "smithers.yml" }, "that this loop runs in"],
    ["a workflow that GitHub does not know", { file: "none.yml" }, "GitHub knows no none.yml"],
  ])("%s it cannot be asked", async (_title, given, why) => {
    expect(await gate(given).judge(EVIDENCE, never)).toMatchObject({
      result: "unrunnable",
      problem: { what: expect.stringContaining(why) },
    });
  });

  test("a branch that somebody moved is left alone [T6]", async () => {
    ciEnds("success");
    await at.push(BRANCH);
    await at.work("more.txt");
    expect(await gate().judge(EVIDENCE, never)).toMatchObject({
      result: "unrunnable",
      problem: { what: expect.stringContaining(`somebody moved ${BRANCH}`), next: expect.stringContaining("on top") },
    });
  });
});

function runOf(id: number, sha: string): RunRow {
  const run = { id, path: ".github/workflows/ci.yml", branch: BRANCH, sha };
  return aRun({ ...run, status: "queued", conclusion: null, createdAt: new Date() });
}
