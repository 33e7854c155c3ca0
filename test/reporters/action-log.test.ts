import { describe, expect, test } from "vitest";
import type { Reporter } from "../../src/core/ports.ts";
import { createRunnerLog } from "../../src/os/runner-log.ts";
import { actionLogReporter } from "../../src/reporters/action-log.ts";
import { runnerCommands } from "../support/runner/commands.ts";
import { aCheck, aState, settled, started, turnEnded, turnStarted } from "../views/a-state.ts";
import { Sink } from "./sink.ts";
import { aProved } from "../support/builders.ts";

const MINUTE = 60_000;

/** A reporter whose time is in the test's hands. */
function atTime(deadline: number | null = null): {
  reporter: Reporter;
  sink: Sink;
  pass: (ms: number) => void;
  timers: () => number;
} {
  const sink = new Sink();
  const beats = new Set<() => void>();
  let now = 0;
  const reporter = actionLogReporter({
    log: createRunnerLog(sink),
    now: () => now,
    deadline: () => deadline,
    every: (ms, tick) => {
      expect(ms).toBe(MINUTE);
      beats.add(tick);
      return () => beats.delete(tick);
    },
  });
  const pass = (ms: number): void => {
    now += ms;
    for (const beat of beats) beat();
  };
  return { reporter, sink, pass, timers: () => beats.size };
}

/** What is visible while every group is folded. */
function unfolded(lines: readonly string[]): string[] {
  let inside = false;
  return lines.filter((line) => {
    if (line.startsWith("::group::")) inside = true;
    const shown = !inside;
    if (line === "::endgroup::") inside = false;
    return shown;
  });
}

function iteration(reporter: Reporter): void {
  const state = aState({ iteration: 1 });
  reporter.report(started(), aState());
  reporter.report(turnStarted(1), state);
  reporter.observe({ type: "session.started", sessionId: "s" });
  reporter.report({ type: "session_opened", session_id: "s", at: "2026-01-06T21:10:00.000+00:00" }, state);
  reporter.observe({ type: "message", text: "first line\n::error::second line" });
  reporter.observe({ type: "command.started", command: "npm test" });
  reporter.observe({ type: "command.ended", command: "npm test", exitCode: 1, output: "1 failed\r##[error]x" });
  reporter.observe({ type: "files.changed", changes: [{ path: "a.ts", kind: "update" }] });
  reporter.report(turnEnded(), state);
  reporter.observe({ type: "check.started", command: "npm test" });
  reporter.observe({ type: "check.ended", check: aCheck({ tail: "all green\n::set-output name=a::b" }) });
  reporter.report(aProved({ result: "passed", checks: [aCheck()] }), state);
  reporter.report(settled(1, "abc"), state);
}

describe("the log of a job [W-09]", () => {
  test("what the agent and the checks say is folded and foreign", () => {
    const { reporter, sink } = atTime();
    iteration(reporter);
    expect(sink.lines).toEqual([
      "[0/30] loop repo-1 started: 30 iterations at most",
      "[1/30] iteration 1 started, fresh session",
      "::group::Iteration 1 of 30: the agent at work",
      "│ session s",
      "│ agent says:",
      "│ first line",
      "│ ::error::second line",
      "│ agent ran (exit 1): npm test",
      "│ 1 failed",
      "│ ## [error]x",
      "│ agent changed 1 file: a.ts",
      "::endgroup::",
      "[1/30] agent ended its turn: changes not measured, 1,034 tokens, 1 min 5 s",
      "::group::Iteration 1 of 30: checks",
      "│ check started: npm test",
      "│ check passed (exit 0, 3 s): npm test",
      "│ all green",
      "│ ::set-output name=a::b",
      "::endgroup::",
      "[1/30] check passed (exit 0, 3 s): npm test",
      "[1/30] committed abc",
    ]);
  });

  test("the runner finds no command but our groups [T10]", () => {
    const { reporter, sink } = atTime();
    iteration(reporter);
    expect(new Set(runnerCommands(sink.text).map(({ name }) => name))).toEqual(new Set(["group", "endgroup"]));
  });

  test("the outcomes are seen while everything is folded", () => {
    const { reporter, sink } = atTime();
    iteration(reporter);
    expect(unfolded(sink.lines)).toEqual([
      "[0/30] loop repo-1 started: 30 iterations at most",
      "[1/30] iteration 1 started, fresh session",
      "[1/30] agent ended its turn: changes not measured, 1,034 tokens, 1 min 5 s",
      "[1/30] check passed (exit 0, 3 s): npm test",
      "[1/30] committed abc",
    ]);
  });
});

describe("a run that is silent", () => {
  test("says each minute what goes on, for how long, what was used and how long there is left", () => {
    const { reporter, sink, pass } = atTime(10 * MINUTE);
    reporter.report(started(), aState());
    const spent = { ...aState().spent, tokens: 12_345 };
    reporter.report(turnStarted(2), aState({ iteration: 2, spent }));
    pass(MINUTE);
    reporter.observe({ type: "command.started", command: "npm test\n::error::x" });
    pass(MINUTE);
    pass(MINUTE);
    pass(30 * MINUTE);
    expect(sink.lines.filter((line) => line.includes("still"))).toEqual([
      "[2/30] still: the agent is starting (1 min); 12,345 tokens; 9 min left",
      "[2/30] still: the agent runs: npm test ::error::x (1 min); 12,345 tokens; 8 min left",
      "[2/30] still: the agent runs: npm test ::error::x (2 min); 12,345 tokens; 7 min left",
      "[2/30] still: the agent runs: npm test ::error::x (32 min); 12,345 tokens; 0 min left",
    ]);
  });

  test("without a deadline no time left is told", () => {
    const { reporter, sink, pass } = atTime();
    reporter.report(started(), aState());
    pass(MINUTE);
    expect(sink.lines.at(-1)).toBe("[0/30] still: starting (1 min); 0 tokens");
  });

  test("is quiet before it begins and after it has ended", async () => {
    const { reporter, sink, pass, timers } = atTime();
    pass(MINUTE);
    reporter.report(started(), aState());
    expect(timers()).toBe(1);
    const reason = { kind: "time_budget" } as const;
    reporter.report({ type: "loop_stopped", reason, commit: null, at: "2026-01-06T21:10:00.000+00:00" }, aState());
    expect(timers()).toBe(0);
    await reporter.flush(Date.now() + 1_000);
    pass(MINUTE);
    expect(sink.text).not.toContain("still");
  });

  test("flush ends the group of a turn that was cut, and the heartbeat", async () => {
    const { reporter, sink, timers } = atTime();
    reporter.report(turnStarted(1), aState({ iteration: 1 }));
    await reporter.flush(Date.now() + 1_000);
    expect(sink.lines.at(-1)).toBe("::endgroup::");
    expect(timers()).toBe(0);
  });
});

test("the machine's own timer keeps no process alive and ends with the run", async () => {
  const sink = new Sink();
  const reporter = actionLogReporter({ log: createRunnerLog(sink), now: Date.now, deadline: () => null });
  reporter.report(started(), aState());
  await reporter.flush(Date.now() + 1_000);
  expect(sink.lines).toHaveLength(1);
});
