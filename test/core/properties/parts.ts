import * as fc from "fast-check";
import type { Denial, ProviderFailure, Usage } from "../../../src/core/agent.ts";
import type { Claim, StatusBlock } from "../../../src/core/claim/claim.ts";
import type { HardStopHit } from "../../../src/core/hard-stop.ts";
import type { StopReason } from "../../../src/core/outcome.ts";
import type { Snapshot } from "../../../src/core/state.ts";
import type { CheckResult, Verdict } from "../../../src/core/verdict.ts";
import { aCheck, aRedCheck, digest, NOW } from "../../support/builders.ts";

/** What events and states are made of. Texts are short; what has to be bounded is long now and then. */

const DAY_MS = 86_400_000;

export const text = fc.string({ unit: "grapheme", maxLength: 12 });
export const moments = fc.integer({ min: NOW - DAY_MS, max: NOW + DAY_MS });
export const dates = moments.map((ms) => new Date(ms).toISOString());
const count = fc.nat(1000);

export const failures: fc.Arbitrary<ProviderFailure> = fc.record(
  {
    kind: fc.constantFrom(
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
    ),
    message: text,
    retryable: fc.boolean(),
    resetsAt: moments,
    next: text,
  },
  { requiredKeys: ["kind", "message", "retryable"] },
);

export const usages: fc.Arbitrary<Usage> = fc.record({
  input: count,
  cachedInput: count,
  output: count,
  reasoning: count,
});

const blocks: fc.Arbitrary<StatusBlock> = fc.record({
  name: fc.constantFrom("ralph", "loopr", "lisa", "smithers"),
  status: fc.constantFrom("IN_PROGRESS", "COMPLETE", "BLOCKED", "ERROR", "UNKNOWN", null),
  exit_signal: fc.constantFrom(true, false, null),
  work_type: fc.constantFrom("tests", "code", "docs", "other", null),
  files_modified: fc.option(count),
  errors: fc.option(count),
  tests_status: fc.constantFrom("PASSING", "FAILING", "UNKNOWN", null),
  tasks_completed: fc.option(count),
  summary: fc.option(fc.constantFrom("done", "working", "blocked by the network")),
  other: fc.dictionary(fc.constantFrom("A", "B"), text),
});

export const claims: fc.Arbitrary<Claim> = fc.record({
  detected: fc.boolean(),
  done: fc.boolean(),
  token_done: fc.boolean(),
  hint: fc.option(text),
  blocked: fc.option(fc.constantFrom("BLOCKED: no network", "BLOCKED\nno key")),
  notes: fc.array(text, { maxLength: 10 }),
  unfinished: fc.option(text),
  block: fc.option(blocks),
});

export const denials: fc.Arbitrary<Denial> = fc.record({ what: text, allow: text });

export const hits: fc.Arbitrary<readonly HardStopHit[]> = fc.array(
  fc.record(
    { id: fc.nat(300).map((n) => `hit#${n}`), line: count, text, reached: fc.boolean(), vanished: fc.constant(true) },
    { requiredKeys: ["id", "line", "text", "reached"] },
  ),
  { maxLength: 3 },
);

/** A few trees, so that loops come back to them, and many. */
export const snapshots: fc.Arbitrary<Snapshot> = fc
  .tuple(fc.oneof(fc.nat(4), fc.nat(100_000)), fc.option(text))
  .map(([tree, head]) => ({ id: digest(`${tree} ${head}`), tree: digest(`${tree}`), head }));

const checks: fc.Arbitrary<CheckResult> = fc
  .tuple(
    fc.boolean(),
    fc.constantFrom("", "1 failed", "x".repeat(9000)),
    fc.array(fc.nat(400), { maxLength: 30 }),
    count,
  )
  .map(([red, tail, failing, durationMs]) => {
    const names = failing.map((n) => `a test ${n}`);
    const failed = red ? names.length : 0;
    const tests = { runner: "vitest", ran: 400, passed: 400 - failed, failed, skipped: 0, exact: true, early: false };
    const base = red ? aRedCheck() : aCheck();
    return { ...base, tail, durationMs, tests: { ...tests, failing: red ? names : [] } };
  });

export const verdicts: fc.Arbitrary<Verdict> = fc
  .tuple(fc.constantFrom("passed", "failed", "cut_off", "unrunnable"), fc.array(checks, { maxLength: 3 }))
  .map(([result, checks]) => {
    const problem = { code: "CHECK_UNRUNNABLE", what: "It is not there.", next: "Install it." };
    return result === "unrunnable" ? { result, checks, problem } : { result, checks };
  });

export const reasons: fc.Arbitrary<StopReason> = fc.oneof(
  fc.record({
    kind: fc.constantFrom("promise", "done_token", "dual_gate", "exit_signal", "plan_complete"),
    verified: fc.boolean(),
  }),
  fc.record({ kind: fc.constantFrom("success_command", "already_green"), command: text }),
  fc.record({ kind: fc.constant("hard_stop"), mode: fc.constantFrom("pause", "exit"), hits }),
  fc.record({ kind: fc.constantFrom("paused", "stopped", "canceled", "superseded"), by: text }),
  fc.constant({ kind: "time_budget" }),
  fc.record({ kind: fc.constant("max_iterations"), max: count }),
  fc.record({ kind: fc.constantFrom("tokens", "total_time"), spent: count, max: count }),
  fc.record({ kind: fc.constantFrom("no_progress", "same_error", "test_loops", "missing_status"), count }),
  fc.record({ kind: fc.constantFrom("rate_limit", "usage_limit"), until: dates, message: text }),
  fc.record({ kind: fc.constant("permission_denied"), denied: fc.array(denials, { maxLength: 3 }) }),
  fc.record({ kind: fc.constantFrom("auth", "config", "sandbox_broken", "provider"), failure: failures }),
);
