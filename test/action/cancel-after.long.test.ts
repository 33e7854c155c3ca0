import { execFileSync } from "node:child_process";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hangPushes, runCancelled } from "../support/ci/cancelled.ts";
import { type Ci, startCi } from "../support/ci/ci.ts";
import { HANGING_FILES, type HangingTask, hangingTask } from "../support/ci/hanging-task.ts";

const BUG = pathToFileURL(path.join(import.meta.dirname, "../support/bug.mjs")).href;

let shared: Ci;

beforeAll(async () => {
  shared = await started();
});
afterAll(() => shared[Symbol.asyncDispose]());

async function started(): Promise<Ci> {
  return await startCi({ publishes: false, files: HANGING_FILES });
}

/** The iteration of the state that a loop's ref holds. */
function iterationOf({ remote }: Ci, loopId: string): unknown {
  const record = execFileSync("git", ["show", `refs/smithers-loops/${loopId}:record.json`], { cwd: remote.folder });
  return JSON.parse(record.toString()).state.iteration;
}

/** The next run, on an empty machine, brings the loop to its end. */
async function goesOn(ci: Ci, task: Pick<HangingTask, "inputs" | "env">) {
  await using machine = await ci.machine();
  return await machine.run(task);
}

// They wait for the runner's signals most of the time. Those whose services fail have their own.
describe.concurrent("what main did not come to is done by post [C11, W-46]", () => {
  test("a cancel while the ending is saved: post saves it", async () => {
    await using ci = await started();
    await using task = await hangingTask("save");
    await task.turnOn("never-done");
    const pushes = hangPushes(ci.remote);
    await using machine = await ci.machine();
    const job = await runCancelled(machine, {
      ...task,
      inputs: { ...task.inputs, "max-iterations": "1" },
      cancelWhen: (log) => {
        const saves = pushes.hanging() && log.includes("loop stopped_max_iterations");
        if (saves) pushes.heal();
        return saves;
      },
      posts: 2,
    });
    expect(job.conclusion).toBe("cancelled");
    expect(job.checkpointMs).toBeLessThan(0);
    expect([job.main, ...job.posts].map(({ summary }) => summary !== "")).toEqual([false, true, false]);
    await task.turnOff("never-done");
    expect((await goesOn(ci, task)).outputs).toMatchObject({ status: "completed", iterations: "2" });
  });

  test("a cancel in the middle of an upload: post uploads under a name that is free", async () => {
    await using ci = await started();
    await using task = await hangingTask("upload");
    await task.turnOn("never-done");
    ci.results.artifacts.refusesFiles = true;
    ci.results.fail("FinalizeArtifact", "hang", 1);
    await using machine = await ci.machine();
    const job = await runCancelled(machine, {
      ...task,
      inputs: { ...task.inputs, "max-iterations": "1" },
      cancelWhen: () => ci.results.requests.some(({ method }) => method === "FinalizeArtifact"),
      posts: 2,
    });
    expect(job.conclusion).toBe("cancelled");
    const mine = ci.results.artifacts.stored.filter(({ run }) => run === job.runId);
    expect(mine.map(({ name, finalized }) => [name, finalized])).toEqual([
      [`smithers-upload-${job.runId}-1`, false],
      [`smithers-upload-${job.runId}-1.2`, true],
    ]);
    expect([job.main, ...job.posts].map(({ summary }) => summary !== "")).toEqual([false, true, false]);
    await task.turnOff("never-done");
    ci.results.cache.entries.length = 0;
    const next = await goesOn(ci, task);
    expect(next.outputs).toMatchObject({ status: "completed", iterations: "2" });
    expect(next.log).not.toContain("::notice");
  });

  test.for([
    { how: "is killed outright", ladder: { interruptMs: 0, terminateMs: 0 }, preload: "" },
    { how: "has an error that nobody catches", ladder: {}, preload: `--import=${BUG}` },
  ])("a main that $how: post ends what is left and saves the loop", async ({ ladder, preload }) => {
    const loopId = preload === "" ? "killed" : "bug";
    await using task = await hangingTask(loopId);
    await task.turnOn("hang-in-turn-2");
    await using machine = await shared.machine({ ladder });
    const check = { "success-sh": "sh check.sh && test -f two.txt" };
    const job = await runCancelled(machine, {
      ...task,
      inputs: { ...task.inputs, ...check },
      env: { ...task.env, NODE_OPTIONS: preload },
      cancelWhen: () => preload === "" && task.hangs("turn"),
      posts: 2,
    });
    expect(job.state.status).toBe("running");
    expect([job.main, ...job.posts].map(({ summary }) => summary !== "")).toEqual([false, true, false]);
    await task.turnOff("hang-in-turn-2");
    await task.turnOn("two");
    const next = await goesOn(shared, { ...task, inputs: { ...task.inputs, ...check } });
    expect(next.outputs).toMatchObject({ status: "completed", iterations: "3" });
  });

  test("a machine that vanishes: the next run has the work of the last turn that ended, and goes on [C13]", async () => {
    await using task = await hangingTask("vanished");
    await task.turnOn("hang-in-turn-2");
    const check = { "success-sh": "sh check.sh && test -f two.txt" };
    await using machine = await shared.machine();
    const job = await machine.run({
      ...task,
      inputs: { ...task.inputs, ...check },
      // The ref is written beside the turn: it knows of it in a moment.
      vanishWhen: () => task.hangs("turn") && iterationOf(shared, "vanished") === 2,
    });
    expect(job.conclusion).toBe("vanished");
    await task.turnOff("hang-in-turn-2");
    await task.turnOn("two");
    const next = await goesOn(shared, { ...task, inputs: { ...task.inputs, ...check } });
    expect(next.log).toContain("iteration 2 was cut short when its run died; it counts");
    expect(next.outputs).toMatchObject({ status: "completed", iterations: "3" });
  });
});
