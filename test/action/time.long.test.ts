import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Ci, type CiJob, startCi } from "../support/ci/ci.ts";
import { HANGING_FILES, hangingTask } from "../support/ci/hanging-task.ts";
import type { Job } from "../support/runner/runner.ts";

const MINUTE = 60_000;
const FAST_CLOCK = pathToFileURL(path.join(import.meta.dirname, "../support/fast-clock.mjs")).href;
/** The job runs for a quarter of an hour, says the file. */
const WORKFLOW = "jobs:\n  loop:\n    timeout-minutes: 15\n    steps: []\n";

let ci: Ci;

beforeAll(async () => {
  ci = await startCi({ byRef: true, publishes: false, files: HANGING_FILES });
});
afterAll(() => ci[Symbol.asyncDispose]());

interface Given {
  readonly loopId: string;
  readonly inputs?: Record<string, string>;
  /** of the workflow's file in the checkout */
  readonly workflow?: string;
  readonly job?: CiJob;
}

/** A job whose agent is done after one turn, if one begins. */
async function run({ loopId, inputs = {}, workflow, job }: Given): Promise<Job> {
  await using task = await hangingTask(loopId);
  await using machine = await ci.machine();
  if (workflow !== undefined) {
    const folder = path.join(machine.workspace, ".github/workflows");
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, "smithers.yml"), workflow);
    await machine.git("add", ".github");
    await machine.git("commit", "-q", "-m", "Add the workflow");
  }
  const { "job-timeout-minutes": _, ...rest } = task.inputs;
  return await machine.run({ ...job, inputs: { ...rest, ...inputs }, env: { ...task.env, ...job?.env } });
}

const PAUSED = { status: "paused_time_budget", resumable: "true", iterations: "0" };
const COMPLETED = { status: "completed", iterations: "1" };
const ago = (minutes: number): CiJob => ({ startedAt: Date.now() - minutes * MINUTE });

describe("until when a job's loop works [section 9]", () => {
  test.for([
    { name: "an hour is assumed where nobody says", job: ago(30), said: "reckons with 60 minutes", outputs: COMPLETED },
    { name: "the hour counts from the job's start", job: ago(54), said: "No iteration can begin", outputs: PAUSED },
    {
      name: "the workflow's file says it",
      job: ago(11),
      workflow: WORKFLOW,
      said: "The job's time-out is 15 minutes, as .github/workflows/smithers.yml says.",
      outputs: PAUSED,
    },
    {
      name: "what is set goes before the file, and a difference is told",
      job: ago(11),
      workflow: WORKFLOW,
      inputs: { "job-timeout-minutes": "30" },
      said: "::warning::job-timeout-minutes is 30, but .github/workflows/smithers.yml gives the job timeout-minutes: 15.",
      outputs: COMPLETED,
    },
    {
      name: "a time budget that ends first counts, and the reserve is a part of it",
      job: ago(1),
      inputs: { "job-timeout-minutes": "360", "time-budget-minutes": "5.5" },
      said: "5 min are kept",
      outputs: PAUSED,
    },
  ])("$name", async ({ name, job, inputs, workflow, said, outputs }) => {
    const loopId = name.replaceAll(/\W+/gu, "-").slice(0, 30);
    const done = await run({ loopId, job, ...(inputs && { inputs }), ...(workflow && { workflow }) });
    expect(done.log).toContain(said);
    expect(done).toMatchObject({ conclusion: "success", outputs });
  });

  test("where the job's start may not be asked for, the step's counts, which is said", async () => {
    const refused = { status: 403, body: { message: "Resource not accessible by integration" } };
    ci.api.fail("actions/get-job-for-workflow-run", refused);
    const done = await run({ loopId: "start-unknown", job: ago(58), inputs: { "job-timeout-minutes": "60" } });
    expect(done.log).toContain("When the job began is not known");
    expect(done.outputs).toMatchObject(COMPLETED);
  });
});

describe("the end of the time [section 9]", () => {
  test("a turn that still runs is ended, and the job is still green; once a minute the log shows a sign of life", async () => {
    await using task = await hangingTask("turn-cut");
    await task.turnOn("hang-in-turn-1");
    await using machine = await ci.machine();
    const job = await machine.run({
      inputs: { ...task.inputs, "job-timeout-minutes": "7", "reserve-minutes": "4" },
      env: { ...task.env, NODE_OPTIONS: `--import=${FAST_CLOCK}` },
    });
    expect(job).toMatchObject({
      conclusion: "success",
      outputs: { status: "paused_time_budget", resumable: "true", iterations: "1" },
    });
    expect(job.main.durationMs).toBeLessThan((7 * MINUTE) / 20);
    expect(job.log).toMatch(/still: .+ 4 min left/u);
    await using next = await ci.machine();
    await task.turnOff("hang-in-turn-1");
    expect((await next.run(task)).outputs).toMatchObject({ status: "completed", iterations: "2" });
  });
});
