import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import type { Flags } from "../../src/config/read.ts";
import { resolveSettings } from "../../src/config/resolve.ts";
import type { KeptSettings } from "../../src/config/kept.ts";
import { flagsToRepeat, quoted, resumeCommand, saidAnew } from "../../src/app/resume/command.ts";
import type { StopReason } from "../../src/core/outcome.ts";
import { aState } from "../views/a-state.ts";
import type { Prd } from "../../src/core/story/story.ts";
import { aPrd, aStory, known } from "../views/some-stories.ts";

const run = promisify(execFile);
const stoppedBy = (reason: StopReason, iteration = 0) => aState({ stop_reason: reason, iteration });
const GATES = { "quality-commands": ['["[ -f a ]"]', "npm test"] };
const OWN = { stories: [{ ...aStory("US-001"), provider: "scripted" }] };
const TIME: StopReason = { kind: "time_budget" };

describe("the command that resumes [W-34]", () => {
  test.each<[string, Record<string, string[]>, StopReason, string]>([
    ["names the loop", {}, TIME, ""],
    ["repeats limits and sandbox", { "max-tokens": ["9"], "full-auto": ["on"] }, TIME, " --max-tokens 9 --full-auto"],
    ["repeats what was switched off", { "check-first": ["off"] }, TIME, " --no-check-first"],
    ["repeats lists", { "pass-env": ["A", "B_*"] }, TIME, " --pass-env A --pass-env 'B_*'"],
    ["leaves out the task", { prompt: ["x"], "success-sh": ["y"], "todo-file": ["z"], "loop-id": ["i"] }, TIME, ""],
    [
      "repeats names and time-outs of quality commands [C25, D-22]",
      { "quality-commands": ["a", '{"run":"b","name":"x"}'] },
      TIME,
      ` --quality-commands a --quality-commands '{"run":"b","name":"x"}'`,
    ],
    ["leaves out quality commands without any", { "quality-commands": ["[ -f a ]", '["b"]'] }, TIME, ""],
    [
      "doubles a cap that was reached",
      { "max-iterations": ["3"] },
      { kind: "max_iterations", max: 3 },
      " --max-iterations 6",
    ],
    ["also one that was never given", {}, { kind: "tokens", spent: 1_000, max: 900 }, " --max-tokens 2000"],
    ["in whole minutes", {}, { kind: "total_time", spent: 61_000, max: 60_000 }, " --max-total-minutes 3"],
  ])("%s", (_, flags, reason, rest) => {
    expect(resumeCommand("smithers", { flags, kept: undefined }, stoppedBy(reason, 3))).toBe(
      `smithers resume --loop-id repo-1${rest}`,
    );
  });

  test.each<[string, Flags, string, string]>([
    ["names the PRD", {}, "prd-shop", ""],
    ["names a loop of another id as well", {}, "mine", " --loop-id mine"],
    [
      "repeats the gates, which a PRD's task is told by, and no part of the PRD",
      { prd: ["shop"], story: ["US-001"], "max-stories": ["1"], "quality-commands": ["npm test"], "full-auto": ["on"] },
      "prd-shop",
      " --quality-commands 'npm test' --full-auto",
    ],
  ])("of a PRD it %s", (_, flags, loopId, rest) => {
    const state = { ...stoppedBy(TIME), loop_id: loopId, stories: known([]) };
    expect(resumeCommand("smithers", { flags, kept: undefined }, state)).toBe(`smithers prd run shop${rest}`);
  });

  test.each<[string, Record<string, string[]>, Partial<Prd>, Flags]>([
    ["the gates, without which it would be another task", {}, {}, GATES],
    ["nothing that the settings say", { "quality-commands": ["[ -f a ]", "npm test"] }, {}, {}],
    ["another agent", { provider: ["command"], "provider-command": ['["x"]'] }, {}, { ...GATES, provider: ["codex"] }],
    ["no agent where the document names one", { provider: ["command"], "provider-command": ['["x"]'] }, OWN, GATES],
    ["the branch, where the document names another one", {}, { branchName: "other" }, { ...GATES, branch: ["work"] }],
    ["no branch that the document names", {}, { branchName: "work" }, GATES],
  ])("of a PRD, a command that was not given the run's flags says %s", (_, flags, more, said) => {
    const { config } = resolveSettings({ flags: { "full-auto": ["on"], ...flags }, env: {} });
    const checks = { ...aState().checks, quality_commands: ["[ -f a ]", "npm test"] };
    const codex = { ...aState().codex, sandbox: config.sandbox };
    const prompt = "Deliver the PRD shop, story by story.";
    const state = aState({ prompt, provider: "codex", stories: known([], { branch: "work" }), checks, codex });
    const prd = { ...aPrd(aStory("US-001")), ...more };
    expect(saidAnew(state, config, prd)).toEqual(said);
    // Without its own prompt it would be another task.
    expect(saidAnew({ ...state, prompt: "Ship it" }, config, prd)).toEqual({ prompt: ["Ship it"], ...said });
    expect(saidAnew({ ...state, stories: known([]) }, config, null)).not.toHaveProperty("branch");
    expect(saidAnew(state, null, prd)).toMatchObject({ "quality-commands": GATES["quality-commands"] });
    expect(saidAnew(state, { ...config, sandbox: "read-only" }, prd)).toMatchObject({ sandbox: [config.sandbox] });
  });

  test("of a PRD it doubles a cap of a person's own alone: without one, the open stories say it", () => {
    const state = { ...stoppedBy({ kind: "max_iterations", max: 3 }, 3), loop_id: "prd-shop", stories: known([]) };
    expect(resumeCommand("smithers", { flags: {}, kept: undefined }, state)).toBe("smithers prd run shop");
    expect(resumeCommand("smithers", { flags: { "max-iterations": ["3"] }, kept: undefined }, state)).toMatch(
      / shop --max-iterations 6$/u,
    );
  });

  test.each<[string, Flags, Record<string, string>, Flags]>([
    ["nothing without it", { calls: ["5"] }, {}, { calls: ["5"] }],
    ["what a variable named", {}, { CODEX_SOLO_CONFIG: "a/solo.json" }, { "solo-config": ["a/solo.json"] }],
    ["the flag before the variable", { "solo-config": ["b"] }, { CODEX_SOLO_CONFIG: "a" }, { "solo-config": ["b"] }],
  ])("of SOLO's file it repeats %s [S-06]", (_, flags, env, repeated) => {
    const resolved = resolveSettings({ flags: { prompt: ["x"], ...flags }, env });
    expect(flagsToRepeat(flags, resolved)).toEqual(repeated);
  });

  test("a shell takes every word literally", async () => {
    const words = ["it's", "$HOME", "a b", '"', "`id`", "", "-", "ä*?", "line\nbreak"];
    const { stdout } = await run("sh", ["-c", `printf '%s\\0' ${words.map(quoted).join(" ")}`]);
    expect(stdout.split("\0").slice(0, -1)).toEqual(words);
  });
});

