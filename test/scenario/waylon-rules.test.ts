import { describe, expect, test } from "vitest";
import { COMMANDS } from "../../src/commands/table.ts";
import { settingFlags } from "../../src/config/describe.ts";
import { runLoop } from "../../src/core/loop.ts";
import { outcomeOf, type StopReason } from "../../src/core/outcome.ts";
import { firstPrompt } from "../../src/core/prompt/prompt.ts";
import type { PromiseRule } from "../../src/core/task.ts";
import { resolve } from "../config/support.ts";
import { aBrief, aTask, type TaskOverrides } from "../support/builders.ts";
import { newWorld, portsOf, type Scenario, type World } from "./world.ts";

const never = new AbortController().signal;

async function play(scenario: Scenario, task: TaskOverrides = {}): Promise<{ world: World; reason: StopReason }> {
  const world = newWorld();
  return { world, reason: await runLoop(aTask(task), portsOf(world, scenario), never) };
}

describe("flags and their defaults", () => {
  const { config } = resolve({ flags: { preset: "waylon", "loop-id": "L" } });

  test.each<[row: string, flag: string, value: unknown, byDefault: unknown]>([
    ["W-14", "--max-iterations", config.maxIterations, 30],
    ["W-15", "--completion-promise", config.completionPromise, "TASK_COMPLETE"],
    ["W-16", "--promise-mode", config.promiseMode, "tag"],
    ["W-17", "--loop-id", config.loopId, "L"],
    ["W-18", "--state-file", config.stateFile, null],
    ["W-19", "--cd", config.cd, null],
    ["W-20", "--model", config.model, null],
    ["W-21", "--profile", config.profile, null],
    ["W-22, W-54, W-55", "--sandbox", config.sandbox, "read-only"],
    ["W-23", "--full-auto", config.fullAuto, false],
    ["W-24, W-54", "--ask-for-approval", config.askForApproval, "on-request"],
    ["W-25", "--skip-git-repo-check", config.skipGitRepoCheck, false],
    ["W-26", "--jsonl-events", config.jsonlEvents, null],
    ["W-27", "--last-message-dir", config.lastMessageDir, null],
    ["W-28", "--summary-json", config.summaryJson, null],
    ["W-29", "--todo-file", config.todoFile, null],
    ["W-30", "--hard-stop-token", config.hardStopToken, "HARD STOP"],
    ["W-31", "--hard-stop-mode", config.hardStopMode, "pause"],
  ])("$1 [$0]", (_row, flag, value, byDefault) => {
    expect(settingFlags().flatMap(({ flags }) => flags)).toContain(flag);
    expect(value).toEqual(byDefault);
  });

  test("the defaults without the preset are the seed's as well [W-07]", () => {
    const { maxIterations, completionPromise, promiseMode, sandbox, askForApproval } = resolve().config;
    const ours = [maxIterations, completionPromise, promiseMode, sandbox, askForApproval];
    expect(ours).toEqual([30, "TASK_COMPLETE", "tag", "read-only", "on-request"]);
  });

  test("status, cancel with its clean-up, and resume take the loop's id [W-32, W-33, W-34]", () => {
    for (const name of ["status", "cancel", "resume"]) {
      const row = COMMANDS.find((command) => command.name === name);
      expect(row?.settings ?? ["loop-id"]).toContain("loop-id");
    }
    expect(COMMANDS.find(({ name }) => name === "cancel")?.own).toContain("cleanup-artifacts");
  });
});

