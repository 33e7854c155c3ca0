import { expect, test } from "vitest";
import { createPromptBacklog } from "../../src/backlogs/prompt-backlog.ts";
import type { LoopState } from "../../src/core/state.ts";
import { backlogContract } from "../contract/backlog-contract.ts";

// The prompt backlog does not look at the state.
const anyState: LoopState = JSON.parse("{}");

backlogContract("prompt backlog", async () => ({ backlog: createPromptBacklog("Fix the parser"), state: anyState }));

test.each([
  ["one line", "Fix the parser", "Fix the parser"],
  ["the first of many", "Fix the parser\r\nand its tests", "Fix the parser"],
  ["leading blank lines", "\n\n  # Task \nmore", "# Task"],
  ["exactly 80 characters", "x".repeat(80), "x".repeat(80)],
  ["81 characters", "x".repeat(81), `${"x".repeat(79)}…`],
  ["characters outside the basic plane", "🦉".repeat(90), `${"🦉".repeat(79)}…`],
])("the title is the prompt's first line: %s", async (_case, prompt, title) => {
  expect(await createPromptBacklog(prompt).next(anyState)).toEqual({ id: "task", title, text: "" });
});
