import { describe, expect, test } from "vitest";
import type { LoopState } from "../../src/core/state.ts";
import { usd } from "../../src/views/amounts.ts";
import { atAGlance } from "../../src/views/at-a-glance.ts";
import { costOrNone, costReport, costText, forecastText } from "../../src/views/cost.ts";
import { anIterationRecord } from "../support/builders.ts";
import { summary } from "../../src/views/summary.ts";
import { aState, aView } from "./a-state.ts";

const some = { failing: [], failing_digest: "", early: false };

function spent(cost: number, turns: number, priced: number): LoopState {
  return aState({ spent: { ...aState().spent, cost, turns, priced_turns: priced } });
}

test.each([
  [0, "0.00 USD"],
  [1, "less than 0.01 USD"],
  [999_995, "1.00 USD"],
  [420_000, "0.42 USD"],
  [1_234_050_000, "1,234.05 USD"],
])("%i millionths are %s [C14]", (millionths, text) => {
  expect(usd(millionths)).toBe(text);
});

describe("what a loop has cost [C14]", () => {
  test.each([
    [spent(0, 3, 0), undefined, { usd: null, unpriced_turns: 3 }],
    [spent(420_000, 3, 3), "about 0.42 USD", { usd: 0.42, unpriced_turns: 0 }],
    [spent(42, 3, 3), "less than 0.01 USD", { usd: 0.000_042, unpriced_turns: 0 }],
    [spent(42, 3, 2), "less than 0.01 USD (1 turn of an unknown price)", { usd: 0.000_042, unpriced_turns: 1 }],
    [spent(420_000, 3, 2), "at least 0.42 USD (1 turn of an unknown price)", { usd: 0.42, unpriced_turns: 1 }],
  ])("%#", (state, text, report) => {
    expect(costText(state)).toBe(text);
    expect(costReport(state)).toEqual(report);
  });
});

test("what reviews have cost is part of it [C14]", () => {
  const state = spent(420_000, 3, 3);
  const reviewed = (cost: number, unpriced: number): LoopState => ({
    ...state,
    review: { ...state.review, spent: { ...state.review.spent, cost, unpriced } },
  });
  expect(costText(reviewed(80_000, 0))).toBe("about 0.50 USD");
  expect(costReport(reviewed(80_000, 1))).toEqual({ usd: 0.5, unpriced_turns: 1 });
  expect(costReport({ ...reviewed(80_000, 0), spent: spent(0, 3, 0).spent })).toEqual({ usd: 0.08, unpriced_turns: 3 });
});

test("a model without a price has no cost, and that is said [C14]", () => {
  expect(costOrNone(spent(0, 3, 0))).toBe("cost unknown");
  expect(costOrNone(spent(0, 0, 0))).toBeUndefined();
  expect(costOrNone(spent(420_000, 1, 1))).toBe("about 0.42 USD");
  const lines = (state: LoopState) => summary(aView(state)).map(({ text }) => text);
  expect(lines(spent(0, 3, 0))).toContainEqual(
    expect.stringContaining("Cost: unknown; no price of the model is known"),
  );
  expect(lines(spent(420_000, 1, 1))).toContainEqual(
    expect.stringMatching(
      /^Cost: about 0\.42 USD, by list prices of [\d-]+ unless prices or the agent says another\.$/u,
    ),
  );
  expect(lines(spent(0, 0, 0))).not.toContainEqual(expect.stringContaining("Cost:"));
});

describe("a forecast from the loop's own history [C14]", () => {
  const lines = [
    anIterationRecord({ cost: 200_000, failing_tests: 6 }),
    anIterationRecord({ cost: 450_000, failing_tests: 4 }),
    anIterationRecord(),
  ];

  test("says turns and cost", () => {
    const state = aState({ iterations: lines, baseline: { ...some, failing_count: 10 } });
    expect(forecastText(state)).toBe("about 2 more turns, 0.40 to 0.90 USD");
  });

  test("is told of a loop that can go on, at a glance and in full, and of one that is done not", () => {
    const history = { iterations: lines, baseline: { ...some, failing_count: 10 }, spent: spent(650_000, 2, 2).spent };
    const open = aView(history);
    expect(atAGlance(open).map(({ text }) => text)).toContainEqual(
      expect.stringMatching(/^Took: .*, about 0\.65 USD; about 2 more turns, 0\.40 to 0\.90 USD at this pace$/u),
    );
    expect(summary(open).map(({ text }) => text)).toContainEqual(
      expect.stringMatching(/^Cost: about 0\.65 USD, .*; about 2 more turns, 0\.40 to 0\.90 USD at this pace\.$/u),
    );
    const reason = { kind: "promise", verified: false } as const;
    const done = aView({ ...history, status: "completed", stop_reason: reason });
    expect(
      atAGlance(done)
        .map(({ text }) => text)
        .join("\n"),
    ).not.toContain("at this pace");
  });

  test("says one amount where both ends are the same", () => {
    const cheap = lines.map((line) => ({ ...line, cost: 100 }));
    const state = aState({ iterations: cheap, baseline: { ...some, failing_count: 10 } });
    expect(forecastText(state)).toBe("about 2 more turns, less than 0.01 USD");
  });

  test("is not made from nothing", () => {
    expect(forecastText(aState({ iterations: lines, baseline: null }))).toBeUndefined();
  });
});
