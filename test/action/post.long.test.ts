import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCancelled } from "../support/ci/cancelled.ts";
import { type Ci, startCi } from "../support/ci/ci.ts";
import { HANGING_FILES, hangingTask } from "../support/ci/hanging-task.ts";

let ci: Ci;

beforeAll(async () => {
  ci = await startCi({ publishes: false, files: HANGING_FILES });
});
afterAll(() => ci[Symbol.asyncDispose]());

describe("post [C11]", () => {
  test("has nothing to do after a main that ended by itself, however often it runs", async () => {
    await using task = await hangingTask("all-done");
    await using machine = await ci.machine();
    const job = await machine.run({ ...task, posts: 2 });
    expect(job.outputs).toMatchObject({ status: "completed" });
    expect(job.posts.map(({ log, summary, result }) => [log, summary, result])).toEqual([
      ["", "", "success"],
      ["", "", "success"],
    ]);
  });

  test("is silent after an error before there was a loop, so that nothing is told twice", async () => {
    await using task = await hangingTask("not-begun");
    await using machine = await ci.machine();
    const job = await machine.run({ ...task, inputs: { ...task.inputs, "max-iterations": "none" } });
    expect(job).toMatchObject({ conclusion: "failure", outputs: { status: "error", "stop-reason": "config" } });
    expect(job.posts.map(({ log, summary, result }) => [log, summary, result])).toEqual([["", "", "success"]]);
    expect(await ci.refOf("not-begun")).toBe("");
  });

  test("saves once, into one file of the summary, and later posts find it done", async () => {
    await using task = await hangingTask("carried-once");
    await task.turnOn("hang-in-turn-1");
    await using machine = await ci.machine();
    const job = await runCancelled(machine, { ...task, cancelWhen: () => task.hangs("turn"), posts: 3 });
    expect(job.posts.map(({ summary, log }) => [summary !== "", log.includes("carrying away")])).toEqual([
      [true, true],
      [false, false],
      [false, false],
    ]);
    const mine = ci.results.artifacts.stored.filter(({ run }) => run === job.runId);
    const name = `smithers-carried-once-${job.runId}-1`;
    expect(mine.every(({ finalized }) => finalized)).toBe(true);
    expect(mine.map((one) => one.name).toSorted()).toEqual([name, `${name}.html`]);
  });
});
