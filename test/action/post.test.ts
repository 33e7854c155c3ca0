import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { GO_ON, runCancelled } from "../support/ci/cancelled.ts";
import { type Ci, startCi } from "../support/ci/ci.ts";
import { HANGING_FILES, hangingTask } from "../support/ci/hanging-task.ts";

/** Where GitHub is asked when an ending is published. */
const PUBLISHING = ["graphql/viewer", "pulls/list", "repos/create-commit-status"];

let ci: Ci;

beforeAll(async () => {
  ci = await startCi({ publishes: false, files: HANGING_FILES });
});
afterAll(() => ci[Symbol.asyncDispose]());

describe("C11: post", () => {
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

  test("carries away once, into one file of the summary, and later posts find it done", async () => {
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
    expect(mine.map(({ name, finalized }) => [name, finalized])).toEqual([
      [`smithers-carried-once-${job.runId}-1`, true],
    ]);
  });

  test("ends within its minute when everything hangs, says what is lost, and writes the summary all the same", async () => {
    await using task = await hangingTask("all-hangs");
    await task.turnOn("hang-in-turn-2");
    await using machine = await ci.machine();
    const check = { "success-sh": "sh check.sh && test -f two.txt", commit: "iteration", "pull-request": "auto" };
    const job = await machine.run({
      inputs: { ...task.inputs, ...check },
      // Without its NODE_OPTIONS the services' waits are a hundredth of the real ones.
      env: { SWITCHES: task.env["SWITCHES"] ?? "" },
      cancelWhen: () => {
        if (!task.hangs("turn")) return false;
        ci.remote.fault = ({ url }) => (url.includes("git-") ? "hang" : undefined);
        for (const operation of PUBLISHING) ci.api.fail(operation, "hang", 99);
        for (const method of ["CreateArtifact", "CreateCacheEntry"]) ci.results.fail(method, "hang");
        return true;
      },
    });
    ci.remote.fault = undefined;
    ci.results.heal();
    for (const operation of PUBLISHING) ci.api.fail(operation, "drop", 0);
    const [post] = job.posts;
    process.stdout.write(`post with everything hanging: ${post?.durationMs} ms, its waits for uploads shortened\n`);
    expect(post?.result).toBe("success");
    expect(post?.summary).not.toBe("");
    expect(post?.log).toMatch(/artifact: the service took longer than/u);
    expect(post?.log).toMatch(/cache: the service took longer than/u);
    expect(post?.durationMs).toBeLessThan(45_000);

    await task.turnOff("hang-in-turn-2");
    await task.turnOn("two");
    await using next = await ci.machine();
    const done = await next.run({ ...task, inputs: { ...task.inputs, ...check }, event: GO_ON });
    expect(done.outputs).toMatchObject({ status: "completed" });
  });
});
