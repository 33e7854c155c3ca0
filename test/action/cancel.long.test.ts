import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { GO_ON, hangPushes, runCancelled } from "../support/ci/cancelled.ts";
import { type Ci, startCi } from "../support/ci/ci.ts";
import { RUNNER_LADDER } from "../support/runner/stage.ts";
import { HANGING_FILES, hangingTask } from "../support/ci/hanging-task.ts";

/** Then the runner goes on to the next signal, in milliseconds; how soon the checkpoint really is there, the bench says. */
const IN_TIME = RUNNER_LADDER.interruptMs;

let ci: Ci;

beforeAll(async () => {
  ci = await startCi({ byRef: true, publishes: false, files: HANGING_FILES });
});
afterAll(() => ci[Symbol.asyncDispose]());

describe("a job that is cancelled while its loop runs [C11, W-46]", () => {
  test.for([
    { phase: "turn", hang: "hang-in-turn-1", what: "turn", iterations: "2" },
    { phase: "gate", hang: "hang-in-check", what: "check", iterations: "1" },
  ] as const)("in the $phase: post saves it, and the next run finishes it", async (given) => {
    await using task = await hangingTask(`cancel-${given.phase}`);
    await task.turnOn(given.hang);
    await using first = await ci.machine();
    const job = await runCancelled(first, { ...task, cancelWhen: () => task.hangs(given.what), posts: 2 });
    expect(job.conclusion).toBe("cancelled");
    expect(job.main.sent.map(({ signal }) => signal)).toEqual(["SIGINT"]);
    expect(job.state.status).toBe("paused_user_interrupt");
    expect(job.checkpointMs).toBeLessThan(IN_TIME);
    expect(job.main.summary).toBe("");
    expect(job.posts.map(({ summary }) => summary !== "")).toEqual([true, false]);

    await task.turnOff(given.hang);
    await using second = await ci.machine();
    const done = await second.run({ ...task, event: GO_ON });
    expect(done.outputs).toMatchObject({ status: "completed", iterations: given.iterations });
  });

  test("while a write to the ref hangs: the next turn no longer waits for it", async () => {
    await using task = await hangingTask("cancel-save");
    await task.turnOn("never-done");
    const pushes = hangPushes(ci.remote);
    await using first = await ci.machine();
    const job = await runCancelled(first, {
      ...task,
      cancelWhen: (log) => {
        const waits = pushes.hanging() && /^\[1\/30\] check failed/mu.test(log);
        if (waits) pushes.heal();
        return waits;
      },
    });
    expect(job).toMatchObject({ conclusion: "cancelled", state: { status: "paused_user_interrupt" } });
    expect(job.checkpointMs).toBeLessThan(IN_TIME);

    await task.turnOff("never-done");
    await using second = await ci.machine();
    const waiting = await second.run(task);
    expect(waiting.outputs).toMatchObject({ status: "paused_user_interrupt", resumable: "true" });
    expect(waiting.main.summary).not.toBe("");
    expect((await second.run({ ...task, event: GO_ON })).outputs).toMatchObject({ status: "completed" });
  });
});
