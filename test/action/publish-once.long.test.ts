import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { GO_ON } from "../support/ci/cancelled.ts";
import { type Ci, startCi } from "../support/ci/ci.ts";
import { dispatchedJob } from "../support/ci/dispatched-job.ts";
import { timeIsUpOnce } from "../support/ci/late-clock.ts";
import { end, FILES, filesOn, ON_AND_ON, pullsOf, stateOf, tipOf, told, work } from "./publish-stage.ts";

const WAITS = { turns: [{ files: { "n{{iteration}}.txt": "n\n" } }, { silence: true }] };

let ci: Ci;

beforeAll(async () => {
  ci = await startCi({ byRef: true, files: { ...FILES, "waits.json": JSON.stringify(WAITS) } });
});
afterAll(() => end(ci));

/** Requests to the REST API since some moment, by operation. */
function restSince(start: number): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { path, operation } of ci.api.requests.slice(start)) {
    if (path !== "/graphql") counts[operation] = (counts[operation] ?? 0) + 1;
  }
  return counts;
}

const total = (counts: Readonly<Record<string, number>>): number => Object.values(counts).reduce((a, b) => a + b, 0);

describe("each thing is done once [C13]", { timeout: 120_000 }, () => {
  test("thrift: ten iterations with a pull request take at most 60 REST requests", async () => {
    const start = ci.api.requests.length;
    const job = await work(ci, "thrift", { ...ON_AND_ON, "max-iterations": "10", "max-same-error": "0" });
    expect(job.outputs).toMatchObject({ iterations: "10", "pr-number": expect.any(String) });
    const counts = restSince(start);
    process.stdout.write(`REST requests of ten iterations: ${total(counts)} ${JSON.stringify(counts)}\n`);
    expect(total(counts)).toBeLessThanOrEqual(60);
  });

  test("a person cancels the job: post publishes what there is, once, and the next run finishes it [C11, W-46]", async () => {
    const job = await work(
      ci,
      "cancelled",
      { script: "waits.json" },
      {
        cancelWhen: (log) => log.includes("Iteration 2 of"),
        posts: 2,
      },
    );
    expect(job.conclusion).toBe("cancelled");
    expect(await filesOn(ci, "smithers/cancelled")).toEqual(["n1.txt"]);
    const [pull] = pullsOf(ci, "smithers/cancelled");
    expect(pull).toMatchObject({ state: "open", pull: { draft: true } });
    const tip = await tipOf(ci, "smithers/cancelled");
    expect(ci.api.world.statuses.filter(({ sha }) => sha === tip)).toMatchObject([{ state: "pending" }]);
    expect(await stateOf(ci, "cancelled")).toMatchObject({
      status: "paused_user_interrupt",
      github: { head: tip, pull_request: { number: pull?.number } },
    });

    const next = await work(ci, "cancelled", {}, { event: GO_ON });
    expect(next.outputs).toMatchObject({ status: "completed", "pr-number": String(pull?.number) });
    expect(await filesOn(ci, "smithers/cancelled")).toEqual(["done.txt", "n1.txt"]);
    expect(pullsOf(ci, "smithers/cancelled")).toMatchObject([{ state: "open", pull: { draft: false } }]);
  });

  test("self-continue: a run whose time is up starts the next one, once, and that goes on by nobody's word", async () => {
    await using machine = await ci.machine();
    const env = timeIsUpOnce(ci, machine, "n1.txt");
    const before = ci.api.world.dispatches.length;
    const first = await work(ci, "self", { ...ON_AND_ON, "self-continue": "auto" }, { on: machine, env, posts: 2 });
    expect(first.outputs).toMatchObject({ status: "paused_time_budget", iterations: "1" });
    expect(told(first)).not.toContain("could not be started");
    const [dispatch, ...more] = ci.api.world.dispatches.slice(before);
    expect([dispatch?.inputs["smithers"], dispatch?.ref, more]).toEqual([
      '{"command":"continue","loop":"self","self":true}',
      "main",
      [],
    ]);
    expect((await stateOf(ci, "self")).github.continuations).toBe(1);
    if (dispatch === undefined) throw new Error("nothing was dispatched");
    const second = await work(ci, "self", { "self-continue": "auto" }, dispatchedJob(ci.api, dispatch));
    expect(second.outputs).toMatchObject({ status: "completed", iterations: "2" });
    expect(ci.api.world.dispatches.slice(before)).toHaveLength(1);
    expect(pullsOf(ci, "smithers/self")).toMatchObject([{ pull: { draft: false } }]);
  });
});
