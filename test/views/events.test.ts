import { describe, expect, test } from "vitest";
import type { AgentEvent } from "../../src/core/agent.ts";
import type { LoopEvent } from "../../src/core/events.ts";
import { OUTCOMES } from "../../src/core/outcome.ts";
import type { CheckEvent } from "../../src/core/ports.ts";
import type { Verdict } from "../../src/core/verdict.ts";
import { activityLine, activityOf, changeText, checkLine, eventLines } from "../../src/views/event-lines.ts";
import { aCheck, aState, CLAIMED, settled, started, turnEnded, turnStarted } from "./a-state.ts";
import { aBlock, aProved as proved, BOUNDS, someFailing } from "../support/builders.ts";

const at = "2026-01-06T21:10:00.000+00:00";
const NO_CLAIM = {
  detected: false,
  done: false,
  token_done: false,
  hint: null,
  blocked: null,
  notes: [],
  unfinished: null,
  block: null,
};
const LIMITED = { kind: "rate_limited", message: "slow\ndown", retryable: true } as const;
const RED: Verdict = { result: "failed", checks: [aCheck({ exitCode: 1 })] };
const PROBLEM = { code: "GATE", what: "no such command", next: "install it" };
const stopped = (reason: Extract<LoopEvent, { type: "loop_stopped" }>["reason"]): LoopEvent => ({
  type: "loop_stopped",
  at,
  reason,
  commit: null,
});

