import type { LoopEvent } from "../../src/core/events.ts";
import { runLoop } from "../../src/core/loop.ts";
import type { StopReason } from "../../src/core/outcome.ts";
import { Crash, crashAt, type CrashPoint } from "./crash.ts";
import { TASK } from "./endings.ts";
import { newWorld, portsOf, type Scenario, type World } from "./world.ts";

const never = new AbortController().signal;

/** Runs a scenario in a world. */
export async function runIn(world: World, scenario: Scenario, point?: CrashPoint) {
  const counted = crashAt(portsOf(world, scenario), point);
  const reason = await runLoop(scenario.task?.(TASK) ?? TASK, counted.ports, never);
  return { reason, calls: counted.calls };
}

/** Runs a scenario to its end, dying once on the way and starting again over what is left. */
export async function live(scenario: Scenario, point?: CrashPoint) {
  const world = newWorld();
  try {
    return { world, ...(await runIn(world, scenario, point)) };
  } catch (error) {
    if (!(error instanceof Crash)) throw error;
  }
  const reason: StopReason = world.state?.stop_reason ?? (await runIn(world, scenario)).reason;
  return { world, reason, calls: [] };
}

/** How it stands with each story: `passed`, or why it is blocked. */
export function standing({ state }: World): Readonly<Record<string, string>> {
  const records = state?.stories?.records ?? [];
  return Object.fromEntries(records.map(({ id, state: is, blocked }) => [id, blocked?.kind ?? is]));
}

/** The events of one type, in their order. */
export const ofType = <Type extends LoopEvent["type"]>({ events }: World, type: Type) =>
  events.filter((event): event is Extract<LoopEvent, { type: Type }> => event.type === type);
