import { expect, test } from "vitest";
import type { TurnRequest } from "../../src/core/agent.ts";
import { runLoop } from "../../src/core/loop.ts";
import type { StopReason } from "../../src/core/outcome.ts";
import { transition } from "../../src/core/transition.ts";
import { createProgressFile } from "../../src/store/progress-file.ts";
import { aTask, type TaskOverrides } from "../support/builders.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { newWorld, portsOf, type Scenario, type World } from "./world.ts";

const FACT = "the tests need FLAG=7";
const GOES_ON = { message: "NOTES:\n- done: one more\n- next: the rest" };

interface Heard {
  readonly world: World;
  readonly requests: TurnRequest[];
  run(task: TaskOverrides): Promise<StopReason>;
}

/** A loop whose notes are the real file, and what its agent hears. */
async function hearing(folder: string, agent: NonNullable<Scenario["agent"]>): Promise<Heard> {
  const world = newWorld();
  const requests: TurnRequest[] = [];
  const scenario: Scenario = {
    agent: (now, request) => {
      requests.push(request);
      return agent(now, request);
    },
  };
  const ports = { ...portsOf(world, scenario), progress: createProgressFile(folder) };
  return { world, requests, run: async (task) => runLoop(aTask(task), ports, new AbortController().signal) };
}

test("a session is rotated after its iterations, and the fresh one hears what the first iteration learned [C2, W-66]", async () => {
  await using folder = await tempFolder();
  const loop = await hearing(folder.path, (_world, { iteration }) =>
    iteration === 1 ? { message: `NOTES:\n- done: a\n- learned: ${FACT}` } : GOES_ON,
  );
  await loop.run({ limits: { maxIterations: 4 }, runtime: { sessionMaxIterations: 2 } });
  expect(loop.requests.map(({ sessionId }) => sessionId)).toEqual([null, "session-1", null, "session-2"]);
  expect(loop.requests.map(({ prompt }) => prompt.includes(FACT))).toEqual([false, true, true, false]);
  expect(loop.requests.map(({ prompt }) => prompt.includes("<task>"))).toEqual([true, false, true, false]);
  expect(loop.requests[2]?.prompt).toMatch(
    new RegExp(`## Notes of earlier iterations\\n<notes>\\n## Iteration 1\\n[^]*${FACT}`, "u"),
  );
});

test("after 30 iterations whose notes have long pushed it out of sight, it still hears it [W-66]", async () => {
  await using folder = await tempFolder();
  const much = { message: `NOTES:\n${Array.from({ length: 9 }, () => `- done: ${"much ".repeat(50)}`).join("\n")}` };
  const loop = await hearing(folder.path, (_world, { iteration }) =>
    iteration === 1 ? { message: `NOTES:\n- learned: ${FACT}` } : much,
  );
  await loop.run({ limits: { maxIterations: 31 } });
  const last = loop.requests.at(-1);
  expect(last).toMatchObject({ iteration: 31, sessionId: null });
  expect(last?.prompt).toContain(`## Learned in earlier iterations\n<learned>\n- ${FACT}\n`);
  expect(last?.prompt).not.toContain("## Iteration 1\n");
  expect(last?.prompt.length).toBeLessThan(10_000);
});

test("a session that is full is not a failed iteration: the same one goes to a fresh session with the notes [C2, W-66]", async () => {
  await using folder = await tempFolder();
  const loop = await hearing(folder.path, (_world, { iteration, sessionId }) => {
    if (iteration === 3) return sessionId === null ? { message: "<promise>DONE</promise>" } : { fails: "context_full" };
    return { message: `NOTES:\n- learned: ${FACT}` };
  });
  expect(await loop.run({})).toMatchObject({ kind: "promise" });
  expect(loop.requests.map(({ sessionId }) => sessionId)).toEqual([null, "session-1", "session-1", null]);
  expect(loop.requests.at(-1)?.prompt).toContain(FACT);
  expect(loop.world.state).toMatchObject({ iteration: 3, codex: { session_id: "session-2", session_iterations: 1 } });
  expect(loop.world.state?.iterations.map(({ agent }) => agent)).toEqual(["ok", "ok", "ok"]);
});

test("what does not fit even into a fresh session ends the loop, and says so [C2]", async () => {
  await using folder = await tempFolder();
  const loop = await hearing(folder.path, () => ({ fails: "context_full", idle: true }));
  expect(await loop.run({})).toMatchObject({ kind: "config", failure: { kind: "context_full" } });
  expect(loop.world.state).toMatchObject({ status: "error", iteration: 2 });
});

test.each(["circuit", "session"] as const)("resetting the %s rotates the session [C2, R-35]", async (what) => {
  await using folder = await tempFolder();
  const loop = await hearing(folder.path, () => ({ message: `NOTES:\n- learned: ${FACT}` }));
  await loop.run({ limits: { maxIterations: 2 } });
  loop.world.state = transition(loop.world.state, { type: "reset", what, by: "a person", at: "2026-11-21T11:00:00Z" });
  await loop.run({ limits: { maxIterations: 3 } });
  expect(loop.requests.map(({ sessionId }) => sessionId)).toEqual([null, "session-1", null]);
  expect(loop.requests.at(-1)?.prompt).toContain(FACT);
});
