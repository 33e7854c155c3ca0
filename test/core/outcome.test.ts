import { expect, test } from "vitest";
import { outcomeOf, type StopKind, OUTCOMES } from "../../src/core/outcome.ts";

/** Section 4.5: state, exit code, job and who may resume it. */
test.each<[StopKind, string, number, string, string]>([
  ["promise", "completed", 0, "pass", "nobody"],
  ["done_token", "completed", 0, "pass", "nobody"],
  ["success_command", "completed", 0, "pass", "nobody"],
  ["already_green", "completed", 0, "pass", "nobody"],
  ["rate_limit", "waiting", 75, "pass", "anybody"],
  ["usage_limit", "waiting", 75, "pass", "anybody"],
  ["calls_per_hour", "waiting", 75, "pass", "anybody"],
  ["tokens_per_day", "waiting", 75, "pass", "anybody"],
  ["hard_stop", "paused_hard_stop", 3, "pass", "person"],
  ["paused", "paused_user_interrupt", 130, "cancelled", "person"],
  ["stopped", "paused_user_interrupt", 130, "cancelled", "person"],
  ["time_budget", "paused_time_budget", 3, "pass", "anybody"],
  ["max_iterations", "stopped_max_iterations", 2, "fail", "higher_cap"],
  ["tokens", "stopped_budget", 2, "fail", "higher_cap"],
  ["total_time", "stopped_budget", 2, "fail", "higher_cap"],
  ["agent_blocked", "blocked", 4, "fail", "person"],
  ["permission_denied", "blocked", 4, "fail", "person"],
  ["question", "blocked", 4, "fail", "person"],
  ["head_moved", "blocked", 4, "fail", "person"],
  ["canceled", "canceled", 130, "pass", "nobody"],
  ["auth", "error", 1, "fail", "anybody"],
  ["config", "error", 1, "fail", "anybody"],
  ["sandbox_broken", "error", 1, "fail", "anybody"],
  ["provider", "error", 1, "fail", "anybody"],
  ["gate_unrunnable", "error", 1, "fail", "anybody"],
  ["commit_refused", "error", 1, "fail", "anybody"],
  ["superseded", "error", 1, "fail", "anybody"],
])("%s is %s with exit code %i [section 4.5]", (kind, status, exitCode, job, resumableBy) => {
  expect(OUTCOMES[kind]).toMatchObject({ status, exitCode, job, resumableBy });
});

test("the cap says what to do next [W-39]", () => {
  expect(outcomeOf({ kind: "max_iterations", max: 30 }).next).toMatch(/prompt.*test.*--max-iterations.*<resume>/u);
});

test.each(Object.entries(OUTCOMES))("%s says what happened and what to do next", (_kind, outcome) => {
  expect(outcome.sentence).toMatch(/\.$/u);
  expect(outcome.next).not.toBe("");
  expect(outcome.next.includes("<resume>")).toBe(outcome.resumableBy !== "nobody");
});
