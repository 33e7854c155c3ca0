import { expect, test } from "vitest";
import { nextResetAt } from "../../../src/core/outcome.ts";
import { countCall, rateAt } from "../../../src/core/stop/wait.ts";
import { NO_CALLS } from "../../../src/core/state.ts";
import { transition } from "../../../src/core/transition.ts";
import { AT, aFailure, aState, aTurnEnded, NOW, THE_ITEM } from "../../support/builders.ts";

const HOUR = 3_600_000;
const began = { hour_began: AT, calls: 3 };

test.each([
  ["no call yet", NO_CALLS, NOW, { calls: 0, resetsAt: null }],
  ["within the hour", began, NOW + HOUR - 1, { calls: 3, resetsAt: NOW + HOUR }],
  ["the hour is over", began, NOW + HOUR, { calls: 0, resetsAt: null }],
  ["another machine's clock is a little behind", began, NOW - 2000, { calls: 3, resetsAt: NOW + HOUR }],
])("the calls of this hour: %s [R-32, L-22]", (_title, rate, now, expected) => {
  expect(rateAt(rate, now)).toEqual(expected);
});

test("the first call begins the hour, later ones add to it, and one after its end begins another [R-32]", () => {
  const first = countCall(NO_CALLS, AT);
  expect(first).toEqual({ hour_began: AT, calls: 1 });
  expect(countCall(first, new Date(NOW + HOUR - 1).toISOString())).toEqual({ hour_began: AT, calls: 2 });
  const later = new Date(NOW + HOUR).toISOString();
  expect(countCall(first, later)).toEqual({ hour_began: later, calls: 1 });
});

test("a turn is a call when it begins; a refused one gives back its iteration, not its call [L-07, POST 3]", () => {
  const started = transition(aState(), {
    type: "turn_started",
    iteration: 1,
    item: THE_ITEM,
    session: "fresh",
    at: AT,
  });
  expect(started.rate).toEqual({ hour_began: AT, calls: 1 });
  const refused = transition(started, aTurnEnded({ failure: aFailure("usage_limit") }));
  expect(refused).toMatchObject({ iteration: 0, rate: { hour_began: AT, calls: 1 } });
});

test("only a loop that waits for a limit has a next reset [C12, L-26]", () => {
  expect(nextResetAt({ kind: "calls_per_hour", until: AT, max: 1 })).toBe(AT);
  expect(nextResetAt({ kind: "usage_limit", until: AT, message: "" })).toBe(AT);
  expect(nextResetAt({ kind: "max_iterations", max: 1 })).toBeNull();
  expect(nextResetAt(null)).toBeNull();
});
