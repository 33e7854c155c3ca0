import { z } from "zod";
import { NO_APPEALS } from "../core/claim/blocked-streak.ts";
import { NO_SIGNALS } from "../core/claim/effective-claim.ts";
import { openBooks } from "../core/progress/counters.ts";
import { CLOSED } from "../core/progress/circuit.ts";
import { NOTHING_JUDGED } from "../core/progress/strength.ts";
import { NO_CALLS } from "../core/stop/limits.ts";
import { lazy } from "../os/lazy.ts";
import { bounds } from "./bounds-schema.ts";
import { count, date, object } from "./schema-parts.ts";
import { strength, weakness } from "./strength-schema.ts";
import { denial, failure, failureKind, lastTurn, problem, snapshot, verdict } from "./turn-schema.ts";

/**
 * The on-disk form of `LoopState` (W-48), schema 1. Every object is loose: keys that this version does not know survive
 * a round trip. A test holds the type of this schema equal to `LoopState`, both ways.
 *
 * It is made when a state is first read: that takes longer than all else that a loop which begins has to read.
 */

const usage = object(() => ({ input: count, cachedInput: count, output: count, reasoning: count }));

const hardStopHit = object(() => ({
  id: z.string(),
  line: count,
  text: z.string(),
  reached: z.boolean(),
  vanished: z.literal(true).exactOptional(),
}));

const stopReason = lazy(() =>
  z.discriminatedUnion("kind", [
    z.looseObject({ kind: z.literal("promise"), verified: z.boolean() }),
    z.looseObject({ kind: z.literal("done_token"), verified: z.boolean() }),
    z.looseObject({ kind: z.literal("dual_gate"), verified: z.boolean() }),
    z.looseObject({ kind: z.literal("exit_signal"), verified: z.boolean() }),
    z.looseObject({ kind: z.literal("plan_complete"), verified: z.boolean() }),
    z.looseObject({ kind: z.literal("success_command"), command: z.string() }),
    z.looseObject({ kind: z.literal("already_green"), command: z.string() }),
    z.looseObject({ kind: z.literal("hard_stop"), mode: z.enum(["pause", "exit"]), hits: z.array(hardStopHit()) }),
    z.looseObject({ kind: z.literal("paused"), by: z.string() }),
    z.looseObject({ kind: z.literal("stopped"), by: z.string() }),
    z.looseObject({ kind: z.literal("canceled"), by: z.string() }),
    z.looseObject({ kind: z.literal("time_budget") }),
    z.looseObject({ kind: z.literal("max_iterations"), max: count }),
    z.looseObject({ kind: z.literal("tokens"), spent: count, max: count }),
    z.looseObject({ kind: z.literal("total_time"), spent: z.number().nonnegative(), max: z.number() }),
    z.looseObject({ kind: z.literal("agent_blocked"), why: z.string() }),
    z.looseObject({ kind: z.literal("permission_denied"), denied: z.array(denial()) }),
    z.looseObject({ kind: z.literal("question"), question: z.string() }),
    z.looseObject({ kind: z.literal("weak_proof"), weaknesses: z.array(weakness()) }),
    z.looseObject({ kind: z.literal("no_progress"), count }),
    z.looseObject({ kind: z.literal("same_error"), count }),
    z.looseObject({ kind: z.literal("test_loops"), count }),
    z.looseObject({ kind: z.literal("missing_status"), count }),
    z.looseObject({ kind: z.literal("rate_limit"), until: date, message: z.string() }),
    z.looseObject({ kind: z.literal("usage_limit"), until: date, message: z.string() }),
    z.looseObject({ kind: z.literal("calls_per_hour"), until: date, max: count }),
    z.looseObject({ kind: z.literal("auth"), failure: failure() }),
    z.looseObject({ kind: z.literal("config"), failure: failure() }),
    z.looseObject({ kind: z.literal("sandbox_broken"), failure: failure() }),
    z.looseObject({ kind: z.literal("provider"), failure: failure() }),
    z.looseObject({ kind: z.literal("gate_unrunnable"), problem: problem() }),
    z.looseObject({ kind: z.literal("commit_refused"), problem: problem() }),
    z.looseObject({ kind: z.literal("superseded"), by: z.string() }),
  ]),
);

const iterationRecord = object(() => ({
  iteration: count,
  started_at: date,
  ended_at: date,
  agent: z.enum(["ok", "abandoned", ...failureKind.options]),
  claimed: z.boolean(),
  checks: z.enum(["passed", "failed", "cut_off", "unrunnable", "none"]),
  files_changed: count.nullable(),
  lines_added: count,
  lines_removed: count,
  tokens: count,
  commit: z.string().nullable(),
}));

const status = z.enum([
  "running",
  "completed",
  "waiting",
  "paused_hard_stop",
  "paused_user_interrupt",
  "paused_time_budget",
  "stopped_max_iterations",
  "stopped_budget",
  "blocked",
  "circuit_open",
  "canceled",
  "error",
]);

const codex = object(() => ({
  session_id: z.string().nullable(),
  model: z.string().nullable(),
  sandbox: z.string(),
  approval: z.string().nullable(),
  profile: z.string().nullable(),
  session_iterations: count,
  session_usage: usage().nullable(),
}));

