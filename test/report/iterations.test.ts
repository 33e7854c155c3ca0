import { expect, test } from "vitest";
import { historyOf, iterationWords, markOf } from "../../src/report/iterations.ts";
import { aFailure, aProved, aRedCheck, aVerdict } from "../support/builders.ts";
import { settled, started, turnEnded, turnStarted } from "../views/a-state.ts";
import { iterations, stream } from "./a-report.ts";

test("the outputs of the oldest iterations go first, and only those that have to [C133]", async () => {
  const { iterations: found } = await historyOf(stream([started(), ...iterations(4)]), 30);
  expect(found.map(({ checks: [check] }) => check?.tail)).toEqual(["", "", "output of 3", "output of 4"]);
});

test("an iteration that was given back is there once, as it came last, with what was said of it [C131]", async () => {
  const failure = aFailure("rate_limited");
  const events = [started(), turnStarted(1), turnEnded({ failure, cost: 5 }), turnStarted(1), turnEnded(), settled(1)];
  const { iterations: found } = await historyOf(stream(events));
  expect(found).toHaveLength(1);
  expect(found[0]).toMatchObject({ iteration: 1, agent: "ok", cost: null });
  expect(found[0]?.told.map(({ text }) => text).join("\n")).toContain("rate");
});

test("a run that goes on has no ending yet [C130]", async () => {
  const stopped = { type: "loop_stopped", at: "2026-01-06T21:20:00.000+00:00", commit: null } as const;
  const over = [started(), ...iterations(1), { ...stopped, reason: { kind: "max_iterations", max: 1 } as const }];
  expect((await historyOf(stream(over))).ending).not.toEqual([]);
  expect((await historyOf(stream([...over, turnStarted(2)]))).ending).toEqual([]);
});

test("of one iteration at most 200 lines are held [C133]", async () => {
  const red = aProved(aVerdict("failed", [aRedCheck()]));
  const events = [started(), turnStarted(1), turnEnded(), ...Array.from({ length: 300 }, () => red)];
  expect((await historyOf(stream(events))).iterations[0]?.told).toHaveLength(200);
});

test.each([
  ["passed", "ok", "good"],
  ["failed", "ok", "bad"],
  ["cut_off", "ok", "bad"],
  ["unrunnable", "ok", "bad"],
  ["none", "ok", "open"],
  ["none", null, "open"],
  ["none", "abandoned", "open"],
  ["none", "crashed", "bad"],
] as const)("checks that are %s after a turn that is %s are marked %s [C130]", (verdict, agent, mark) => {
  expect(markOf({ verdict, agent })).toBe(mark);
});

test("an iteration's row names what is known of it, and nothing else [C131]", async () => {
  const { iterations: found } = await historyOf(
    stream([started(), turnStarted(1), turnEnded({ failure: aFailure("crashed"), cost: 420_000 })]),
  );
  const words = found.map(iterationWords);
  expect(words).toEqual(["turn: crashed · not checked · 1 min 5 s · 1,034 tokens · 0.42 USD"]);
});