describe("durable events as lines", () => {
  test.each<[string, LoopEvent, string[]]>([
    ["a beginning", started(), ["loop repo-1 started: 30 iterations at most"]],
    ["a generation", started({ generation: 2 }), ["loop repo-1 started: 30 iterations at most, generation 2"]],
    ["a turn's beginning", turnStarted(3), ["iteration 3 started, fresh session"]],
    [
      "a turn of another agent",
      turnStarted(3, { provider: "co\nmmand" }),
      ["iteration 3 started, fresh session, by co mmand"],
    ],
    ["a session", { type: "session_opened", at, session_id: "s-1" }, ["session s-1"]],
    [
      "a session in place of a lost one [C57]",
      { type: "session_opened", at, session_id: "s-2", replaces: "s-1" },
      ["fresh session s-2"],
    ],
    [
      "an abandoned turn",
      { type: "turn_abandoned", at, iteration: 3 },
      ["iteration 3 was cut short when its run died; it counts"],
    ],
    ["a green turn", turnEnded(), ["agent ended its turn: changes not measured, 1,034 tokens, 1 min 5 s"]],
    [
      "a failed turn, which can claim nothing",
      turnEnded({
        failure: LIMITED,
        change: { files: 1, added: 2, removed: 0, stat: "", only_tests: false },
        claim: { ...NO_CLAIM, hint: "a\nhint", blocked: "no key", block: aBlock({ exit_signal: true }) },
      }),
      [
        "agent failed (rate_limited): slow down; 1 file changed (+2 -0), 1,034 tokens, 1 min 5 s",
        "claim does not count: a hint",
        "agent is blocked: no key",
      ],
    ],
    [
      "a turn that was ended for its silence, with the setting to raise [C72]",
      turnEnded({
        failure: { kind: "idle", message: "silent", retryable: true, next: "Raise --idle-timeout-minutes." },
      }),
      [
        "agent failed (idle): silent; changes not measured, 1,034 tokens, 1 min 5 s",
        "what helps: Raise --idle-timeout-minutes.",
      ],
    ],
    [
      "a claim by a promise",
      turnEnded({ claim: { ...NO_CLAIM, done: true } }),
      ["agent ended its turn: changes not measured, 1,034 tokens, 1 min 5 s", "agent claims to be done"],
    ],
    [
      "a claim by a done token [S-02]",
      turnEnded({ claim: { ...NO_CLAIM, token_done: true } }),
      ["agent ended its turn: changes not measured, 1,034 tokens, 1 min 5 s", "agent claims to be done"],
    ],
    [
      "a claim by a status block",
      turnEnded({ claim: { ...NO_CLAIM, block: aBlock({ exit_signal: true }) } }),
      ["agent ended its turn: changes not measured, 1,034 tokens, 1 min 5 s", "agent claims to be done"],
    ],
    [
      "red checks, with the tests that failed by name",
      proved({ result: "failed", checks: [aCheck({ exitCode: 1, tests: someFailing(["a", "b"], 3) })] }),
      ["check failed (exit 1, 3 s): npm test: 3 tests failed: a, b and 1 more"],
    ],
    ["green checks", proved({ result: "passed", checks: [aCheck()] }), ["check passed (exit 0, 3 s): npm test"]],
    [
      "green checks between claims, which prove nothing [C30]",
      proved({ result: "passed", checks: [aCheck()], occasion: "change" }),
      [
        "check passed (exit 0, 3 s): npm test",
        "checks asked between claims, because the turn changed something: green proves nothing by itself, and the agent is told to say if it is done",
      ],
    ],
    [
      "red ones",
      proved({ result: "failed", checks: [aCheck({ exitCode: 1 })], occasion: "change" }),
      [
        "check failed (exit 1, 3 s): npm test",
        "checks asked between claims, because the turn changed something: the next turn is told what is red",
      ],
    ],
    [
      "cut ones",
      proved({ result: "cut_off", checks: [], occasion: "change" }),
      ["checks asked between claims, because the turn changed something", "checks cut off before they had ended"],
    ],
    [
      "cut checks",
      proved({ result: "cut_off", checks: [aCheck({ exitCode: null })] }),
      ["check failed (did not end, 3 s): npm test", "checks cut off before they had ended"],
    ],
    [
      "a check that cannot run",
      proved({ result: "unrunnable", checks: [], problem: PROBLEM }),
      ["check cannot run: no such command"],
    ],
    [
      "an interval",
      { type: "wait_started", at, until: "then", why: "interval" },
      ["waiting until then: the interval between iterations"],
    ],
    [
      "a limit",
      { type: "wait_started", at, until: "then", why: "rate_limit" },
      ["waiting until then: the provider limits the rate of requests"],
    ],
    [
      "the end of an hour",
      { type: "wait_started", at, until: "then", why: "calls_per_hour" },
      ["waiting until then: the calls of this hour are used up"],
    ],
    ["an end of an iteration", settled(), []],
    [
      "a review, which is told as a notice [C50]",
      {
        ...{ type: "reviewed", at, answer: "veto", why: "", objections: [], iteration: 1, of: ["/t"], tree: "t" },
        ...{ usage: null, duration_ms: 0 },
      },
      [],
    ],
    ["a commit", settled(1, "abc"), ["committed abc"]],
    [
      "success",
      stopped({ kind: "promise", verified: true }),
      [`loop completed (promise): ${OUTCOMES.promise.sentence}`],
    ],
    [
      "a cap",
      stopped({ kind: "max_iterations", max: 30 }),
      [`loop stopped_max_iterations (max_iterations): ${OUTCOMES.max_iterations.sentence}`],
    ],
    ["a reset", { type: "reset", at, what: "circuit", by: "me" }, ["circuit reset by me"]],
    ["no pull request", { type: "published", at, head: null, pull_request: null, continues: false }, []],
    [
      "a pull request",
      {
        type: "published",
        at,
        head: "c0",
        pull_request: { number: 7, url: "https://g/7", own: true },
        continues: false,
      },
      ["pull request https://g/7"],
    ],
  ])("%s", (_, event, lines) => {
    expect(eventLines(event, aState()).map((line) => line.text)).toEqual(lines);
  });

  test("a resumed loop says how far it is", () => {
    const event = started();
    if (event.type !== "loop_started") throw new Error("unexpected");
    const resumed: LoopEvent = {
      type: "loop_resumed",
      at,
      by: "person",
      runtime: event.runtime,
      max_iterations: 30,
      bounds: BOUNDS,
      guidance: null,
      github: null,
      snapshot: null,
    };
    expect(eventLines(resumed, aState({ iteration: 7 }))[0]?.text).toBe(
      "loop repo-1 resumed: 7 iterations begun so far",
    );
  });

  test.each<[string, Parameters<typeof aState>[0], Verdict, string[]]>([
    ["a success command", CLAIMED, RED, ["check failed (exit 1, 3 s): npm test", "claim refused: npm test is red"]],
    [
      "quality commands",
      CLAIMED,
      {
        result: "failed",
        checks: [aCheck({ command: "lint" }), aCheck({ command: "a", exitCode: 1 }), aCheck({ timedOut: true })],
      },
      [
        "check passed (exit 0, 3 s): lint",
        "check failed (exit 1, 3 s): a",
        "check failed (timed out, 3 s): npm test",
        "claim refused: a, npm test are red",
      ],
    ],
    ["no claim", { ...CLAIMED, last_turn: null }, RED, ["check failed (exit 1, 3 s): npm test"]],
    ["the check before a turn", { ...CLAIMED, phase: "ready" }, RED, ["check failed (exit 1, 3 s): npm test"]],
    ["a claim that holds", CLAIMED, { result: "passed", checks: [aCheck()] }, ["check passed (exit 0, 3 s): npm test"]],
  ])("a red check refuses a claim: %s [POST 7]", (_, overrides, verdict, lines) => {
    expect(eventLines(proved(verdict), aState(overrides)).map((line) => line.text)).toEqual(lines);
  });

  test("a check that timed out is red whatever its exit code", () => {
    expect(checkLine(aCheck({ timedOut: true }))).toEqual({
      tone: "bad",
      text: "check failed (timed out, 3 s): npm test",
    });
  });

  test("no change is said as such", () => {
    expect(changeText({ files: 0, added: 0, removed: 0, stat: "", only_tests: false })).toBe("no file changed");
  });
});

