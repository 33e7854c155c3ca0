import { expect, test } from "vitest";
import { promptVariants, scaffoldTokens } from "../../support/prompts.ts";

/** Tokens that the engine may add to a task, at bytes / 4 (C66). */
const LIMITS = { first: 600, later: 250 };

test.each(promptVariants())("what is added to the task stays small: $name [C66]", ({ first, later, given }) => {
  expect(scaffoldTokens(first, given)).toBeLessThanOrEqual(LIMITS.first);
  expect(scaffoldTokens(later, given)).toBeLessThanOrEqual(LIMITS.later);
});
