import { createHash } from "node:crypto";
import type { LoopState } from "../../src/core/state.ts";

const PROMPT = "Make the tests green.";

/** A whole, valid state of a loop that has just begun; what a test is about is in `overrides`. */
export function aState(overrides: Partial<LoopState> = {}): LoopState {
  return {
    schema: 1,
    revision: 1,
    loop_id: "a-loop",
    generation: 1,
    created_at: "2026-03-01T10:00:00.000Z",
    updated_at: "2026-03-01T10:00:00.000Z",
    workspace_root: "/workspace",
    prompt: PROMPT,
    prompt_digest: createHash("sha256").update(PROMPT).digest("hex"),
    prompt_path: null,
    task_digest: "d".repeat(64),
    completion_promise: "TASK_COMPLETE",
    promise_mode: "tag",
    promise_guard: "code",
    checks: { success_cmd: ["npm", "test"], success_sh: null, quality_commands: [] },
    max_iterations: 30,
    iteration: 0,
    status: "running",
    stop_reason: null,
    phase: "ready",
    provider: "scripted",
    codex: {
      session_id: null,
      model: null,
      sandbox: "workspace-write",
      approval: null,
      profile: null,
      session_iterations: 0,
      session_usage: null,
    },
    todo: null,
    artifacts: {
      dir: ".codex/waylon-smithers/loops/a-loop/",
      last_message_path: null,
      jsonl_path: null,
      summary_json_path: "summary.json",
    },
    last_result: null,
    iteration_started_at: null,
    last_turn: null,
    turn_tokens: 0,
    first_check: null,
    verdict: null,
    snapshot: null,
    spent: {
      turns: 0,
      tokens: 0,
      input_tokens: 0,
      cached_input_tokens: 0,
      output_tokens: 0,
      turn_ms: 0,
      check_ms: 0,
      resumes: 0,
    },
    iterations: [],
    not_before: null,
    error_resumes: 0,
    ...overrides,
  };
}
