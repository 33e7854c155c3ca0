import { expect, test } from "vitest";
import { firstPrompt } from "../../../src/core/prompt/prompt.ts";
import { aBrief, aTask, type TaskOverrides } from "../../support/builders.ts";

test("a checklist, its agent file and how to work through them are in the prompt [R-12, R-26, W-52]", () => {
  const plan = { path: "@fix_plan.md", agentFile: "@AGENT.md" };
  const text = (overrides: TaskOverrides) => firstPrompt({ ...aBrief({ task: aTask(overrides) }), progress: "" });
  const own = text({ identity: { plan, promise: { mode: "off" } } });
  expect(own).toContain("mode plan.");
  expect(own).toContain("Promise: none; the loop ends when every item of @fix_plan.md is ticked");
  expect(own).toContain("- @fix_plan.md: what there is to do.");
  expect(own).toContain("- @AGENT.md: how to build and run");
  expect(own).toContain("## Plan\nThe work is listed in @fix_plan.md.\n- Work top-to-bottom");
  expect(own).not.toContain("- Stop at");
  expect(text({ identity: { plan, todo: { path: "TODO.md" } } })).toContain("- Stop at HARD STOP in TODO.md and");
  expect(text({ identity: { plan, todo: { path: plan.path } } })).toContain("- Stop at HARD STOP and");
});
