import { expect, test } from "vitest";
import type { LoopEvent } from "../../src/core/events.ts";
import { allOf } from "../../src/reporters/all-of.ts";
import { linesReporter, notifying, paint, wantsColor } from "../../src/reporters/terminal.ts";
import { aState, started, turnStarted } from "../views/a-state.ts";
import { Sink } from "./sink.ts";

const soon = (): number => Date.now() + 2_000;

const CLOCK = { now: () => 0, deadline: null };

test("a silent run shows a sign of life each minute, a busy one none [C72]", async () => {
  const sink = new Sink();
  let now = 0;
  let tick = (): void => {};
  let isStopped = false;
  const every = (_ms: number, beat: () => void) => {
    tick = beat;
    return () => void (isStopped = true);
  };
  const reporter = linesReporter(sink, { now: () => now, deadline: 600_000, every });
  const pass = (ms: number): void => {
    now += ms;
    tick();
  };
  reporter.report(turnStarted(1), aState({ iteration: 1 }));
  pass(30_000);
  reporter.observe({ type: "command.started", command: "npm test" });
  reporter.observe({ type: "message", text: "busy" });
  pass(30_000);
  pass(30_000);
  reporter.report(
    { type: "loop_stopped", at: "", reason: { kind: "time_budget" }, commit: null },
    aState({ iteration: 1 }),
  );
  await reporter.flush(soon());
  expect(sink.lines.filter((text) => text.includes("still"))).toEqual([
    expect.stringMatching(/^\[1\/30\] still: .*\(1 min\); 0 tokens; 8 min left$/u),
  ]);
  expect(isStopped).toBe(true);
});

test("lines in a pipe begin with the iteration and hold no control characters", async () => {
  const sink = new Sink();
  const reporter = linesReporter(sink, CLOCK);
  reporter.report(started(), aState());
  reporter.report(turnStarted(1), aState({ iteration: 1 }));
  reporter.observe({ type: "message", text: "\u001B[31mall\u001B[0m\ngood" });
  reporter.observe({ type: "reasoning", text: "not for a log" });
  await reporter.flush(soon());
  expect(sink.lines).toEqual([
    "[0/30] loop repo-1 started: 30 iterations at most",
    "[1/30] iteration 1 started, fresh session",
    "[1/30] agent says: all good",
  ]);
});

test("a reader that went away changes nothing", async () => {
  const sink = new Sink();
  const reporter = linesReporter(sink, CLOCK);
  sink.destroy(new Error("EPIPE"));
  await new Promise((resolve) => sink.once("close", resolve));
  reporter.report(started(), aState());
  await reporter.flush(soon());
  expect(sink.text).toBe("");
});

test("a reader that never reads costs the lines that can be missed, and flush keeps its deadline", async () => {
  const sink = new Sink("stuck");
  const reporter = linesReporter(sink, CLOCK);
  for (let i = 0; i < 10_000; i += 1) reporter.observe({ type: "message", text: "x".repeat(300) });
  expect(sink.writableLength).toBeLessThan(1.2 * 2 ** 20);
  const before = Date.now();
  await reporter.flush(before + 50);
  expect(Date.now() - before).toBeLessThan(1_000);
});

test("what happens while something else has the terminal is not told later [C127]", async () => {
  const sink = new Sink();
  const reporter = linesReporter(sink, CLOCK);
  reporter.observe({ type: "notice", text: "before" });
  reporter.hide();
  reporter.report(started(), aState({ iteration: 2 }));
  reporter.observe({ type: "notice", text: "meanwhile" });
  reporter.show();
  reporter.observe({ type: "notice", text: "after" });
  await reporter.flush(soon());
  expect(sink.lines.map((each) => each.replace(/^\[\d+\/\d+\] /u, ""))).toEqual(["notice: before", "notice: after"]);
  expect(sink.lines[1]).toMatch(/^\[2\/30\]/u);
});

test("a reporter that throws hurts neither the others nor the loop", async () => {
  const sink = new Sink();
  const bad = {
    report: () => {
      throw new Error("bug");
    },
    observe: () => {
      throw new Error("bug");
    },
    flush: () => Promise.reject(new Error("bug")),
  };
  const both = allOf([bad, linesReporter(sink, CLOCK)]);
  both.report(started(), aState());
  both.observe({ type: "notice", text: "n" });
  await both.flush(soon());
  expect(sink.lines).toHaveLength(2);
});

test.each([
  [{ isTTY: true }, {}, true],
  [{ isTTY: true }, { NO_COLOR: "1" }, false],
  [{ isTTY: true }, { NO_COLOR: "" }, true],
  [{ isTTY: true }, { TERM: "dumb" }, false],
  [{ isTTY: false }, {}, false],
  [{}, {}, false],
])("colour on %j with %j: %s", (stream, env, wanted) => {
  expect(wantsColor(stream, env)).toBe(wanted);
});

test("without colour a line is its text", () => {
  expect(paint({ tone: "bad", text: "no" }, false)).toBe("no");
  expect(paint({ tone: "plain", text: "no" }, true)).toBe("no");
  expect(paint({ tone: "bad", text: "no" }, true)).toContain("\u001B[31m");
});

test.each([
  ["a terminal", true, "\u0007\u001B]9;smithers: repo-1 paused_time_budget: "],
  ["a pipe or a file", false, ""],
])("%s is notified of the end, once, and not while a view has it [C129]", (_, isTTY, said) => {
  const stream = Object.assign(new Sink(), { isTTY });
  const sink = new Sink();
  const reporter = notifying(linesReporter(sink, CLOCK), stream, { TERM: "xterm" });
  const stopped: LoopEvent = { type: "loop_stopped", at: "", reason: { kind: "time_budget" }, commit: null };
  reporter.report(started(), aState());
  reporter.hide();
  reporter.report(stopped, aState());
  expect(stream.text).toBe("");
  reporter.show();
  reporter.report(stopped, aState());
  expect(stream.text.slice(0, said.length)).toBe(said);
  expect(stream.text.split("\u0007")).toHaveLength(isTTY ? 3 : 1);
  expect(sink.lines).toEqual([
    expect.stringContaining("loop repo-1 started"),
    expect.stringContaining("loop paused_time_budget"),
  ]);
});
