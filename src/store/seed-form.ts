import { z } from "zod";
import { taskDigest } from "../core/task.ts";
import type { Status, StopReason } from "../core/outcome.ts";
import { sha256 } from "../os/digest.ts";
import { NOTHING_SPENT } from "../core/cost/spent.ts";
import { AGENT_STATE } from "../core/names.ts";

const optionalText = z.string().nullish();

/**
 * The seed's own state file (W-48), which has no `schema`: schema 0. Only requires what the seed promises; keeps
 * everything else in such a file.
 */
const seedForm = z.looseObject({
  loop_id: z.string().min(1),
  created_at: z.iso.datetime({ offset: true }),
  workspace_root: z.string(),
  prompt: z.string(),
  completion_promise: z.string().min(1),
  promise_mode: z.enum(["tag", "plain", "regex"]),
  max_iterations: z.int().nonnegative(),
  iteration: z.int().nonnegative(),
  status: z.string(),
  [AGENT_STATE]: z.looseObject({
    session_id: optionalText,
    model: optionalText,
    sandbox: optionalText,
    approval: optionalText,
    profile: optionalText,
  }),
  todo: z
    .looseObject({
      path: z.string(),
      hard_stop_token: z.string(),
      hard_stop_mode: z.enum(["pause", "exit"]),
      paused_for_hard_stop: z.boolean(),
    })
    .nullish(),
  artifacts: z.looseObject({
    dir: z.string(),
    last_message_path: optionalText,
    jsonl_path: optionalText,
    summary_json_path: z.string(),
  }),
  last_result: z.looseObject({ exit_code: z.int().nullable(), detected_promise: z.boolean() }).nullish(),
});

type SeedForm = z.output<typeof seedForm>;
const BY = "a state file of an older form";

/**
 * Brings the seed's form to schema 1. A loop that had not ended is paused: only a person lets it go on, with its
 * session, iterations and task as they were.
 *
 * @throws ZodError when the file is not even in the seed's form
 */
export function migrateSeedForm(older: unknown): unknown {
  const seed = seedForm.parse(older);
  const identity = {
    prompt: seed.prompt,
    promise: { text: seed.completion_promise, mode: seed.promise_mode, guard: "final-line" },
    doneToken: null,
    checks: { successCommand: null, successShell: null, quality: [], ci: null },
    todo: null,
    plan: null,
    prd: null,
  } as const;
  return {
    ...seed,
    schema: 1,
    revision: 0,
    generation: 1,
    updated_at: seed.created_at,
    prompt_digest: sha256(seed.prompt),
    prompt_path: null,
    task_digest: taskDigest(identity, sha256),
    promise_guard: identity.promise.guard,
    checks: { success_cmd: null, success_sh: null, quality_commands: [] },
    ...endingOf(seed),
    phase: "ready",
    // it has one agent, whose name the key is
    provider: AGENT_STATE,
    [AGENT_STATE]: agentOf(seed),
    // the seed has no checkboxes: its rule is the literal one (C10)
    todo: seed.todo ? { ...seed.todo, hard_stop_when: "present", seen: [], acknowledged: [] } : null,
    artifacts: {
      ...seed.artifacts,
      last_message_path: seed.artifacts.last_message_path ?? null,
      jsonl_path: seed.artifacts.jsonl_path ?? null,
    },
    last_result: seed.last_result ?? null,
    iteration_started_at: null,
    last_turn: null,
    turn_tokens: 0,
    first_check: null,
    verdict: null,
    snapshot: null,
    spent: { ...NOTHING_SPENT, turns: seed.iteration },
    iterations: [],
    not_before: null,
    error_resumes: 0,
  };
}

function agentOf(seed: SeedForm): unknown {
  const { session_id, model, sandbox, approval, profile } = seed[AGENT_STATE];
  return {
    ...seed[AGENT_STATE],
    session_id: session_id ?? null,
    model: model ?? null,
    sandbox: sandbox ?? "read-only",
    approval: approval ?? null,
    profile: profile ?? null,
    session_iterations: session_id ? seed.iteration : 0,
    session_usage: null,
  };
}

function endingOf(seed: SeedForm): { readonly status: Status; readonly stop_reason: StopReason } {
  switch (seed.status) {
    case "completed":
      return { status: "completed", stop_reason: { kind: "promise", verified: false } };
    case "stopped_max_iterations":
      return { status: "stopped_max_iterations", stop_reason: { kind: "max_iterations", max: seed.max_iterations } };
    case "canceled":
      return { status: "canceled", stop_reason: { kind: "canceled", by: BY } };
    case "paused_hard_stop": {
      const mode = seed.todo?.hard_stop_mode ?? "pause";
      return { status: "paused_hard_stop", stop_reason: { kind: "hard_stop", mode, hits: [] } };
    }
    default:
      return { status: "paused_user_interrupt", stop_reason: { kind: "paused", by: BY } };
  }
}
