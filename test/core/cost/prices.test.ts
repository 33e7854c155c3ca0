import { describe, expect, test } from "vitest";
import { PRICES } from "../../../src/agents/codex/prices.ts";
import { costOf, priceOf, PRICES_OF } from "../../../src/core/cost/prices.ts";

const NONE = new Map<string, never>();
const USAGE = { input: 1_000_000, cachedInput: 400_000, output: 100_000, reasoning: 50_000 };

describe("the table of prices [C14]", () => {
  test("every line has a source, and the table a date", () => {
    expect(PRICES_OF).toMatch(/^\d{4}-\d\d-\d\d$/u);
    for (const { source } of PRICES) expect(new URL(source).protocol).toBe("https:");
    expect(new Set(PRICES.map(({ model }) => model)).size).toBe(PRICES.length);
  });

  test.each([
    ["gpt-5-codex", 1.25],
    ["gpt-5-codex-2026-01-31", 1.25],
  ])("%s has a price", (model, input) => {
    expect(priceOf(model, NONE, PRICES)).toMatchObject({ input });
  });

  test.each([["gpt-5-codex-mini"], ["my-model"], [null]])("%s has none, and none is guessed", (model) => {
    expect(priceOf(model, NONE, PRICES)).toBeUndefined();
  });

  test("a person's own price goes before the table", () => {
    const own = new Map([["gpt-5-codex", { input: 1, cachedInput: 1, output: 1 }]]);
    expect(priceOf("gpt-5-codex", own, PRICES)).toMatchObject({ output: 1 });
    expect(priceOf("gpt-5-codex-2026-01-31", own, PRICES)).toMatchObject({ output: 1 });
    expect(priceOf("gpt-5.2", own, PRICES)).toMatchObject({ output: 14 });
  });
});

describe("what tokens cost, in millionths of a USD [C14]", () => {
  const price = { input: 1.25, cachedInput: 0.125, output: 10 };

  test("cached input apart, reasoning as part of the output", () => {
    expect(costOf(USAGE, price)).toBe(600_000 * 1.25 + 400_000 * 0.125 + 100_000 * 10);
  });

  test.each([
    [{ input: 1, cachedInput: 0, output: 0, reasoning: 0 }, 2],
    [{ input: 0, cachedInput: 0, output: 0, reasoning: 0 }, 0],
    [{ input: 10, cachedInput: 20, output: 0, reasoning: 0 }, 2],
  ])("is rounded up, and nothing that is not there is paid: %j", (usage, cost) => {
    expect(costOf(usage, price)).toBe(cost);
  });
});
