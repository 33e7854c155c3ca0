import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Ci, type CiMachine, startCi } from "../support/ci/ci.ts";
import { timeIsUpOnce } from "../support/ci/late-clock.ts";
import { scriptedTask } from "../support/ci/scripted-task.ts";
import type { Job } from "../support/runner/runner.ts";
import { waitFor } from "../support/wait-for.ts";

/** The agent ends its turn when the test lets it. */
const WAIT = ["until test -e ../go; do sleep 0.02; done; touch ../late"];

const TASK = scriptedTask([
  { files: { "a.txt": "a\n" }, commands: WAIT },
  { files: { "b.txt": "b\n" }, commands: WAIT },
  { files: { "c.txt": "c\n" } },
]);

let ci: Ci;

beforeAll(async () => {
  ci = await startCi({ publishes: false, files: TASK.files });
});
afterAll(() => ci[Symbol.asyncDispose]());

interface Running {
  readonly job: Promise<Job>;
  /** of main, so far */
  log: string;
}

function start(machine: CiMachine, inputs: Record<string, string>, until?: string): Running {
  const running: { log: string } = { log: "" };
  const job = machine.run({
    inputs: { ...TASK.inputs, "job-timeout-minutes": "60", ...inputs },
    env: until === undefined ? {} : timeIsUpOnce(ci, machine, until),
    vanishWhen: (log) => {
      running.log = log;
      return false;
    },
  });
  return Object.assign(running, { job });
}

async function letGo({ workspace }: CiMachine): Promise<void> {
  await writeFile(path.join(workspace, "../go"), "");
}

describe("two runs of one loop at once [C11, W-46]", () => {
  test("one wins, the other ends as superseded, and a third goes on with the winner's work", async () => {
    const inputs = { "loop-id": "race", "success-sh": "test -f a.txt && test -f b.txt && test -f c.txt" };
    await using one = await ci.machine();
    await using two = await ci.machine();
    const pushes = path.join(ci.remote.folder, "pushes");
    const hook = `echo 1 >> '${pushes}'; until test -e '${ci.remote.folder}/release'; do sleep 0.02; done`;
    await ci.remote.hook("pre-receive", hook);
    const runs = [start(one, inputs, "../late"), start(two, inputs, "../late")];
    const bothAsk = async () => (await readFile(pushes, "utf8").catch(() => "")) === "1\n1\n";
    await waitFor("both to ask for the first turn", bothAsk);
    await writeFile(path.join(ci.remote.folder, "release"), "");
    const loser = await Promise.race(runs.map(({ job }) => job));
    expect(loser).toMatchObject({
      conclusion: "failure",
      outputs: { status: "error", "stop-reason": "superseded", "artifact-id": "" },
    });
    expect(loser.log, "it has paid for a turn").not.toContain("agent ended its turn: 1 file");
    expect(loser.log).toContain("Another run goes on with this loop, so this one stopped");
    expect(loser.log).toContain(
      "::notice::What this run did is not kept: another run has gone on with this loop: refs/",
    );
    await Promise.all([letGo(one), letGo(two)]);
    const winner = (await Promise.all(runs.map(({ job }) => job))).find(({ runId }) => runId !== loser.runId);
    expect(winner).toMatchObject({ conclusion: "success", outputs: { status: "paused_time_budget", iterations: "1" } });
    expect(ci.results.artifacts.stored.map(({ run }) => run)).toEqual([winner?.runId, winner?.runId]);

    await using third = await ci.machine();
    await letGo(third);
    const done = await start(third, inputs).job;
    expect(done.outputs).toMatchObject({ status: "completed", iterations: "3" });
  });

  test.each([
    { name: "red", check: "test -f b.txt" },
    { name: "green", check: "test -f a.txt || test -f b.txt" },
  ])("a run that finds the loop taken over ends as superseded, its own check $name", async ({ name, check }) => {
    const inputs = { "loop-id": `late-${name}`, "success-sh": check };
    await using early = await ci.machine();
    const running = start(early, inputs);
    await waitFor("the first to be at work", async () => (await ci.refOf(`late-${name}`)) !== "");
    await using late = await ci.machine();
    await letGo(late);
    expect((await start(late, inputs).job).outputs).toMatchObject({ status: "completed", iterations: "2" });
    const ref = await ci.refOf(`late-${name}`);
    await letGo(early);
    const loser = await running.job;
    expect(loser).toMatchObject({
      conclusion: "failure",
      outputs: { status: "error", "stop-reason": "superseded", "artifact-id": "" },
    });
    expect(await ci.refOf(`late-${name}`)).toBe(ref);
  });
});
