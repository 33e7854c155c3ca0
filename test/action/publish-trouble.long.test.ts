import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { GO_ON } from "../support/ci/cancelled.ts";
import { type Ci, type CiMachine, startCi } from "../support/ci/ci.ts";
import { refuse } from "../support/results/reply.ts";
import { waitFor } from "../support/wait-for.ts";
import { end, FILES, filesOn, pullsOf, saidOn, stateOf, tipOf, told, work } from "./publish-stage.ts";

/** The agent ends its turn when the test lets it. */
const WAITS = {
  turns: [{ files: { "n{{iteration}}.txt": "n\n" }, commands: ["until test -e ../go; do sleep 0.02; done"] }],
};
const STOPS = { turns: [{ files: { "a.txt": "a\n", "TODO.md": "HARD STOP: is it the right one?\n" } }] };

/** A crowded machine takes its time for the job that is waited for in between. */
const PATIENT_MS = 150_000;

let ci: Ci;

beforeAll(async () => {
  const scripts = { "waits.json": JSON.stringify(WAITS), "stops.json": JSON.stringify(STOPS) };
  ci = await startCi({ files: { ...FILES, ...scripts, "TODO.md": "- [ ] ask\n" } });
});
afterAll(() => end(ci));

/** Whether a request that changes something has come since some moment, by what it asks for. */
function writesSince(start: number): readonly string[] {
  const writes = ci.api.requests.slice(start).filter(({ method, operation }) => {
    return method !== "GET" && operation !== "graphql/repository";
  });
  return writes.map(({ operation }) => operation);
}

describe("publishing under trouble [C13]", { timeout: 180_000 }, () => {
  test("two dispatches at once: the one that has lost the loop touches nothing on GitHub after that [W-46]", async () => {
    const inputs = { script: "waits.json", "success-sh": "test -f n2.txt" };
    await using early = await ci.machine();
    const loser = work(ci, "twice", inputs, { on: early, timeoutMs: PATIENT_MS });
    await waitFor("the first to be at work", async () => (await ci.refOf("twice")) !== "");
    await using late = await ci.machine();
    await letGo(late);
    const winner = await work(ci, "twice", inputs, { on: late });
    expect(winner.outputs).toMatchObject({ status: "completed", branch: "smithers/twice" });
    const there = await ci.remote.git("for-each-ref");
    const asked = ci.api.requests.length;

    await letGo(early);
    expect((await loser).outputs).toMatchObject({ status: "error", "stop-reason": "superseded", "artifact-id": "" });
    expect(writesSince(asked)).toEqual([]);
    expect(await ci.remote.git("for-each-ref")).toBe(there);
    expect(saidOn(ci, pullsOf(ci, "smithers/twice"))).toEqual({
      drafts: [false],
      reviews: 0,
      comments: 1,
      statuses: ["success"],
    });
  });

  test("two runs at once: one has the loop, and there is one branch and one pull request", async () => {
    const both = await Promise.all([work(ci, "once"), work(ci, "once")]);
    const statuses = both.map(({ outputs }) => outputs["status"]);
    expect(statuses).toContain("completed");
    const pulls = pullsOf(ci, "smithers/once");
    expect(pulls).toMatchObject([{ state: "open", pull: { headBranch: "smithers/once", draft: false } }]);
    expect(await filesOn(ci, "smithers/once")).toEqual(["a.txt", "done.txt"]);
    const comments = ci.api.world.comments.filter(({ issue }) => issue === pulls[0]?.number);
    expect(comments.length).toBeLessThanOrEqual(1);
    const tip = await tipOf(ci, "smithers/once");
    expect(ci.api.world.statuses.filter(({ sha }) => sha === tip).every(({ state }) => state === "success")).toBe(true);
  });

  test("the job is cancelled while GitHub makes the pull request: post and the next run make no second one [C10]", async () => {
    ci.api.fail("pulls/create", "lose");
    const inputs = { script: "stops.json", "todo-file": "TODO.md" };
    const isMaking = () => ci.api.requests.some(({ operation, body }) => isFor("smithers/cut", operation, body));
    const job = await work(ci, "cut", inputs, { cancelWhen: isMaking });
    expect(job.conclusion).toBe("cancelled");
    expect(await filesOn(ci, "smithers/cut")).toEqual(["a.txt"]);
    const pulls = pullsOf(ci, "smithers/cut");
    expect(pulls).toMatchObject([{ state: "open", labels: ["smithers:paused"] }]);
    expect(saidOn(ci, pulls)).toEqual({ drafts: [true], reviews: 1, comments: 1, statuses: ["pending"] });
    const [{ number } = { number: 0 }] = pulls;
    const paused = { status: "paused_hard_stop", github: { pull_request: { number } } };
    expect(await stateOf(ci, "cut")).toMatchObject(paused);

    const next = await work(ci, "cut", { ...inputs, script: "agent.json" }, { event: GO_ON });
    expect(next.outputs).toMatchObject({ status: "completed", "pr-number": String(number) });
    expect(await filesOn(ci, "smithers/cut")).toEqual(["a.txt", "done.txt"]);
    expect(saidOn(ci, pullsOf(ci, "smithers/cut"))).toEqual({
      drafts: [false],
      reviews: 1,
      comments: 1,
      statuses: ["success"],
    });
  });

  test("nothing takes the work, wherever it is brought: the job fails and says so, done as the work is", async () => {
    ci.remote.fault = ({ url }) => (url.includes("receive-pack") ? { status: 500, text: "oops" } : undefined);
    for (const method of ["CreateCacheEntry", "CreateArtifact"] as const) {
      ci.results.fail(method, refuse(500, "internal", "oops"));
    }
    const job = await work(ci, "lost");
    ci.remote.fault = undefined;
    ci.results.heal();
    expect(job).toMatchObject({ conclusion: "failure", outputs: { status: "completed", "pr-number": "" } });
    expect(told(job)).not.toContain("is kept in refs/");
    const [error, ...others] = job.main.commands.filter(({ name }) => name === "error").map(({ data }) => data);
    expect([error, others]).toEqual([
      expect.stringMatching(/^Nothing of this run is saved anywhere, so this job fails/u),
      [],
    ]);
    expect(job.main.summary).toContain("lost with this machine");
  });
});

/** The turns of a machine end from now on. */
async function letGo({ workspace }: CiMachine): Promise<void> {
  await writeFile(path.join(workspace, "../go"), "");
}

function isFor(branch: string, operation: string, body: unknown): boolean {
  return operation === "pulls/create" && JSON.stringify(body).includes(branch);
}
