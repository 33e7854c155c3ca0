import { expect, test } from "vitest";
import { GO_ON } from "../support/ci/cancelled.ts";
import { startCi } from "../support/ci/ci.ts";
import { HANGING_FILES, hangingTask } from "../support/ci/hanging-task.ts";
import { filesOn, stateOf } from "./publish-stage.ts";
import { splitRun } from "./split-stage.ts";

test(
  "a run that is cancelled hands over in post, and the other job publishes that; the next run goes on [C11, C13]",
  { timeout: 180_000 },
  async () => {
    await using ci = await startCi({ files: HANGING_FILES });
    await using task = await hangingTask("cancelled");
    const { inputs, env } = task;
    const first = splitRun(ci, { "loop-id": "cancelled" });
    await task.turnOn("hang-in-turn-2");
    await task.turnOn("never-done");
    const job = await first.run(inputs, { env, cancelWhen: () => task.hangs("turn") });
    expect(job.conclusion).toBe("cancelled");
    expect(await ci.remote.git("for-each-ref", "--format=%(refname)")).toBe("refs/heads/main");
    const published = await first.publish();
    expect(published.outputs).toMatchObject({ status: "paused_user_interrupt", branch: "smithers/cancelled" });
    expect(await filesOn(ci, "smithers/cancelled")).toEqual(["turns.txt"]);
    expect(await stateOf(ci, "cancelled")).toMatchObject({ status: "paused_user_interrupt" });

    await task.turnOff("hang-in-turn-2");
    await task.turnOff("never-done");
    const again = splitRun(ci, { "loop-id": "cancelled" });

    const ran = await again.run(inputs, { env, event: GO_ON });
    expect(ran.outputs).toMatchObject({ status: "completed", resumable: "false" });
    const done = await again.publish({ "handed-over": ran.outputs["artifact-id"] ?? "" }, { event: GO_ON });
    expect(done).toMatchObject({ conclusion: "success", outputs: { status: "completed" } });
    expect(await filesOn(ci, "smithers/cancelled")).toEqual(["done.txt", "turns.txt"]);
    expect(ci.api.world.issues).toMatchObject([{ pull: { draft: false } }]);
    expect(ci.api.problems).toEqual([]);
  },
);
