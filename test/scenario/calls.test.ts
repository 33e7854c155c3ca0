import { expect, test } from "vitest";
import { runLoop } from "../../src/core/loop.ts";
import type { StopReason } from "../../src/core/outcome.ts";
import type { LoopState } from "../../src/core/state.ts";
import { decodeState, encodeState } from "../../src/store/state-file.ts";
import { aTask } from "../support/builders.ts";
import { BEGINNING, MINUTE, newWorld, portsOf, type World } from "./world.ts";

/** Two turns an hour, of five minutes each; nothing is waited for inside the run. */
const TASK = aTask({ by: "trigger", limits: { maxCallsPerHour: 2, maxWaitMs: 0, maxIterations: 3 } });

async function run(world: World): Promise<StopReason> {
  return runLoop(TASK, portsOf(world, {}), new AbortController().signal);
}

/** A machine that knows of the loop only what was carried there. */
function machineWith(state: LoopState | undefined, now: number): World {
  if (state === undefined) throw new Error("The loop has left no state.");
  return { ...newWorld(), state: decodeState(encodeState(state), "loop.json"), now };
}

test("the calls of the hour hold on other machines as well, until the hour is over [R-30, R-32, R-35, L-14]", async () => {
  const first = newWorld();
  const parked = { kind: "calls_per_hour", until: new Date(BEGINNING + 60 * MINUTE).toISOString(), max: 2 };
  expect(await run(first)).toEqual(parked);
  const second = machineWith(first.state, BEGINNING + 59 * MINUTE);
  expect(await run(second)).toEqual(parked);
  expect(second.state?.rate).toEqual(first.state?.rate);
  const third = machineWith(second.state, BEGINNING + 60 * MINUTE);
  expect(await run(third)).toEqual({ kind: "max_iterations", max: 3 });
  expect(third.state?.rate.calls).toBe(1);
});

test("a wait that fits is waited for inside the run, and the count begins again [R-30, R-32, C12]", async () => {
  const world = newWorld();
  const task = { ...TASK, limits: { ...TASK.limits, maxWaitMs: 60 * MINUTE } };
  const reason = await runLoop(task, portsOf(world, {}), new AbortController().signal);
  expect(reason).toEqual({ kind: "max_iterations", max: 3 });
  expect(world.events).toContainEqual(expect.objectContaining({ type: "wait_started", why: "calls_per_hour" }));
  expect(world.state?.rate.calls).toBe(1);
});
