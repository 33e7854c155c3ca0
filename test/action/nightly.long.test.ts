import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Ci, type CiJob, startCi } from "../support/ci/ci.ts";
import { scriptedTask } from "../support/ci/scripted-task.ts";
import type { Job } from "../support/runner/runner.ts";

const TASK = scriptedTask([{ files: { "done.txt": "done\n" } }]);
const SCRIPTS = {
  "nothing.json": { turns: [{}] },
  "auth.json": { turns: [{ failure: { kind: "auth", message: "no such key" } }] },
  "stop.json": {
    turns: [
      { files: { "TODO.md": "- [x] build\nHARD STOP: look at it\n- [ ] ship\n" } },
      { files: { "done.txt": "" } },
    ],
  },
};

let ci: Ci;

beforeAll(async () => {
  const scripts = Object.entries(SCRIPTS).map(([name, script]) => [name, JSON.stringify(script)]);
  const todo = "- [ ] build\nHARD STOP: look at it\n- [ ] ship\n";
  ci = await startCi({
    byRef: true,
    publishes: false,
    files: { ...TASK.files, ...Object.fromEntries(scripts), "TODO.md": todo },
  });
});
afterAll(() => ci[Symbol.asyncDispose]());

/** A run of the workflow on an empty machine, by schedule unless said. */
async function night(loopId: string, inputs: Record<string, string> = {}, event?: CiJob["event"]): Promise<Job> {
  await using machine = await ci.machine();
  return await machine.run({
    inputs: { ...TASK.inputs, "job-timeout-minutes": "60", carriers: "ref", "loop-id": loopId, ...inputs },
    ...(event === undefined ? {} : { event }),
  });
}

function byHand(smithers: string, type = "User"): CiJob["event"] {
  const payload = { repository: { private: true }, sender: { login: "mona", type }, inputs: { smithers } };
  return { name: "workflow_dispatch", payload };
}

describe("the nightly story [C25]", { timeout: 120_000 }, () => {
  test("a finished loop begins its next generation the next night, and one at its cap with another prompt", async () => {
    const carriers = { carriers: "ref, artifact, cache" };
    const first = await night("nightly", carriers);
    expect(first.outputs).toMatchObject({ status: "completed", iterations: "1" });
    const second = await night("nightly", carriers);
    expect(second.log).toContain("generation 2");
    expect(second.outputs).toMatchObject({ status: "completed" });

    const more = { prompt: "Write more.", "success-sh": "false", script: "nothing.json" };
    const stopped = { conclusion: "failure", outputs: { status: "stopped_max_iterations", iterations: "1" } };
    const third = await night("nightly", { ...more, "max-iterations": "1" });
    expect(third.log).toContain("generation 3");
    expect(third).toMatchObject(stopped);
    // At its cap it goes on with a higher one only.
    const left = await night("nightly", { ...more, "max-iterations": "1" });
    expect(left).toMatchObject(stopped);
    expect(left.log).toContain("max-iterations has to be higher than that");
    const higher = await night("nightly", { ...more, "max-iterations": "2" });
    expect(higher.outputs).toMatchObject({ status: "stopped_max_iterations", iterations: "2" });
    const fourth = await night("nightly", { ...more, prompt: "Write still more.", "max-iterations": "1" });
    expect(fourth.log).toContain("generation 4");
    expect(fourth).toMatchObject(stopped);
  });

  test("a loop that ends in an error goes on as often in a row as max-error-resumes says, and is left alone then", async () => {
    const auth = { script: "auth.json", "max-error-resumes": "1" };
    for (const iterations of ["1", "2"]) {
      const { outputs, conclusion } = await night("errors", auth);
      expect({ conclusion, ...outputs }).toMatchObject({ conclusion: "failure", status: "error", iterations });
    }
    const third = await night("errors", auth);
    expect(third).toMatchObject({ conclusion: "failure", outputs: { status: "error", iterations: "2" } });
    expect(third.log).toMatch(/::notice::The loop ended in an error 2 times in a row; .* max-error-resumes/u);
    const again = await night("errors", { "max-error-resumes": "2" });
    expect(again.outputs).toMatchObject({ status: "completed", iterations: "3" });
  });

  test("a HARD STOP waits for a person who starts the workflow and says continue [C10]", async () => {
    const task = { "todo-file": "TODO.md", script: "stop.json" };
    const paused = {
      conclusion: "success",
      outputs: { status: "paused_hard_stop", iterations: "1", resumable: "true" },
    };
    expect(await night("stop", task)).toMatchObject(paused);
    for (const event of [undefined, byHand(""), byHand("continue", "Bot")]) {
      const left = await night("stop", task, event);
      expect(left).toMatchObject(paused);
      expect(left.log).toContain(
        "::notice::The loop waits for a person: confirm and go on with: a run of this workflow started by hand",
      );
      expect(left.log).not.toContain("is not kept");
    }
    const done = await night("stop", task, byHand("continue"));
    expect(done).toMatchObject({ conclusion: "success", outputs: { status: "completed", iterations: "2" } });
  });
});
