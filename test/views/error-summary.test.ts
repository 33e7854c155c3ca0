import { expect, test } from "vitest";
import type { Problem } from "../../src/core/errors.ts";
import { type ErrorFacts, errorSummary } from "../../src/views/github/job-summary.ts";

const PROBLEM: Problem = { code: "NO_PROMPT", what: "There is no prompt.", next: "Set --prompt." };
const said = (overrides: Partial<ErrorFacts> = {}): string =>
  errorSummary({ problems: [PROBLEM], state: undefined, word: (advice) => advice.replace("--", ""), ...overrides });

test("what happened, what is unharmed and what to do next [section 9]", () => {
  expect(said()).toBe(
    [
      "## error: This run could not do its work.",
      "It has begun no loop and spent nothing; what earlier runs have kept is as it was.",
      "`NO_PROMPT` There is no prompt.",
      "**Next:** Set prompt.\n",
    ].join("\n\n"),
  );
});

test("a loop that is there is said to be unharmed [section 9]", () => {
  expect(said({ state: { loop_id: "repo-1", iteration: 1, status: "running" } })).toContain(
    "Loop repo-1 is unharmed: it is kept as of its last finished step, running after 1 iteration.",
  );
});

test("a table is shown as it is [section 9]", () => {
  const what = "Not all is there.\n| a | b |\n| - | - |";
  expect(said({ problems: [{ ...PROBLEM, what }] })).toContain(
    "Not all is there.\n\n```text\n| a | b |\n| - | - |\n```\n\n**Next:**",
  );
});

test("words of others do nothing, and there are not too many of them [T5]", () => {
  const summary = said({
    problems: Array.from({ length: 60 }, () => ({ ...PROBLEM, what: "<b>@octocat</b> [a](b)" })),
  });
  expect(summary).not.toMatch(/(?<!\\)<b>|@octocat|(?<!\\)\[a\]/u);
  expect(summary).toContain("10 more: see the log of the run.");
});
