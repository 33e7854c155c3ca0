import { describe, expect, test } from "vitest";
import type { StopReason } from "../../src/core/outcome.ts";
import { reasonDetail } from "../../src/views/reason.ts";

const PROBLEM = { code: "GATE", what: "No such command.", next: "Install it." };
const FAILURE = { kind: "auth", message: "no key", retryable: false } as const;

describe("what an ending's data add", () => {
  const hit = { id: "h", line: 4, text: "HARD STOP", reached: true };
  test.each<[StopReason, string]>([
    [{ kind: "promise", verified: true }, ""],
    [{ kind: "promise", verified: false }, "No check is configured, so nobody but the agent says so."],
    [{ kind: "plan_complete", verified: true }, ""],
    [{ kind: "plan_complete", verified: false }, "No check is configured, so nothing but the plan says so."],
    [{ kind: "success_command", command: "npm test" }, "Command: npm test"],
    [{ kind: "already_green", command: "npm test" }, "Command: npm test"],
    [
      { kind: "hard_stop", mode: "pause", hits: [hit, { ...hit, vanished: true }] },
      "line 4: HARD STOP; gone: HARD STOP",
    ],
    [{ kind: "paused", by: "smithers pause" }, "Asked for by: smithers pause"],
    [{ kind: "stopped", by: "SIGINT" }, "Asked for by: SIGINT"],
    [{ kind: "canceled", by: "smithers cancel" }, "Asked for by: smithers cancel"],
    [
      {
        kind: "carriers_unreachable",
        unanswered: [
          { carrier: "git", why: "no\nroute" },
          { carrier: "cache", why: "503" },
        ],
      },
      "git: no route cache: 503",
    ],
    [{ kind: "time_budget" }, ""],
    [{ kind: "max_iterations", max: 1 }, "1 iteration"],
    [{ kind: "tokens", spent: 1_500, max: 1_000 }, "1,500 of 1,000 tokens"],
    [{ kind: "total_time", spent: 90_000, max: 60_000 }, "1 min 30 s of 1 min"],
    [{ kind: "agent_blocked", why: "BLOCKED:\nno key" }, "BLOCKED: no key"],
    [{ kind: "question", question: "Which?" }, "Which?"],
    [{ kind: "protected_paths", count: 2, paths: ["CODEOWNERS"] }, "CODEOWNERS and 1 more."],
    [
      { kind: "too_large", files: 101, bytes: 9, max_files: 100, max_bytes: null },
      "101 files changed, 100 allowed (max-changed-files).",
    ],
    [
      {
        kind: "head_moved",
        from: { head: "a".repeat(40), branch: "main" },
        to: { head: "b".repeat(40), branch: "main" },
      },
      `It was on main, at ${"a".repeat(12)}, and is on main, at ${"b".repeat(12)}. \`git reset --soft ${"a".repeat(12)}\` puts it back and keeps the files; what came is still ${"b".repeat(12)} then. Your own commit can stay: the loop builds on it. If \`git log ${"b".repeat(12)}..${"a".repeat(12)}\` names commits, they were undone, and the files that they brought are missing: \`git checkout ${"a".repeat(12)} -- FILE\` brings them back, else the story's commit deletes them.`,
    ],
    [
      {
        kind: "head_moved",
        from: { head: "a".repeat(40), branch: "main" },
        to: { head: "a".repeat(40), branch: null },
      },
      `It was on main, at ${"a".repeat(12)}, and is on no branch, at ${"a".repeat(12)}. \`git switch main\` goes back.`,
    ],
    [
      { kind: "head_moved", from: { head: "a".repeat(40), branch: null }, to: { head: "a".repeat(40), branch: "x" } },
      `It was on no branch, at ${"a".repeat(12)}, and is on x, at ${"a".repeat(12)}. \`git switch --detach ${"a".repeat(12)}\` goes back.`,
    ],
    [
      { kind: "head_moved", from: { head: null }, to: { head: "b".repeat(40) } },
      `It was before the first commit, and is at ${"b".repeat(12)}. \`git update-ref -d HEAD\` puts it back and keeps the files.`,
    ],
    [{ kind: "no_progress", count: 3 }, "3 iterations"],
    [{ kind: "rate_limit", until: "noon", message: "slow down" }, "Until noon: slow down"],
    [{ kind: "calls_per_hour", until: "noon", max: 100 }, "Until noon: 100 calls an hour"],
    [{ kind: "tokens_per_day", until: "noon", max: 5000 }, "Until noon: 5,000 tokens a day"],
    [{ kind: "usage_limit", until: "noon", message: "used up" }, "Until noon: used up"],
    [{ kind: "auth", failure: FAILURE }, "auth: no key"],
    [{ kind: "config", failure: { ...FAILURE, next: "Log in." } }, "auth: no key Log in."],
    [{ kind: "sandbox_broken", failure: FAILURE }, "auth: no key"],
    [{ kind: "provider", failure: FAILURE }, "auth: no key"],
    [{ kind: "gate_unrunnable", problem: PROBLEM }, "No such command. Install it."],
    [{ kind: "commit_refused", problem: PROBLEM }, "No such command. Install it."],
    [{ kind: "superseded", by: "run 7" }, "The other run: run 7"],
  ])("%j", (reason, detail) => {
    expect(reasonDetail(reason, (advice) => advice)).toBe(detail);
  });
});
