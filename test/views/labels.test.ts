import { expect, test } from "vitest";
import { ALL_LABELS, isLabel, LABELS } from "../../src/views/github/labels.ts";

test("a label is one of ours whatever its capitals, and each fits what GitHub takes [C86]", () => {
  expect(isLabel(LABELS.continue, "Smithers:Continue")).toBe(true);
  expect(isLabel(LABELS.continue, "smithers")).toBe(false);
  for (const { name, color, description } of ALL_LABELS) {
    expect(`${name} ${color}`).toMatch(/^smithers(?::[a-z]+)? [\da-f]{6}$/u);
    expect(description.length).toBeLessThanOrEqual(100);
  }
});