describe("where what the loop was given is kept [C64]", () => {
  const kept = (holds: Record<string, string | number>): KeptSettings => ({
    holds: Object.fromEntries(Object.entries(holds).map(([name, value]) => [name, { value, from: "flag" as const }])),
    said: {},
  });

  test.each<[string, Flags, KeptSettings, string]>([
    ["nothing is repeated", { "full-auto": ["on"], model: ["a"] }, kept({ model: "a" }), ""],
    [
      "where the loop is, nobody else knows",
      { cd: [".."], "state-file": ["s.json"] },
      kept({}),
      " --cd .. --state-file s.json",
    ],
    ["danger is asked for anew", {}, kept({ sandbox: "danger-full-access" }), " --sandbox danger-full-access"],
  ])("%s", (_, flags, given, rest) => {
    expect(resumeCommand("smithers", { flags, kept: given }, stoppedBy(TIME))).toBe(
      `smithers resume --loop-id repo-1${rest}`,
    );
  });

  test.each<[string, Flags, KeptSettings, string]>([
    ["a cap of a person's own is doubled", {}, kept({ "max-iterations": 3 }), " --max-iterations 6"],
    ["the open stories say what none has said", {}, kept({}), ""],
    ["a prompt that is not kept is part of its task", { prompt: ["Ship it"] }, kept({}), " --prompt 'Ship it'"],
    ["a kept prompt is not repeated", { prompt: ["Ship it"] }, kept({ prompt: "Ship it" }), ""],
  ])("of a PRD, %s", (_, flags, given, rest) => {
    const state = { ...stoppedBy({ kind: "max_iterations", max: 3 }, 3), loop_id: "prd-shop", stories: known([]) };
    expect(resumeCommand("smithers", { flags, kept: given }, state)).toBe(`smithers prd run shop${rest}`);
  });
});
