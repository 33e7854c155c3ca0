import { expect, test } from "vitest";
import { forecast, type PastTurn } from "../../src/views/cost.ts";

function turns(...past: readonly (readonly [number | null, number | null])[]): readonly PastTurn[] {
  return past.map(([cost, failing]) => ({ cost, failing }));
}

test("a loop that gets further is told how far it may still go, and at what cost [C14]", () => {
  expect(forecast(turns([100, 6], [300, 4], [200, 4]), 10)).toEqual({ turns: 2, least: 400, most: 600 });
});

test.each([
  ["one turn", turns([100, 6]), 10],
  ["costs that are not known", turns([null, 6], [100, 4]), 10],
  ["tests that are not counted", turns([100, null], [100, null]), 10],
  ["a beginning that is not known", turns([100, 6], [100, 4]), null],
  ["nothing that fails", turns([100, 6], [100, 0]), 10],
  ["no progress", turns([100, 10], [100, 10]), 10],
  ["an end that is too far away", turns([100, 99], [100, 99]), 100],
] as const)("nothing is guessed from %s [C14]", (_what, past, atStart) => {
  expect(forecast(past, atStart)).toBeUndefined();
});
