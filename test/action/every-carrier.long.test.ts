import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Ci, type CiJob, startCi } from "../support/ci/ci.ts";
import { scriptedTask } from "../support/ci/scripted-task.ts";
import { refuse } from "../support/results/reply.ts";
import type { Job } from "../support/runner/runner.ts";

/** Done after two turns, and after three when the work of the first is lost. */
const TASK = scriptedTask([
  { files: { "a.txt": "a\n" } },
  { files: { "b.txt": "b\n" } },
  { files: { "a.txt": "again\n" } },
]);
const READS = "token-that-reads";
const KEY = "a long and random text that nobody guesses";
const ONE = { "max-iterations": "1" };

let ci: Ci;
beforeAll(async () => {
  ci = await startCi({ publishes: false, files: TASK.files });
  ci.api.world.tokens.set(READS, { login: "github-actions[bot]", permissions: { contents: "read" } });
});
afterAll(() => ci[Symbol.asyncDispose]());
beforeEach(() => {
  ci.results.heal();
  ci.remote.fault = undefined;
  for (const operation of API) ci.api.fail(operation, "drop", 0);
});

const API = [
  "actions/list-artifacts-for-repo",
  "actions/get-workflow-run",
  "actions/list-workflow-run-artifacts",
  "actions/get-actions-cache-list",
];

/** One run of the loop on an empty machine. */
async function run(loopId: string, inputs: Record<string, string> = {}, job: CiJob = {}): Promise<Job> {
  await using machine = await ci.machine();
  const usual = { "success-sh": "test -f a.txt && test -f b.txt", "job-timeout-minutes": "60", "loop-id": loopId };
  return await machine.run({ ...job, inputs: { ...TASK.inputs, ...usual, ...inputs } });
}

/** Git, the API and the results service are all down. */
function everythingFails(): void {
  ci.remote.fault = () => ({ status: 500, text: "oops" });
  for (const operation of API) ci.api.fail(operation, { status: 500, body: { message: "oops" } }, 99);
  nothingIsTaken();
  ci.results.fail("GetCacheEntryDownloadURL", refuse(500, "internal", "oops"));
}

/** The results service takes nothing. */
function nothingIsTaken(): void {
  ci.results.fail("CreateCacheEntry", refuse(500, "internal", "oops"));
  ci.results.fail("CreateArtifact", refuse(500, "internal", "oops"));
}

describe("a token that may neither write refs nor read artifacts [C53]", () => {
  const token = { "github-token": READS };

  test("the loop goes on from the cache, counts and all, and what could not be asked is named", async () => {
    const first = await run("blind", { ...token, ...ONE });
    expect(first.outputs).toMatchObject({ status: "stopped_max_iterations", iterations: "1" });
    const second = await run("blind", token);
    expect(second.log).toContain("brought back from cache: revision");
    expect(second.log).toMatch(/::notice::.*actions: read/u);
    expect(second.log).toMatch(/::notice::.*If a newer one is kept in an artifact/u);
    expect(second.outputs).toMatchObject({ status: "completed", iterations: "3" });
  });

  test("with a state-key its work comes as well", async () => {
    await run("sealed", { ...token, ...ONE, "state-key": KEY });
    const second = await run("sealed", { ...token, "state-key": KEY });
    expect(second.log).toContain("the unfinished work of the last run is in the work tree again");
    expect(second.outputs).toMatchObject({ status: "completed", iterations: "2" });
  });

  test("with a state-key the cache of a run that had none is not believed, which is told", async () => {
    await run("planted", { ...token, ...ONE });
    const second = await run("planted", { ...token, ...ONE, "state-key": KEY });
    expect(second.log).toMatch(/::notice::.*not proved by the state-key/u);
    expect(second.outputs).toMatchObject({ iterations: "1" });
  });
});

describe("when nothing can be asked [C55]", () => {
  test("the run ends as carriers_unreachable, without a turn, and names each of them", async () => {
    await run("down", ONE);
    const before = await ci.refOf("down");
    everythingFails();
    const second = await run("down");
    expect(second).toMatchObject({
      conclusion: "failure",
      outputs: { status: "error", "stop-reason": "carriers_unreachable", iterations: "" },
    });
    expect(second.log).not.toContain("iteration 2 started");
    expect(second.log).toMatch(/::error::.*ref: .*500.*artifact: .*cache: /u);
    expect(second.main.summary).toContain("begin-without-answer");
    ci.remote.fault = undefined;
    expect(await ci.refOf("down")).toBe(before);
  });

  test("with begin-without-answer it starts over, and never writes over what is kept", async () => {
    await run("anyway", ONE);
    const before = await ci.refOf("anyway");
    everythingFails();
    const second = await run("anyway", { ...ONE, "begin-without-answer": "true" });
    expect(second.log).toMatch(/::notice::.*begin-without-answer is set/u);
    expect(second.outputs).toMatchObject({ status: "stopped_max_iterations", iterations: "1" });
    ci.remote.fault = undefined;
    expect(await ci.refOf("anyway")).toBe(before);
  });
});

describe("when nothing of a run is saved anywhere [C56]", () => {
  const down = { "begin-without-answer": "true", "success-sh": "test -f a.txt" };

  test("the job fails although the loop is completed, and says what is lost", async () => {
    everythingFails();
    const job = await run("lost", down);
    expect(job).toMatchObject({ conclusion: "failure", outputs: { status: "completed", iterations: "1" } });
    expect(job.log).toMatch(/::error::Nothing of this run is saved anywhere/u);
    expect(job.main.summary).toContain("Nothing of this run is saved anywhere");
  });

  test.each<[string, () => void, Record<string, string>]>([
    ["only the ref takes it", nothingIsTaken, {}],
    [
      "only the cache takes it",
      () => (ci.remote.fault = () => ({ status: 500, text: "oops" })),
      { carriers: "ref,cache" },
    ],
    ["nothing is to be kept", everythingFails, { carriers: "none" }],
  ])("the job is green where %s", async (name, breaks, inputs) => {
    breaks();
    const job = await run(name.replaceAll(" ", "-"), { ...down, ...inputs });
    expect(job).toMatchObject({ conclusion: "success", outputs: { status: "completed" } });
    expect(job.log).not.toContain("saved anywhere");
  });
});
