import { expect, test } from "vitest";
import { identityOf, taskDigest } from "../../src/core/task.ts";
import { anIdentity, aState, aTask, digest, type IdentityOverrides } from "../support/builders.ts";

test.each<[string, boolean, IdentityOverrides]>([
  ["the same prompt and checks", true, {}],
  ["another promise", true, { promise: { text: "OTHER", guard: "code" } }],
  ["another todo file", true, { todo: { path: "other.md" } }],
  ["another prompt", false, { prompt: "other" }],
  ["a success command", false, { checks: { successCommand: ["npm", "test"] } }],
  ["a success shell", false, { checks: { successShell: "npm test" } }],
  ["a workflow of CI", false, { checks: { ci: "ci.yml" } }],
  ["a quality command", false, { checks: { quality: ["npm test"] } }],
  ["a PRD", false, { prd: "shop" }],
])("%s, the same task: %s [C25]", (_title, same, overrides) => {
  const equal = taskDigest(anIdentity(overrides), digest) === taskDigest(anIdentity(), digest);
  expect(equal).toBe(same);
});

test("a loop without CI is the loop that it was before there was such a check [C25]", () => {
  const { prompt, checks } = anIdentity({ checks: { successCommand: ["npm", "test"], quality: ["lint"] } });
  const before = digest(JSON.stringify([digest(prompt), checks.successCommand, null, checks.quality]));
  expect(taskDigest(anIdentity({ checks }), digest)).toBe(before);
});

test("an argument with a space is not two arguments [C25]", () => {
  const one = anIdentity({ checks: { successCommand: ["a b"] } });
  const two = anIdentity({ checks: { successCommand: ["a", "b"] } });
  expect(taskDigest(one, digest)).not.toBe(taskDigest(two, digest));
});

test.each<[string, IdentityOverrides]>([
  ["a checklist [R-26]", { plan: { path: "@fix_plan.md", agentFile: "@AGENT.md" } }],
  ["a plain task", {}],
  [
    "a task with everything",
    {
      promise: { text: "D+", mode: "regex", guard: "final-line" },
      checks: { successCommand: ["npm", "test"], successShell: "x", quality: ["a", "b"], ci: "ci.yml" },
      todo: { path: "docs/TODO.md", token: "REVIEW", mode: "exit", when: "present" },
    },
  ],
])("what survives in the state is the identity of %s [C25, W-41]", (_title, overrides) => {
  const task = aTask({ identity: overrides });
  expect(identityOf(aState({}, task), task.identity.prompt)).toEqual(task.identity);
});

test("whether a person has chosen the guard of the promise is kept", () => {
  const { prompt } = anIdentity();
  expect(identityOf(aState({ promise_guard_set: true }), prompt).promise).toHaveProperty("isGuardSet", true);
  expect(identityOf(aState(), prompt).promise).not.toHaveProperty("isGuardSet");
});
