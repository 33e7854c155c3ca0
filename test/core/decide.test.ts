import { expect, test } from "vitest";
import { decide } from "../../src/core/decide.ts";
import type { LoopState } from "../../src/core/state.ts";
import { aFacts, aHit, aState, aTask, aTodo, aVerdict, NOW } from "../support/builders.ts";
import { request, SUCCESS } from "./stop/row.ts";

/** Every row of the PRE table holds; then they are taken away from the top. */
test("PRE: the first row that matches wins, and their order is policy", () => {
  const task = aTask({ ...SUCCESS, limits: { maxIterations: 1, maxTokens: 1, maxTotalMs: 1, deadline: NOW + 1 } });
  const state = aState(
    {
      iteration: 1,
      todo: aTodo(),
      spent: { ...aState().spent, resumes: 1, tokens: 1, turn_ms: 1 },
      first_check: aVerdict("passed"),
      not_before: { until: new Date(NOW + 60_000).toISOString(), why: "rate_limit", message: "" },
    },
    task,
  );
  const hardStops = [aHit()];
  const red: LoopState = { ...state, first_check: aVerdict("failed") };
  const higherCap = { ...task, limits: { ...task.limits, maxIterations: 2 } };
  const moreTokens = { ...task, limits: { ...higherCap.limits, maxTokens: null } };
  const moreWork = { ...task, limits: { ...moreTokens.limits, maxTotalMs: null } };
  const moreTime = { ...task, limits: { ...moreWork.limits, deadline: null } };
  const moves = [
    decide(task, state, aFacts({ ...request("supersede"), hardStops })),
    decide(task, state, aFacts({ ...request("cancel"), hardStops })),
    decide(task, state, aFacts({ ...request("stop"), hardStops })),
    decide(task, state, aFacts({ ...request("pause"), hardStops })),
    decide(task, state, aFacts({ hardStops })),
    decide(task, state, aFacts()),
    decide(task, red, aFacts()),
    decide(higherCap, red, aFacts()),
    decide(moreTokens, red, aFacts()),
    decide(moreWork, red, aFacts()),
    decide(moreTime, red, aFacts()),
    decide(moreTime, { ...red, not_before: null }, aFacts()),
  ];
  expect(moves.map((move) => (move.do === "stop" ? move.reason.kind : move.do))).toEqual([
    "superseded",
    "canceled",
    "stopped",
    "paused",
    "hard_stop",
    "already_green",
    "max_iterations",
    "tokens",
    "total_time",
    "time_budget",
    "wait",
    "turn",
  ]);
});