describe("fleeting events", () => {
  const end = {
    exitCode: 0,
    lastMessage: "",
    usage: { input: 0, cachedInput: 0, output: 0, reasoning: 0 },
    sessionUsage: null,
  };
  const paths = ["a", "b", "c", "d", "e"].map((path) => ({ path, kind: "update" as const }));
  test.each<[AgentEvent | CheckEvent, string | undefined, string | undefined]>([
    [{ type: "session.started", sessionId: "s" }, "the agent is starting", undefined],
    [{ type: "message", text: "hi\nthere" }, "the agent says: hi there", "agent says: hi there"],
    [{ type: "reasoning", text: "hm" }, "the agent thinks: hm", undefined],
    [{ type: "output", text: "a\u001B[2J" }, "the agent prints: a", "agent prints: a"],
    [{ type: "command.started", command: "npm test" }, "the agent runs: npm test", undefined],
    [
      { type: "command.ended", command: "npm test", exitCode: 1, output: "" },
      "the agent is thinking",
      "agent ran (exit 1): npm test",
    ],
    [
      { type: "command.ended", command: "npm test", exitCode: null, output: "" },
      "the agent is thinking",
      "agent ran (no exit code): npm test",
    ],
    [{ type: "files.changed", changes: paths.slice(0, 1) }, "the agent is thinking", "agent changed 1 file: a"],
    [{ type: "files.changed", changes: paths }, "the agent is thinking", "agent changed 5 files: a, b, c and 2 more"],
    [{ type: "tool.used", name: "search", failed: false }, "the agent is thinking", "agent used search"],
    [{ type: "tool.used", name: "search", failed: true }, "the agent is thinking", "agent used search, which failed"],
    [
      { type: "permission.denied", what: "curl x", allow: "" },
      "the agent is thinking",
      "agent was not allowed: curl x",
    ],
    [{ type: "notice", text: "careful" }, undefined, "notice: careful"],
    [{ type: "notice", text: "a".repeat(3000) }, undefined, `notice: ${"a".repeat(3000)}`],
    [{ type: "notice", text: "a".repeat(5000) }, undefined, `notice: ${"a".repeat(4000)}…`],
    [
      { type: "turn.retrying", failure: LIMITED, attempt: 2, delayMs: 4_000 },
      "rate_limited: trying again in 4 s",
      "agent failed (rate_limited), attempt 2, trying again in 4 s: slow down",
    ],
    [
      { type: "turn.retrying", failure: LIMITED, attempt: 3, delayMs: 0 },
      "rate_limited: trying again at once",
      "agent failed (rate_limited), attempt 3, trying again at once: slow down",
    ],
    [{ type: "check.started", command: "npm test" }, "checking: npm test", "check started: npm test"],
    [{ type: "check.ended", check: aCheck() }, undefined, undefined],
    [{ type: "turn.completed", ...end }, undefined, undefined],
    [{ type: "turn.failed", ...end, failure: LIMITED }, undefined, undefined],
  ])("%j", (event, now, stays) => {
    expect(activityOf(event)).toBe(now);
    expect(activityLine(event)?.text).toBe(stays);
  });

  test("a long text is cut", () => {
    expect(activityOf({ type: "message", text: "x".repeat(400) })).toBe(`the agent says: ${"x".repeat(300)}…`);
  });
});
