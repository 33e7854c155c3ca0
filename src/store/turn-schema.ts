import { z } from "zod";
import { lazy } from "../os/lazy.ts";
import { count, date, object } from "./schema-parts.ts";

/** What the state keeps of a turn and of what its checks said; part of `stateSchema`. */

export const failureKind = z.enum([
  "not_installed",
  "auth",
  "bad_request",
  "rate_limited",
  "usage_limit",
  "overloaded",
  "transport",
  "truncated",
  "timed_out",
  "idle",
  "busy",
  "crashed",
  "protocol",
  "sandbox_broken",
  "context_full",
  "session_lost",
  "cancelled",
]);

export const failure = object(() => ({
  kind: failureKind,
  message: z.string(),
  retryable: z.boolean(),
  resetsAt: z.number().exactOptional(),
  next: z.string().exactOptional(),
}));

export const denial = object(() => ({ what: z.string(), allow: z.string() }));

export const problem = object(() => ({ code: z.string(), what: z.string(), next: z.string() }));

const statusBlock = object(() => ({
  name: z.enum(["ralph", "loopr", "lisa", "smithers"]),
  status: z.enum(["IN_PROGRESS", "COMPLETE", "BLOCKED", "ERROR", "UNKNOWN"]).nullable(),
  exit_signal: z.boolean().nullable(),
  work_type: z.enum(["tests", "code", "docs", "other"]).nullable(),
  files_modified: count.nullable(),
  errors: count.nullable(),
  tests_status: z.enum(["PASSING", "FAILING", "UNKNOWN"]).nullable(),
  tasks_completed: count.nullable(),
  summary: z.string().nullable(),
  other: z.record(z.string(), z.string()),
}));

const claim = object(() => ({
  detected: z.boolean(),
  done: z.boolean(),
  token_done: z.boolean().default(false),
  hint: z.string().nullable(),
  blocked: z.string().nullable(),
  notes: z.array(z.string()),
  unfinished: z.string().nullable().default(null),
  block: statusBlock().nullable().default(null),
}));

const change = object(() => ({
  files: count,
  added: count,
  removed: count,
  stat: z.string(),
  only_tests: z.boolean().default(false),
}));

export const snapshot = object(() => ({ id: z.string(), tree: z.string(), head: z.string().nullable() }));

const testReport = object(() => ({
  runner: z.string(),
  ran: count,
  passed: count,
  failed: count,
  skipped: count,
  failing: z.array(z.string()),
  exact: z.boolean(),
  early: z.boolean(),
}));

const check = object(() => ({
  role: z.enum(["success", "quality"]),
  command: z.string(),
  exitCode: z.int().nullable(),
  timedOut: z.boolean(),
  durationMs: z.number().nonnegative(),
  tail: z.string(),
  tests: testReport().nullable().default(null),
}));

const checks = lazy(() => z.array(check()));

export const verdict = lazy(() =>
  z.discriminatedUnion("result", [
    z.looseObject({ result: z.literal("passed"), checks: checks() }),
    z.looseObject({ result: z.literal("failed"), checks: checks() }),
    z.looseObject({ result: z.literal("cut_off"), checks: checks() }),
    z.looseObject({ result: z.literal("unrunnable"), checks: checks(), problem: problem() }),
  ]),
);

export const lastTurn = object(() => ({
  iteration: count,
  ended_at: date,
  failure: failure().nullable(),
  claim: claim(),
  summary: z.string(),
  change: change().nullable(),
  denied: z.array(denial()).default([]),
}));
