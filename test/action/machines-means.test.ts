import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Ci, type CiJob, startCi } from "../support/ci/ci.ts";
import { scriptedTask } from "../support/ci/scripted-task.ts";
import { gitRepository } from "../support/git-repository.ts";
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
  ci = await startCi({ publishes: false, files: { ...TASK.files, "notes.md": "one\n" } });
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

describe("C11 C13: a loop is carried by what the job has", () => {
  test("without contents: write by artifact and cache, and the notice names the permission", async () => {
    const token = { "github-token": READS };
    const first = await run("reader", { ...token, ...ONE });
    expect(first.log).toMatch(/::notice::The loop is not kept under refs\/smithers\/reader.*contents: write/u);
    expect(await ci.refOf("reader")).toBe("");
    const second = await run("reader", token);
    expect(second.log).toContain("brought back from artifact: revision");
    expect(second.outputs).toMatchObject({ status: "completed" });
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

  test("with a state-key nobody else can read what travels, and without it the next run says so", async () => {
    const key = { "state-key": KEY };
    await run("sealed", { ...key, ...ONE });
    expect(await ci.remote.git("ls-tree", "-r", "--name-only", "refs/smithers/sealed")).toContain("sealed");
    expect(await ci.remote.git("ls-tree", "-r", "--name-only", "refs/smithers/sealed")).not.toContain("a.txt");
    const wrong = await run("sealed", { "state-key": `${KEY}!`, "max-iterations": "2" });
    expect(wrong.log).toMatch(/::notice::.*state-key/u);
    expect(wrong.outputs).toMatchObject({ iterations: "2", status: "stopped_max_iterations" });
  });

  test("with the same state-key the next run has everything again", async () => {
    const key = { "state-key": KEY };
    await run("opened", { ...key, ...ONE });
    const second = await run("opened", key);
    expect(second.outputs).toMatchObject({ status: "completed", iterations: "2" });
    expect(second.log).not.toContain("::notice::");
  });

  test("in a public repository without state-key the record alone travels, and a notice says so", async () => {
    const first = await run("public", ONE, PUBLIC);
    expect(await ci.remote.git("ls-tree", "--name-only", "refs/smithers/public")).toBe("record.json");
    expect(first.log).toMatch(/::notice::Others can read this repository.*state-key/u);
    const second = await run("public", {}, PUBLIC);
    expect(second.outputs).toMatchObject({ status: "completed", iterations: "3" });
  });

  test("work goes on top of what was pushed meanwhile; what does not fit is told and kept under the ref", async () => {
    await run("merged", ONE);
    await run("conflict", ONE);
    await push("notes.md");
    const merged = await run("merged", {});
    expect(merged.outputs).toMatchObject({ status: "completed", iterations: "2" });
    const kept = await ci.refOf("conflict");
    await push("a.txt");
    const conflict = await run("conflict", { "max-iterations": "2" });
    expect(conflict.log).toMatch(/::notice::.*both have changed a\.txt\..* kept under refs\/smithers\/conflict/u);
    expect(conflict.log).toContain(kept);
  });
});

/** Somebody changes a file on the branch. */
async function push(file: string): Promise<void> {
  await using repository = await gitRepository({});
  await repository.git("fetch", "-q", ci.remote.folder, "main");
  await repository.git("checkout", "-q", "FETCH_HEAD");
  await repository.write(file, "pushed\n");
  await repository.git("add", "-A");
  await repository.git("commit", "-qm", "pushed");
  await repository.git("push", "-q", ci.remote.folder, "HEAD:main");
}
