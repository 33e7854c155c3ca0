import { runLoop } from "../../src/core/loop.ts";
import type { StopReason } from "../../src/core/outcome.ts";
import { aTask, type TaskOverrides } from "../support/builders.ts";
import { fakePorts, type FakeOptions, type FakePorts } from "../support/fake-ports.ts";

/** Aborts never. */
export const never = new AbortController().signal;

export const DONE = "All of it is done.\n<promise>DONE</promise>";
export const SUCCESS: TaskOverrides = { identity: { checks: { successCommand: ["npm", "test"] } } };
export const QUALITY: TaskOverrides = { identity: { checks: { quality: ["npm run lint"] } } };

/** Runs a loop over memory to its end. */
export async function run(
  options: FakeOptions,
  overrides: TaskOverrides = {},
): Promise<{ readonly ports: FakePorts; readonly reason: StopReason }> {
  const ports = fakePorts(options);
  return { ports, reason: await runLoop(aTask(overrides), ports, never) };
}

/** The types of the durable events. */
export function types(ports: FakePorts): readonly string[] {
  return ports.events.map((event) => event.type);
}
