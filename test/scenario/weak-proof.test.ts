import { expect, test } from "vitest";
import type { TurnRequest } from "../../src/core/agent.ts";
import { runLoop } from "../../src/core/loop.ts";
import type { TestChanges } from "../../src/core/progress/test-changes.ts";
import { aTask, type TaskOverrides } from "../support/builders.ts";
import { newWorld, portsOf, type Scenario, type World } from "./world.ts";

const NONE = { count: 0, paths: [] };
const UNCHANGED: TestChanges = {
  ...{ since: 0, deleted: NONE, emptied: NONE, skipped: { count: 0, skips: [] }, changed: NONE, scripts: NONE },
};
const DELETED: TestChanges = { ...UNCHANGED, deleted: { count: 1, paths: ["test/a.test.ts"] } };
const never = new AbortController().signal;

/** Green from the first turn on. */
const green = ({ work }: World): "passed" | "failed" => (work >= 1 ? "passed" : "failed");

async function run(world: World, scenario: Scenario, overrides: TaskOverrides = {}) {
  const prompts: string[] = [];
  const agent = (seen: World, request: TurnRequest) => {
    prompts.push(request.prompt);
    return scenario.agent?.(seen, request) ?? {};
  };
  const task = aTask({ identity: { checks: { successCommand: ["npm", "test"] } }, ...overrides });
  const reason = await runLoop(task, portsOf(world, { ...scenario, agent }), never);
  return { reason, prompts, state: world.state };
}

test("a weak proof is refused, the agent is told, and tests that are restored complete the loop [C21, POST 5]", async () => {
  const world = newWorld();
  const commit: TaskOverrides = { runtime: { commit: "iteration" } };
  const { reason, prompts, state } = await run(
    world,
    { gate: green, tests: ({ work }) => (work >= 2 ? UNCHANGED : DELETED) },
    commit,
  );
  expect(reason).toMatchObject({ kind: "success_command" });
  expect(state?.iterations).toHaveLength(2);
  expect(prompts[0]).not.toContain("proves little");
  expect(prompts[1]).toContain("1 test file was deleted: test/a.test.ts");
  expect(world.remembered).toBe(0);
});

test("a claim with a weak proof is refused as well [C21, POST 7]", async () => {
  const quality: TaskOverrides = { identity: { checks: { quality: ["npm test"] } } };
  const scenario: Scenario = {
    agent: () => ({ message: "<promise>DONE</promise>" }),
    gate: green,
    tests: ({ work }) => (work >= 2 ? UNCHANGED : DELETED),
  };
  const { reason, state } = await run(newWorld(), scenario, quality);
  expect(reason).toEqual({ kind: "promise", verified: true });
  expect(state?.iterations).toHaveLength(2);
});

test("the second weak proof blocks the loop; a person's resume gives it two more, and one that flags ends it [C21, POST 7a]", async () => {
  const world = newWorld();
  const scenario: Scenario = { gate: green, tests: () => DELETED };
  const first = await run(world, scenario);
  const weaknesses = [{ kind: "tests_deleted", count: 1, paths: ["test/a.test.ts"], fewer: 0 }];
  expect(first.reason).toEqual({ kind: "weak_proof", weaknesses });
  expect(first.state).toMatchObject({ status: "blocked", iteration: 2 });

  const second = await run(world, scenario, { by: "person" });
  expect(second.reason).toMatchObject({ kind: "weak_proof" });
  expect(second.prompts[0]).toContain("proves little");
  expect(second.state).toMatchObject({ iteration: 4, strength: { refused: 2 } });

  const third = await run(world, scenario, { by: "person", runtime: { weakProof: "flag" } });
  expect(third.reason).toMatchObject({ kind: "already_green" });
  expect(third.state).toMatchObject({ iteration: 4, strength: { weaknesses } });
});

test("a first check that proves little still does after a turn that was given back [C21, PRE 6]", async () => {
  const world = newWorld();
  const request = ({ work }: World): "pause" | undefined => (work === 1 ? "pause" : undefined);
  const paused = await run(world, { gate: green, tests: () => DELETED, request });
  expect(paused.reason).toMatchObject({ kind: "paused" });
  const agent = ({ work }: World) => (work === 2 ? { fails: "rate_limited" as const } : {});
  const resumed = await run(world, { gate: green, tests: () => DELETED, agent }, { by: "trigger" });
  expect(resumed.reason).toMatchObject({ kind: "weak_proof" });
  expect(resumed.prompts).toHaveLength(2);
});

test("with weak-proof flag the loop completes, and the report is kept [C21]", async () => {
  const changes = { ...DELETED, scripts: { count: 1, paths: ["package.json"] } };
  const scenario: Scenario = { gate: green, tests: () => changes };
  const { reason, state } = await run(newWorld(), scenario, { runtime: { weakProof: "flag" } });
  expect(reason).toMatchObject({ kind: "success_command" });
  expect(state?.strength).toMatchObject({
    tampering: { scripts: { count: 1 } },
    weaknesses: [{ kind: "tests_deleted" }, { kind: "scripts_changed", flagged: true }],
  });
});

test.each([
  ["is taken and flagged by default", "refuse", { kind: "success_command" }, false],
  ["is refused under strict, and the agent hears what to do", "strict", { kind: "weak_proof" }, true],
] as const)("a green from a changed check script %s [C21, T17]", async (_what, weakProof, ending, isTold) => {
  const changes = { ...UNCHANGED, scripts: { count: 1, paths: ["check.sh"] } };
  const { reason, state, prompts } = await run(
    newWorld(),
    { gate: green, tests: () => changes },
    { runtime: { weakProof } },
  );
  expect(reason).toMatchObject(ending);
  expect(state?.strength.weaknesses).toMatchObject([{ kind: "scripts_changed", paths: ["check.sh"] }]);
  expect(prompts.join("\n").includes("Put the files that")).toBe(isTold);
});

test("without checks a promise that names unfinished work is refused until it does not [C22]", async () => {
  const agent = ({ work }: World) => ({
    message: `${work >= 2 ? "All of it." : "The docs are still missing."}\n<promise>DONE</promise>`,
  });
  const { reason, prompts, state } = await run(newWorld(), { agent }, { identity: {} });
  expect(reason).toEqual({ kind: "promise", verified: false });
  expect(state?.iterations).toHaveLength(2);
  expect(prompts[1]).toContain("The docs are still missing.");
});
