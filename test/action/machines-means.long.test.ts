import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Ci, type CiJob, startCi } from "../support/ci/ci.ts";
import { savePoint } from "../support/ci/save-point.ts";
import { scriptedTask } from "../support/ci/scripted-task.ts";
import { everythingStored } from "../support/ci/stored.ts";
import type { Job } from "../support/runner/runner.ts";

/** Done after two turns, and after three when the work of the first is lost. */
const TASK = scriptedTask([
  { files: { "a.txt": "precious words\n" }, lastMessage: "precious words" },
  { files: { "b.txt": "b\n" } },
  { files: { "a.txt": "again\n" } },
]);
const WRITES = "token-that-writes";
const READS = "token-that-reads";
const KEY = "a long and random text that nobody guesses";

let ci: Ci;

beforeAll(async () => {
  ci = await startCi({ publishes: false, files: TASK.files });
  ci.api.world.tokens.set(READS, { login: "github-actions[bot]", permissions: { contents: "read", actions: "read" } });
});
afterAll(() => ci[Symbol.asyncDispose]());

/** One run of the loop on an empty machine; the first of each loop ends after its first turn. */
async function run(loopId: string, inputs: Record<string, string>, job: CiJob = {}): Promise<Job> {
  await using machine = await ci.machine();
  return await machine.run({
    ...job,
    inputs: {
      ...TASK.inputs,
      "success-sh": "test -f a.txt && test -f b.txt",
      "job-timeout-minutes": "60",
      "loop-id": loopId,
      ...inputs,
    },
  });
}

const ONE = { "max-iterations": "1" };
const PUBLIC: CiJob = { event: { name: "schedule", payload: { repository: { private: false } } } };

describe("a loop is carried by what the job has [C11, C13]", () => {
  test("without contents: write by artifact and cache, work and all, and the notice names the permission", async () => {
    const token = { "github-token": READS };
    const first = await run("reader", { ...token, ...ONE });
    expect(first.outputs).toMatchObject({ status: "stopped_max_iterations", iterations: "1" });
    expect(first.log).toMatch(/::notice::The loop is not kept under refs\/smithers-loops\/reader.*contents: write/u);
    expect(await ci.refOf("reader")).toBe("");
    const second = await run("reader", token);
    expect(second.log).toContain("brought back from artifact: revision");
    expect(second.log).toContain("the unfinished work of the last run is in the work tree again");
    expect(second.outputs).toMatchObject({ status: "completed", iterations: "2" });
  });

  test("without actions: read by the ref, which names the cache", async () => {
    ci.api.world.tokens.set(WRITES, { login: "github-actions[bot]", permissions: { contents: "write" } });
    await run("blind", ONE);
    const second = await run("blind", {});
    ci.api.world.tokens.set(WRITES, {
      login: "github-actions[bot]",
      permissions: { contents: "write", actions: "write" },
    });
    expect(second.outputs).toMatchObject({ status: "completed", iterations: "2" });
    expect(second.log).not.toContain("Neither cache nor artifact");
  });

  test("with a state-key nobody else can read what travels; another key is told, and the same one has everything", async () => {
    const key = { "state-key": KEY };
    await run("sealed", { ...key, ...ONE });
    expect(await ci.remote.git("ls-tree", "-r", "--name-only", "refs/smithers-loops/sealed")).toContain("sealed");
    expect(await ci.remote.git("ls-tree", "-r", "--name-only", "refs/smithers-loops/sealed")).not.toContain("a.txt");
    const again = await savePoint(ci);
    const wrong = await run("sealed", { "state-key": `${KEY}!`, "max-iterations": "2" });
    expect(wrong.log).toMatch(/::notice::.*state-key/u);
    expect(wrong.outputs).toMatchObject({ iterations: "2", status: "stopped_max_iterations" });

    await again();
    const right = await run("sealed", key);
    expect(right.outputs).toMatchObject({ status: "completed", iterations: "2" });
    expect(right.log).not.toContain("::notice::");
  });

  test("in a public repository without state-key the record alone travels, no work, and a notice says so", async () => {
    const first = await run("public", ONE, PUBLIC);
    expect(await ci.remote.git("ls-tree", "--name-only", "refs/smithers-loops/public")).toBe("record.json");
    expect(first.outputs).toMatchObject({ status: "stopped_max_iterations" });
    expect(first.log).toMatch(/::notice::Others can read this repository.*state-key/u);
    const names = (await everythingStored(ci)).map(({ where }) => where).filter((name) => name.includes("public"));
    expect(names).toContainEqual(expect.stringContaining("loop/events.jsonl"));
    expect(names).not.toContainEqual(expect.stringContaining("work.bundle"));
    const second = await run("public", {}, PUBLIC);
    expect(second.outputs).toMatchObject({ status: "completed", iterations: "3" });
  });
});