describe("functional requirements", () => {
  test.each<[string, Partial<PromiseRule>, string, boolean]>([
    ["tag, exactly", { mode: "tag", text: "DONE" }, "<promise>DONE</promise>", true],
    ["tag, nearly", { mode: "tag", text: "DONE" }, "<promise> DONE </promise>", false],
    ["tag, without its tag", { mode: "tag", text: "DONE" }, "DONE", false],
    ["plain", { mode: "plain", text: "DONE" }, "It is DONE now", true],
    ["regex", { mode: "regex", text: "ALL \\d+ PASS" }, "ALL 12 PASS", true],
    ["regex, without a match", { mode: "regex", text: "ALL \\d+ PASS" }, "ALL PASS", false],
  ])("%s [W-37, W-38, FR3]", async (_title, promise, message, found) => {
    const { world } = await play(
      { agent: () => ({ message }) },
      { identity: { promise }, limits: { maxIterations: 1 } },
    );
    expect(world.state).toMatchObject({
      status: found ? "completed" : "stopped_max_iterations",
      last_result: { detected_promise: found },
    });
  });

  test("the state is written at the beginning, before and after each iteration, and at the end [W-40, FR5]", async () => {
    const { world } = await play({}, { limits: { maxIterations: 2 } });
    const iteration = ["turn_started", "turn_ended", "settled"];
    expect(world.events.map(({ type }) => type).filter((type) => type !== "session_opened")).toEqual([
      "loop_started",
      ...iteration,
      ...iteration,
      "loop_stopped",
    ]);
    expect(world.state).toMatchObject({ revision: world.events.length, status: "stopped_max_iterations" });
  });

  test("what the cap says to do next [W-39, FR4]", () => {
    expect(outcomeOf({ kind: "max_iterations", max: 30 })).toMatchObject({
      status: "stopped_max_iterations",
      resumableBy: "higher_cap",
      next: expect.stringMatching(/sharpen the prompt or add a test, raise --max-iterations/u),
    });
  });

  test.each([
    ["stop", "paused_user_interrupt", "Ctrl+C [W-46, W-64, FR8, acceptance 6]"],
    ["cancel", "canceled", "cancel [W-33, W-47, FR8]"],
  ] as const)("%s is %s: %s", async (kind, status, _row) => {
    const { world } = await play({ request: ({ work }) => (work >= 2 ? kind : undefined) });
    expect(world.state).toMatchObject({ status, codex: { session_id: "session-1" } });
  });

  test("promise, cap, person and HARD STOP end a loop that has nothing else set [W-03]", async () => {
    const hit = { id: "h", text: "HARD STOP", line: 1, reached: true };
    const promise = { agent: () => ({ message: "<promise>DONE</promise>" }) };
    const ended = await Promise.all([
      play(promise),
      play({}),
      play({ request: () => "cancel" }),
      play({ hardStops: () => [hit] }, { identity: { todo: {} } }),
    ]);
    expect(ended.map(({ reason }) => reason.kind)).toEqual(["promise", "max_iterations", "canceled", "hard_stop"]);
  });
});

describe("the prompt", () => {
  const identity = { prompt: "Fix the <b>tests</b>.", todo: {} };
  const text = firstPrompt({ ...aBrief({ task: aTask({ identity }) }), progress: "" });

  test.each([
    ["loop id, iteration, cap [W-49]", /Loop a-loop, iteration 1 of 30/u],
    ["promise mode and token [W-49]", /Promise mode: tag\. Promise: <promise>DONE<\/promise>/u],
    ["the prompt verbatim [W-50]", /<task>\nFix the <b>tests<\/b>\.\n<\/task>/u],
    [
      "the discipline of the promise [W-51]",
      /Only output the completion promise when the task is completely and unequivocally done\./u,
    ],
    ["BLOCKED [W-51]", /write a section that begins with BLOCKED/u],
    ["top to bottom [W-52]", /Work top-to-bottom/u],
    ["stop at HARD STOP [W-52]", /Stop at HARD STOP and request human review/u],
    ["deterministic checks [W-52]", /Prefer deterministic checks: tests, linters, typecheck/u],
    [
      "the exact string [W-53]",
      /You MUST output the exact string: <promise>DONE<\/promise> ONLY when all requirements are satisfied and verification passes\. Otherwise, do not output that string\./u,
    ],
  ])("%s", (_title, part) => {
    expect(text).toMatch(part);
  });
});

test("no work that is red is taken as done, however often the agent says so [W-58]", async () => {
  const { world, reason } = await play(
    { agent: () => ({ message: "<promise>DONE</promise>" }), gate: () => "failed" },
    { identity: { checks: { quality: ["npm test"] } }, limits: { maxIterations: 5 } },
  );
  expect(reason.kind).toBe("max_iterations");
  expect(world.state?.iterations.map(({ claimed, checks }) => [claimed, checks])).toEqual(
    Array.from({ length: 5 }, () => [true, "failed"]),
  );
});
