import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Ci, startCi } from "../support/ci/ci.ts";
import { timeIsUpOnce } from "../support/ci/late-clock.ts";
import { savePoint } from "../support/ci/save-point.ts";
import { addFile, answer, message } from "../support/model-server.ts";
import type { Job } from "../support/runner/runner.ts";

const TASK = {
  prompt: "Write a.txt and b.txt.",
  "success-sh": "test -f a.txt && test -f b.txt",
  "full-auto": "true",
  "api-key": "sk-secret-key",
  "job-timeout-minutes": "60",
};

interface Run extends Job {
  readonly prompts: number;
  readonly threads: readonly string[];
}

/** What the agent writes: one file in each turn. */
let file: string;
let ci: Ci;
let first: Run;
let again: () => Promise<void>;

beforeAll(async () => {
  ci = await startCi({
    publishes: false,
    files: { "README.md": "hello\n" },
    script: ({ outputs }) => answer([outputs.length === 0 ? addFile(file, "text\n") : message("Working.")]),
  });
  first = await run("a.txt", true);
  again = await savePoint(ci);
});
afterAll(() => ci[Symbol.asyncDispose]());
beforeEach(() => again());

/** Runs the loop on an empty machine, which writes a file; then its time is up, or it goes on until it is done. */
async function run(name: string, timeIsUp: boolean): Promise<Run> {
  file = name;
  await using machine = await ci.machine();
  const before = ci.model?.requests.length ?? 0;
  const job = await machine.run({ inputs: TASK, env: timeIsUp ? timeIsUpOnce(ci, machine, name) : {} });
  const requests = ci.model?.requests.slice(before) ?? [];
  return {
    ...job,
    prompts: requests[0]?.prompts.length ?? 0,
    threads: [...new Set(requests.map(({ threadId }) => threadId))],
  };
}

describe("a loop that ran out of time [C11, C25]", () => {
  test("goes on in the next run, on an empty machine, as the same loop in the same session of Codex [W-02]", async () => {
    expect(first).toMatchObject({
      conclusion: "success",
      outputs: { status: "paused_time_budget", iterations: "1", resumable: "true" },
    });
    const second = await run("b.txt", false);
    expect(second).toMatchObject({ conclusion: "success", outputs: { status: "completed", iterations: "2" } });
    expect(second.outputs["loop-id"]).toBe(first.outputs["loop-id"]);
    expect(second).toMatchObject({ prompts: 2, threads: first.threads });
    expect(second.log).not.toContain("::notice");
  });

  test("goes on from its ref alone, in a fresh session, and says so", async () => {
    ci.results.cache.entries.length = 0;
    ci.api.world.artifacts.length = 0;
    const second = await run("b.txt", false);
    expect(second.outputs).toMatchObject({ status: "completed", iterations: "2" });
    expect(second.prompts).toBe(1);
    expect(second.log).toContain("::notice::Neither cache nor artifact could bring the loop's other files.");
    expect(second.log).toContain("the unfinished work of the last run is in the work tree again");
    expect(second.threads).not.toEqual(first.threads);
  });

  test("goes on in the same session, with its work, from its artifact alone when its ref is gone and the cache evicted, and says so", async () => {
    ci.results.cache.entries.length = 0;
    const ref = `refs/smithers-loops/${first.outputs["loop-id"]}`;
    await ci.remote.git("update-ref", "-d", ref);
    const second = await run("b.txt", false);
    expect(second.outputs).toMatchObject({ status: "completed", iterations: "2" });
    expect(second).toMatchObject({ prompts: 2, threads: first.threads });
    expect(second.log).toContain(`${ref} is gone, so the loop goes on from the copy in the artifact.`);
  });
});
