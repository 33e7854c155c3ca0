import { describe, expect, it } from "vitest";
import { OperationalError } from "../../src/core/errors.ts";
import { chooseOpening } from "../../src/core/open-loop.ts";
import { decodeState, encodeState } from "../../src/store/state-file.ts";

const FILE = "loops/a-loop.json";

function problemOf(text: string): { readonly code: string; readonly what: string; readonly next: string } {
  try {
    decodeState(text, FILE);
  } catch (error) {
    if (error instanceof OperationalError) return { code: error.code, what: error.message, next: error.next };
    throw error;
  }
  throw new Error("It was decoded.");
}

/** The example of the seed, section 9, unchanged. */
const SEED = {
  loop_id: "repo-2026-01-06T21-10-00",
  created_at: "2026-01-06T21:10:00-08:00",
  workspace_root: "/path/to/repo",
  prompt: "Go through TODO.md step-by-step...",
  completion_promise: "DONE",
  promise_mode: "tag",
  max_iterations: 50,
  iteration: 7,
  status: "running",
  codex: {
    session_id: "0199a213-81c0-7800-8aa1-bbab2a035a53",
    model: "gpt-5.2-codex",
    sandbox: "workspace-write",
    approval: "on-request",
    profile: "default",
  },
  todo: {
    path: "TODO.md",
    hard_stop_token: "HARD STOP",
    hard_stop_mode: "pause",
    paused_for_hard_stop: false,
  },
  artifacts: {
    dir: ".codex/waylon-smithers/loops/repo-2026-01-06T21-10-00/",
    last_message_path: "last_message_iter_7.txt",
    jsonl_path: "events_iter_7.jsonl",
    summary_json_path: "summary.json",
  },
  last_result: {
    exit_code: 0,
    detected_promise: false,
  },
};

describe("the seed's state file", () => {
  it("loads as a paused loop with nothing lost [W-48]", () => {
    const state = decodeState(JSON.stringify(SEED), FILE);
    expect(state).toMatchObject({ ...SEED, status: "paused_user_interrupt" });
    expect(state).toMatchObject({ schema: 1, revision: 0, phase: "ready", stop_reason: { kind: "paused" } });
    expect(decodeState(encodeState(state), FILE)).toEqual(state);
  });

  it("a person may resume it, with the same prompt even as the same task [W-06, W-48]", () => {
    const state = decodeState(JSON.stringify(SEED), FILE);
    const request = {
      maxIterations: 50,
      maxTokens: null,
      maxTotalMs: null,
      maxErrorResumes: 3,
      publishes: false,
      acceptsProof: false,
      taskDigest: state.task_digest,
    };
    expect(chooseOpening(state, { ...request, by: "person" })).toEqual({ do: "resume" });
    expect(chooseOpening(state, { ...request, by: "trigger" })).toMatchObject({ do: "leave" });
  });

  it.each([
    ["completed", "promise"],
    ["stopped_max_iterations", "max_iterations"],
    ["canceled", "canceled"],
    ["paused_hard_stop", "hard_stop"],
    ["paused_user_interrupt", "paused"],
    ["anything else", "paused"],
  ])("%s is an ending of kind %s [W-48]", (status, kind) => {
    expect(decodeState(JSON.stringify({ ...SEED, status }), FILE).stop_reason?.kind).toBe(kind);
  });

  it("what the seed leaves open may be missing, and what it does not know is kept [W-48]", () => {
    const { todo: _todo, last_result: _result, ...rest } = SEED;
    const bare = { ...rest, codex: { x: 1 }, artifacts: { dir: "d", summary_json_path: "s" }, y: [2] };
    const state = decodeState(JSON.stringify(bare), FILE);
    expect(state).toMatchObject({ todo: null, last_result: null, y: [2], codex: { x: 1, session_id: null } });
  });

  it("a file without a schema that is not a seed's either is damaged [W-58]", () => {
    expect(problemOf(JSON.stringify({ ...SEED, prompt: 7 })).what).toContain("prompt: ");
  });
});
