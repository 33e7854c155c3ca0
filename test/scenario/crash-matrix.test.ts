import { describe, expect, it } from "vitest";
import type { LoopEvent } from "../../src/core/events.ts";
import { runLoop } from "../../src/core/loop.ts";
import { outcomeOf, type StopReason } from "../../src/core/outcome.ts";
import { reasonDetail } from "../../src/views/reason.ts";
import { Crash, crashAt, type CrashPoint } from "./crash.ts";
import { ENDINGS, TASK } from "./endings.ts";
import { newWorld, portsOf, type Scenario, type World } from "./world.ts";

interface Life {
  readonly reason: StopReason;
  readonly world: World;
  /** port calls of the first run */
  readonly calls: readonly string[];
}

/** Runs a scenario to its end, dying once on the way and starting again over what is left. */
async function live(scenario: Scenario, point?: CrashPoint): Promise<Life> {
  const world = newWorld();
  const task = scenario.task?.(TASK) ?? TASK;
  const first = crashAt(portsOf(world, scenario), point);
  const never = new AbortController().signal;
  try {
    return { reason: await runLoop(task, first.ports, never), world, calls: first.calls };
  } catch (error) {
    if (!(error instanceof Crash)) throw error;
  }
  const reason = world.state?.stop_reason ?? (await runLoop(task, portsOf(world, scenario), never));
  return { reason, world, calls: first.calls };
}

const numbersOf = (events: readonly LoopEvent[], type: "turn_started" | "turn_ended" | "settled"): readonly number[] =>
  events.flatMap((event) => (event.type === type ? [event.iteration] : []));

function expectHonestBooks({ world }: Life): void {
  const state = world.state;
  expect(state?.revision).toBe(world.events.length);
  const refunded = world.events
    .filter((event) => event.type === "turn_ended")
    .filter((event) => isRefund(event)).length;
  const started = numbersOf(world.events, "turn_started");
  expect(new Set(started).size, "an iteration is begun once").toBeGreaterThanOrEqual(started.length - refunded);
  const ended = numbersOf(world.events, "turn_ended");
  expect(new Set(ended).size, "no turn is paid twice once it had ended").toBeGreaterThanOrEqual(
    ended.length - refunded,
  );
  const settled = numbersOf(world.events, "settled");
  expect(new Set(settled).size, "no iteration is counted twice").toBe(settled.length);
  const kept = state?.iterations.map((line) => line.iteration) ?? [];
  // What git refuses to commit waits for it, the work of a turn that was cut short as well.
  const inFlight = ["turn", "unproved", "unsettled"].includes(state?.phase ?? "") ? 1 : 0;
  const over = (state?.iteration ?? 0) - inFlight;
  expect(kept, "no iteration is lost").toEqual(Array.from({ length: over }, (_, index) => index + 1));
  expect(new Set(world.commits).size).toBe(world.commits.length);
}

function isRefund(event: LoopEvent): boolean {
  return (
    event.type === "turn_ended" && ["rate_limited", "usage_limit", "sandbox_broken"].includes(event.failure?.kind ?? "")
  );
}

/** A line in which nothing is missing. */
const PLAIN = /^(?!.*(?:undefined|NaN|\[object)).+$/u;

describe.each(Object.entries<Scenario>(ENDINGS))("%s", (kind, scenario) => {
  it("is reached, and every iteration is in the history [W-03, W-40]", async () => {
    const life = await live(scenario);
    expect(life.reason.kind).toBe(kind);
    expect(life.world.state?.stop_reason).toEqual(life.reason);
    expectHonestBooks(life);
    expect(`${outcomeOf(life.reason).sentence} ${reasonDetail(life.reason, (advice) => advice)}`).toMatch(PLAIN);
  });

  it("the same world gives the same events, each as plain data [D-39]", async () => {
    const { events } = (await live(scenario)).world;
    expect((await live(scenario)).world.events).toEqual(events);
    expect(JSON.parse(JSON.stringify(events))).toEqual(events);
  });

  it("a crash before or after any port call changes neither the ending nor the progress counters [W-06, W-58]", async () => {
    const { calls } = await live(scenario);
    for (let call = 0; call < calls.length; call++) {
      for (const when of ["before", "after"] as const) {
        const life = await live(scenario, { call, when });
        expect(life.reason.kind, `crash ${when} call ${call}, ${calls[call]}`).toBe(kind);
        expectHonestBooks(life);
      }
    }
  });
});