const todo = object(() => ({
  path: z.string(),
  hard_stop_token: z.string(),
  hard_stop_mode: z.enum(["pause", "exit"]),
  hard_stop_when: z.enum(["reached", "present"]),
  paused_for_hard_stop: z.boolean(),
  seen: z.array(hardStopHit()),
  acknowledged: z.array(z.string()),
}));

const artifacts = object(() => ({
  dir: z.string(),
  last_message_path: z.string().nullable(),
  jsonl_path: z.string().nullable(),
  summary_json_path: z.string(),
}));

const github = object(() => ({
  branch: z.string(),
  head: z.string().nullable(),
  pull_request: z.looseObject({ number: z.int().positive(), url: z.string(), own: z.boolean() }).nullable(),
  authorised_by: z.string().nullable(),
  obeyed: z.string().nullable(),
  continuations: count,
  unpublished: z
    .looseObject({
      what: z.enum(["branch", "pull_request"]),
      base: z.string().nullable(),
      tip: z.string().nullable(),
      kept_on: z.string().nullable(),
    })
    .exactOptional(),
}));

const progress = object(() => ({
  trees: z.array(z.string()),
  no_progress: count,
  same_error: count,
  signature: z.string().nullable(),
  test_loops: count,
  fewest_failures: count.nullable(),
  last_failing: z.array(z.string()).default([]),
  settled_tests: z.array(z.string()).default([]),
  most_ticked: count.default(0),
}));

const failingSet = object(() => ({
  failing: z.array(z.string()),
  failing_count: count,
  failing_digest: z.string(),
  early: z.boolean(),
}));

const circuit = object(() => ({
  state: z.enum(["CLOSED", "HALF_OPEN", "OPEN"]),
  trigger: z.enum(["missing_status", "no_progress", "same_error", "test_loops"]).nullable(),
  count,
}));

const spent = object(() => ({
  turns: count,
  tokens: count,
  input_tokens: count,
  cached_input_tokens: count,
  output_tokens: count,
  turn_ms: z.number().nonnegative(),
  check_ms: z.number().nonnegative(),
  resumes: count,
}));

const plan = object(() => ({
  path: z.string(),
  agent_file: z.string(),
  items: count,
  ticked: count,
  most_items: count.default(0),
}));

const notBefore = object(() => ({
  until: date,
  why: z.enum(["interval", "rate_limit", "usage_limit"]),
  message: z.string(),
}));

export const stateSchema = object(() => ({
  schema: z.literal(1),
  revision: count,
  loop_id: z.string().min(1),
  generation: z.int().positive(),
  created_at: date,
  updated_at: date,
  workspace_root: z.string(),
  prompt: z.string(),
  prompt_digest: z.string(),
  prompt_path: z.string().nullable(),
  task_digest: z.string(),
  completion_promise: z.string(),
  promise_mode: z.enum(["tag", "plain", "regex", "off"]),
  promise_guard: z.enum(["off", "code", "final-line"]),
  solo: z.looseObject({ done_token: z.string().nullable() }).default({ done_token: null }),
  checks: z.looseObject({
    success_cmd: z.array(z.string()).nullable(),
    success_sh: z.string().nullable(),
    quality_commands: z.array(z.string()),
    ci_workflow: z.string().nullable().default(null),
  }),
  max_iterations: count,
  bounds: bounds().nullable().default(null),
  iteration: count,
  status,
  stop_reason: stopReason().nullable(),
  phase: z.enum(["ready", "turn", "unproved", "unsettled", "settled"]),
  provider: z.string(),
  codex: codex(),
  todo: todo().nullable(),
  plan: plan().nullable().default(null),
  artifacts: artifacts(),
  last_result: z.looseObject({ exit_code: z.int().nullable(), detected_promise: z.boolean() }).nullable(),
  iteration_started_at: date.nullable(),
  last_turn: lastTurn().nullable(),
  status_block: z.enum(["loopr", "ralph", "off"]).default("off"),
  progress: progress().default({ ...openBooks(null), trees: [], last_failing: [], settled_tests: [] }),
  circuit: circuit().default({ ...CLOSED }),
  signals: z.looseObject({ done: count, missing: count }).default({ ...NO_SIGNALS }),
  appeals: z.looseObject({ blocked: count, why: z.string().nullable(), questions: count }).default({ ...NO_APPEALS }),
  learned: z.array(z.string()).default([]),
  turn_tokens: count,
  first_check: verdict().nullable(),
  verdict: verdict().nullable(),
  failing: failingSet().nullable().default(null),
  failure_signature: z.string().nullable().default(null),
  baseline: failingSet().nullable().default(null),
  strength: strength().default({ ...NOTHING_JUDGED, weaknesses: [], tampering: null }),
  snapshot: snapshot().nullable(),
  spent: spent(),
  iterations: z.array(iterationRecord()),
  rate: z.looseObject({ hour_began: date.nullable(), calls: count }).default({ ...NO_CALLS }),
  not_before: notBefore().nullable(),
  error_resumes: count,
  github: github().nullable().default(null),
  guidance: z.string().nullable().default(null),
}));
