import { describe, expect, test } from "vitest";
import { isIdentityFlag, resumedIdentity, saidNow, storedFlags } from "../../src/app/identity.ts";
import type { TaskIdentity } from "../../src/core/task.ts";

const STORED: TaskIdentity = {
  prompt: "stored",
  promise: { text: "STORED", mode: "tag", guard: "code" },
  doneToken: "[STORED]",
  checks: { successCommand: ["npm", "test"], successShell: null, quality: ["lint"], ci: "ci.yml" },
  todo: { path: "TODO.md", token: "HARD STOP", mode: "pause", when: "reached" },
  plan: { path: "@fix_plan.md", agentFile: "@AGENT.md" },
  prd: null,
};
const CONFIGURED: TaskIdentity = {
  prompt: "now",
  promise: { text: "NOW", mode: "plain", guard: "off" },
  doneToken: null,
  checks: { successCommand: null, successShell: "true", quality: [], ci: null },
  todo: { path: "NOW.md", token: "STOP", mode: "exit", when: "present" },
  plan: { path: "NOW.md", agentFile: "HOW.md" },
  prd: null,
};
const resumed = (...said: string[]): TaskIdentity => resumedIdentity(STORED, CONFIGURED, new Set(said));

describe("the task of a resumed loop comes from its state [C25]", () => {
  test("as long as nobody says otherwise", () => {
    expect(resumed()).toEqual(STORED);
  });

  test.each<[string, Partial<TaskIdentity>]>([
    ["prompt", { prompt: "now" }],
    ["prompt-file", { prompt: "now" }],
    ["completion-promise", { promise: { ...STORED.promise, text: "NOW" } }],
    ["promise-mode", { promise: { ...STORED.promise, mode: "plain" } }],
    ["promise-guard", { promise: { ...STORED.promise, guard: "off" } }],
    ["done-token", { doneToken: null }],
    ["success-sh", { checks: { ...CONFIGURED.checks, quality: ["lint"], ci: "ci.yml" } }],
    ["success-cmd", { checks: { ...CONFIGURED.checks, quality: ["lint"], ci: "ci.yml" } }],
    ["quality-commands", { checks: { ...STORED.checks, quality: [] } }],
    ["ci-workflow", { checks: { ...STORED.checks, ci: null } }],
    ["backlog", { plan: CONFIGURED.plan }],
    ["plan-file", { plan: { path: "NOW.md", agentFile: "@AGENT.md" } }],
    ["agent-file", { plan: { path: "@fix_plan.md", agentFile: "HOW.md" } }],
    ["todo-file", { todo: CONFIGURED.todo }],
    ["hard-stop-token", { todo: { path: "TODO.md", token: "STOP", mode: "pause", when: "reached" } }],
    ["hard-stop-mode", { todo: { path: "TODO.md", token: "HARD STOP", mode: "exit", when: "reached" } }],
    ["hard-stop-when", { todo: { path: "TODO.md", token: "HARD STOP", mode: "pause", when: "present" } }],
  ])("%s given now counts", (name, changed) => {
    expect(resumed(name)).toEqual({ ...STORED, ...changed });
  });

  test("a todo file can be added and a token alone adds none", () => {
    const without = { ...STORED, todo: null };
    expect(resumedIdentity(without, CONFIGURED, new Set(["todo-file"])).todo).toEqual(CONFIGURED.todo);
    expect(resumedIdentity(without, CONFIGURED, new Set(["hard-stop-token"])).todo).toBeNull();
  });

  test("a plan is added by the backlog alone, and taken away by it [R-26]", () => {
    const without = { ...STORED, plan: null };
    expect(resumedIdentity(without, CONFIGURED, new Set(["plan-file", "agent-file"])).plan).toBeNull();
    expect(resumedIdentity(STORED, { ...CONFIGURED, plan: null }, new Set(["backlog"])).plan).toBeNull();
    const prompt = { ...CONFIGURED, plan: null };
    expect(resumedIdentity(STORED, prompt, new Set(["plan-file", "agent-file"])).plan).toEqual(STORED.plan);
    expect(storedFlags(new Set(["backlog"]), STORED)).not.toHaveProperty("plan-file");
  });

  test("flags and environment say something now, under any name", () => {
    const said = saidNow({ flags: { "codex-args": ['["-v"]'] }, env: { SMITHERS_PROMPT: "x", OTHER: "y" } });
    expect([...said].toSorted()).toEqual(["prompt", "provider-args"]);
  });

  test("the rules over the settings see the stored checks", () => {
    expect(storedFlags(new Set(["promise-mode"]), STORED)).toEqual({
      "completion-promise": ["STORED"],
      "promise-guard": ["code"],
      "done-token": ["[STORED]"],
      "success-cmd": ['["npm","test"]'],
      "quality-commands": ['["lint"]'],
      backlog: ["checklist"],
      "plan-file": ["@fix_plan.md"],
      "agent-file": ["@AGENT.md"],
      "todo-file": ["TODO.md"],
      "hard-stop-token": ["HARD STOP"],
      "hard-stop-mode": ["pause"],
      "hard-stop-when": ["reached"],
    });
    const shell = { ...STORED, doneToken: null, checks: CONFIGURED.checks, todo: null, plan: null };
    expect(storedFlags(new Set(), shell)).toMatchObject({ "success-sh": ["true"], "done-token": ["none"] });
    expect(storedFlags(new Set(["success-cmd"]), shell)).not.toHaveProperty("success-sh");
  });

  test("a stored promise that is not looked for is none that somebody gave", () => {
    const silent: TaskIdentity = { ...STORED, promise: { ...STORED.promise, mode: "off" } };
    expect(storedFlags(new Set(), silent)).not.toHaveProperty("completion-promise");
    expect(storedFlags(new Set(["promise-mode"]), silent)).toHaveProperty("completion-promise");
  });

  test.each([
    ["prompt", true],
    ["success-cmd", true],
    ["max-iterations", false],
    ["sandbox", false],
    ["nonsense", false],
  ])("%s identifies the task: %s", (name, is) => {
    expect(isIdentityFlag(name)).toBe(is);
  });
});
