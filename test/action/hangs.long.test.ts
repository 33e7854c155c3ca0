import { describe, expect, test } from "vitest";
import { GO_ON, hangPushes } from "../support/ci/cancelled.ts";
import { startCi } from "../support/ci/ci.ts";
import { HANGING_FILES, hangingTask } from "../support/ci/hanging-task.ts";
import { FILES, filesOn, ON_AND_ON, pullsOf, saidOn, tipOf, told, work } from "./publish-stage.ts";

const MINUTE = 60_000;
/** Where GitHub is asked when an ending is published. */
const PUBLISHING = ["graphql/viewer", "pulls/list", "repos/create-commit-status"];
/** 0.3 minutes. */
const RESERVE_MS = 18_000;
/** What is left of a turn and of its check, on a machine that has other work. */
const TURN_MS = 20_000;

// Each waits, most of its time.
describe.concurrent("a step ends in its time whatever hangs [C11, C13, section 9]", { timeout: 180_000 }, () => {
  test("post ends within its minute when everything hangs, says what is lost, and writes the summary all the same", async () => {
    await using ci = await startCi({ publishes: false, files: HANGING_FILES });
    await using task = await hangingTask("all-hangs");
    await task.turnOn("hang-in-turn-2");
    // What main does is no matter here, so it gets less time than the runner gives it.
    await using machine = await ci.machine({ ladder: { interruptMs: 2_000, terminateMs: 500 } });
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
    // Nothing holds what the run did (C56).
    expect(post?.result).toBe("failure");
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

  test("carriers and GitHub, which hang, take no more than the reserve, all together", async () => {
    await using ci = await startCi({ byRef: true, publishes: false, files: HANGING_FILES });
    ci.remote.fault = ({ url }) => (url.endsWith("git-receive-pack") ? "hang" : undefined);
    for (const method of ["CreateArtifact", "CreateCacheEntry"]) ci.results.fail(method, "hang");
    for (const operation of ["actions/get-actions-cache-list", "graphql/viewer"]) ci.api.fail(operation, "hang", 9);
    const reserve = 0.1;
    await using task = await hangingTask("reserve");
    await using machine = await ci.machine();
    const inputs = { "job-timeout-minutes": "60", "reserve-minutes": String(reserve), "pull-request": "auto" };
    const job = await machine.run({
      ...task,
      inputs: { ...task.inputs, ...inputs },
      startedAt: Date.now() - 59.5 * MINUTE,
    });
    ci.remote.fault = undefined;
    ci.results.heal();
    expect(job).toMatchObject({
      // Nothing holds what the run did (C56).
      conclusion: "failure",
      outputs: { status: "paused_time_budget", resumable: "true", iterations: "0" },
    });
    process.stdout.write(
      `everything hangs: the step took ${job.main.durationMs} ms, ${reserve * MINUTE} of them may be the reserve\n`,
    );
    expect(job.main.durationMs).toBeLessThan(0.3 * MINUTE);
    expect(job.main.summary).toContain("paused_time_budget");
  });

  test("publishes what it can while GitHub and git hang, says where the work is, and the next run publishes it", async () => {
    await using ci = await startCi({ files: FILES });
    const HANGS = ["pulls/list", "pulls/create", "repos/create-commit-status", "repos/get"];
    let began = 0;
    const pushes: { heal?: () => void } = {};
    const hang = (log: string): boolean => {
      if (began > 0 || !log.includes("Iteration 1 of")) return false;
      began = performance.now();
      for (const operation of HANGS) ci.api.fail(operation, "hang", 99);
      Object.assign(pushes, hangPushes(ci.remote));
      return false;
    };
    const inputs = { ...ON_AND_ON, "max-iterations": "1", "reserve-minutes": "0.3" };
    // The times are as long as they are.
    const job = await work(ci, "hung", inputs, { cancelWhen: hang, env: { NODE_OPTIONS: "" } });
    const tookMs = performance.now() - began;
    for (const operation of HANGS) ci.api.fail(operation, "drop", 0);
    pushes.heal?.();
    expect(job).toMatchObject({ conclusion: "failure", outputs: { status: "stopped_max_iterations" } });
    expect(tookMs).toBeLessThan(RESERVE_MS + TURN_MS);
    expect(told(job)).toMatch(
      /Nothing was pushed to smithers\/hung: there was no answer .* kept with the loop's files/u,
    );
    expect(job.main.summary).toMatch(/artifact \| yes/u);
    // The branch is where the run began: it was made before the first turn, and nobody answers who could delete it.
    expect(await tipOf(ci, "smithers/hung")).toBe(await tipOf(ci, "main"));

    const next = await work(ci, "hung", { ...ON_AND_ON, "max-iterations": "2" });
    expect(next.outputs).toMatchObject({ status: "stopped_max_iterations", branch: "smithers/hung" });
    expect(await filesOn(ci, "smithers/hung")).toEqual(["n1.txt", "n2.txt"]);
    expect(saidOn(ci, pullsOf(ci, "smithers/hung"))).toMatchObject({ drafts: [true], comments: 1 });
    expect(ci.api.problems).toEqual([]);
  });
});
