import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Ci, startCi } from "../support/ci/ci.ts";
import { timeIsUpOnce } from "../support/ci/late-clock.ts";
import { addFile, answer, message } from "../support/model-server.ts";
import type { Job } from "../support/runner/runner.ts";

const TASK = {
  prompt: "Write a.txt and b.txt.",
  "success-sh": "test -f a.txt && test -f b.txt",
  "full-auto": "true",
  "api-key": "sk-secret-key",
  "job-timeout-minutes": "60",
};

/** What the agent writes: one file in each turn. */
const files: string[] = [];
let ci: Ci;

beforeAll(async () => {
  ci = await startCi({
    publishes: false,
    files: { "README.md": "hello\n" },
    script: ({ outputs }) =>
      answer([outputs.length === 0 ? addFile(files.shift() ?? "too-much.txt", "text\n") : message("Working.")]),
  });
});
afterAll(() => ci[Symbol.asyncDispose]());

/** Runs the loop on an empty machine until it has written `until`, when the job's time is up; "": until it is done. */
async function run(
  loopId: string,
  until: string,
): Promise<Job & { readonly prompts: number; readonly threads: readonly string[] }> {
  await using machine = await ci.machine();
  const before = ci.model?.requests.length ?? 0;
  const job = await machine.run({
    inputs: { ...TASK, "loop-id": loopId },
    env: until === "" ? {} : timeIsUpOnce(ci, machine, until),
  });
  const requests = ci.model?.requests.slice(before) ?? [];
  return {
    ...job,
    prompts: requests[0]?.prompts.length ?? 0,
    threads: [...new Set(requests.map(({ threadId }) => threadId))],
  };
}

describe("C11 C25: a loop that ran out of time", () => {
  test("W-02: goes on in the next run, on an empty machine, in the same session of Codex", async () => {
    files.push("a.txt", "b.txt");
    const first = await run("plain", "a.txt");
    expect(first).toMatchObject({
      conclusion: "success",
      outputs: { status: "paused_time_budget", iterations: "1", resumable: "true" },
    });
    const second = await run("plain", "");
    expect(second).toMatchObject({ conclusion: "success", outputs: { status: "completed", iterations: "2" } });
    expect(second).toMatchObject({ prompts: 2, threads: first.threads });
    expect(second.log).not.toContain("::notice");
  });

  test("goes on in the same session from its artifact when the cache was evicted", async () => {
    files.push("a.txt", "b.txt");
    const first = await run("evicted", "a.txt");
    ci.results.cache.entries.length = 0;
    const second = await run("evicted", "");
    expect(second.outputs).toMatchObject({ status: "completed", iterations: "2" });
    expect(second).toMatchObject({ prompts: 2, threads: first.threads });
  });

  test("goes on from its ref alone, in a fresh session, and says so", async () => {
    files.push("a.txt", "b.txt");
    const first = await run("ref-only", "a.txt");
    ci.results.cache.entries.length = 0;
    ci.api.world.artifacts.length = 0;
    const second = await run("ref-only", "");
    expect(second.outputs).toMatchObject({ status: "completed", iterations: "2" });
    expect(second.prompts).toBe(1);
    expect(second.log).toContain("::notice::Neither cache nor artifact could bring the loop's other files.");
    expect(second.log).toContain("the unfinished work of the last run is in the work tree again");
    expect(second.threads).not.toEqual(first.threads);
  });

  test("goes on in the same session, with its work, from its artifact when its ref is gone, and says so", async () => {
    files.push("a.txt", "b.txt");
    const first = await run("ref-gone", "a.txt");
    await ci.remote.git("update-ref", "-d", "refs/smithers/ref-gone");
    const second = await run("ref-gone", "");
    expect(second.outputs).toMatchObject({ status: "completed", iterations: "2" });
    expect(second).toMatchObject({ prompts: 2, threads: first.threads });
    expect(second.log).toContain("refs/smithers/ref-gone is gone, so the loop goes on from the copy in the artifact.");
  });
});
