import { afterAll, beforeAll, expect, test } from "vitest";
import { type Ci, startCi } from "../support/ci/ci.ts";
import { HANGING_FILES, type HangingTask, hangingTask } from "../support/ci/hanging-task.ts";
import { refuse } from "../support/results/reply.ts";
import type { Job } from "../support/runner/runner.ts";

let ci: Ci;
beforeAll(async () => {
  ci = await startCi({ publishes: false, files: HANGING_FILES });
});
afterAll(() => ci[Symbol.asyncDispose]());

const NOWHERE = "Nothing of this run is saved anywhere";

/** The results service and git take nothing from now on. */
function nothingIsTaken(): void {
  const down = refuse(500, "internal", "oops");
  ci.results.fail("CreateCacheEntry", down);
  ci.results.fail("CreateArtifact", down);
  ci.remote.fault = ({ url }) => (url.includes("receive-pack") ? { status: 500, text: "oops" } : undefined);
}

/** A job that is cancelled in its first turn, before which `breaks` happens. */
async function cancelledInTurn(task: HangingTask, breaks: () => void, inputs: Record<string, string>): Promise<Job> {
  await task.turnOn("hang-in-turn-1");
  await using machine = await ci.machine();
  breaks();
  try {
    return await machine.run({
      ...task,
      inputs: { ...task.inputs, ...inputs },
      cancelWhen: () => task.hangs("turn"),
      posts: 2,
    });
  } finally {
    ci.results.heal();
    ci.remote.fault = undefined;
  }
}

test.each<[string, () => void, Record<string, string>, "failure" | "success"]>([
  ["nothing takes what the run did: it fails", nothingIsTaken, {}, "failure"],
  ["nothing is to be kept: it does not fail", nothingIsTaken, { carriers: "none" }, "success"],
  ["everything takes it: it does not fail", () => {}, {}, "success"],
])("post, where %s, and a second post says nothing more [C56]", async (name, breaks, inputs, result) => {
  await using task = await hangingTask(`post-${name.slice(0, 12).replaceAll(" ", "-")}`);
  const { posts } = await cancelledInTurn(task, breaks, inputs);
  expect(posts.map((post) => [post.result, post.log.includes(NOWHERE)])).toEqual([
    [result, result === "failure"],
    ["success", false],
  ]);
  expect(posts[0]?.summary.includes(NOWHERE)).toBe(result === "failure");
});
