import { expect, test } from "vitest";
import { begin } from "../../../src/core/transition/begin.ts";
import { aHit, aLoopStarted, AT, aTask, digest } from "../../support/builders.ts";

const task = aTask({
  identity: {
    prompt: "Fix it.",
    promise: { text: "FIXED", mode: "plain", guard: "code" },
    checks: { successCommand: ["npm", "test"], quality: ["npm run lint"] },
    todo: { path: "TODO.md", mode: "exit" },
  },
  runtime: { model: "m", approval: "never", profile: "p" },
});

test("the state of a loop that has just begun has the seed's form [W-41, W-48]", () => {
  expect(begin(aLoopStarted(task))).toMatchObject({
    loop_id: "a-loop",
    created_at: AT,
    workspace_root: "/workspace",
    prompt: "Fix it.",
    completion_promise: "FIXED",
    promise_mode: "plain",
    max_iterations: 30,
    iteration: 0,
    status: "running",
    codex: { session_id: null, model: "m", sandbox: "workspace-write", approval: "never", profile: "p" },
    todo: { path: "TODO.md", hard_stop_token: "HARD STOP", hard_stop_mode: "exit", paused_for_hard_stop: false },
    artifacts: {
      dir: expect.stringMatching(/\/a-loop$/u),
      last_message_path: null,
      jsonl_path: null,
      summary_json_path: "summary.json",
    },
    last_result: null,
  });
});

test("created_at carries a UTC offset [W-48]", () => {
  expect(begin(aLoopStarted(task)).created_at).toMatch(/\+00:00$/u);
});

test("a state is plain JSON", () => {
  const state = begin(aLoopStarted(task));
  expect(JSON.parse(JSON.stringify(state))).toEqual(state);
});

test.each([
  [16_384, 16_384, null],
  [16_385, 16_384, "prompt.txt"],
])("a prompt of %i characters: %i in the state, the whole in %s", (length, kept, file) => {
  const prompt = "x".repeat(length);
  const state = begin(aLoopStarted(aTask({ identity: { prompt } })));
  expect([state.prompt.length, state.prompt_path, state.prompt_digest]).toEqual([kept, file, digest(prompt)]);
});

test("hits are remembered from the loop's start [C10]", () => {
  expect(begin(aLoopStarted(task, { hard_stops: [aHit()] })).todo?.seen).toEqual([aHit()]);
});

test("without a todo file there is no todo [W-43]", () => {
  expect(begin(aLoopStarted(aTask(), { hard_stops: [aHit()] })).todo).toBeNull();
});
