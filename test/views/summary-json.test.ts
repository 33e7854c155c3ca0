import { describe, expect, test } from "vitest";
import type { LoopEvent } from "../../src/core/events.ts";
import { foldIteration, summaryJson } from "../../src/views/summary-json.ts";
import { resultOf } from "../../src/views/result.ts";
import { aCheck, aView, settled, started, turnEnded, turnStarted } from "./a-state.ts";
import { aProved, BOUNDS } from "../support/builders.ts";

const at = "2026-01-06T21:10:00.000+00:00";

async function* from(events: readonly LoopEvent[]): AsyncGenerator<LoopEvent> {
  yield* events;
}

async function written(
  events: readonly LoopEvent[],
  earlier: readonly LoopEvent[] = [],
): Promise<Record<string, unknown>> {
  let text = "";
  for await (const piece of summaryJson(resultOf(aView()), from(events), from(earlier))) text += piece;
  return JSON.parse(text);
}

const failure = { kind: "usage_limit", message: "used up", retryable: false } as const;
const change = { files: 2, added: 3, removed: 4, stat: "not kept here", only_tests: false };
const claim = {
  detected: true,
  done: true,
  token_done: false,
  hint: null,
  blocked: null,
  notes: [],
  unfinished: null,
  block: null,
};

test("a check has its name, its story and its first try, where it has them [D-22]", async () => {
  const checks = [aCheck({ name: "unit", story: "US-001", firstExitCode: 2 })];
  const summary = await written([started(), turnStarted(1), turnEnded(), aProved({ result: "passed", checks })]);
  expect(summary["iterations"]).toMatchObject([
    { checks: [{ name: "unit", story: "US-001", command: "npm test", exit_code: 0, first_exit_code: 2 }] },
  ]);
});

test("an iteration names its agent where a story has chosen it [D-41]", async () => {
  const events = [started(), turnStarted(1), turnEnded(), turnStarted(2, { provider: "command" }), turnEnded()];
  const { iterations } = await written(events);
  expect(iterations).toMatchObject([{ iteration: 1 }, { iteration: 2, provider: "command" }]);
  expect(JSON.stringify(iterations).match(/"provider"/gu)).toHaveLength(1);
});

test("a session in place of a lost one is a fresh one [C57]", async () => {
  const opened = { type: "session_opened", at, session_id: "s-2" } as const;
  const { iterations } = await written([
    started(),
    turnStarted(1, { session: "resumed" }),
    { ...opened, replaces: "s-1" },
    turnEnded(),
    turnStarted(2, { session: "resumed" }),
    opened,
    turnEnded({ iteration: 2 }),
  ]);
  expect(iterations).toMatchObject([{ session: "fresh" }, { session: "resumed" }]);
});

test("one object with every iteration, whatever became of it [W-28]", async () => {
  const summary = await written([
    started(),
    turnStarted(1),
    { type: "session_opened", at, session_id: "s-1" },
    turnEnded({ change, claim }),
    aProved({ result: "failed", checks: [aCheck({ exitCode: 1, tail: "long" })] }),
    settled(1, "abc"),
    turnStarted(2),
    turnEnded({ iteration: 2, failure }),
    { type: "wait_started", at, until: "", why: "usage_limit" },
    turnStarted(2),
    { type: "turn_abandoned", at, iteration: 2 },
    turnStarted(3),
    turnEnded({ iteration: 3 }),
    { type: "loop_stopped", at, commit: null, reason: { kind: "stopped", by: "SIGINT" } },
  ]);
  expect(summary["iterations"]).toMatchObject([
    {
      iteration: 1,
      item: "the task",
      session_id: "s-1",
      agent: "ok",
      claimed: true,
      detected_promise: true,
      change: { files: 2, added: 3, removed: 4 },
      verdict: "failed",
      checks: [{ role: "success", command: "npm test", exit_code: 1, timed_out: false, duration_ms: 3_000 }],
      commit: "abc",
      last_message_path: "last_message_iter_1.txt",
      jsonl_path: "events_iter_1.jsonl",
    },
    { iteration: 2, agent: "usage_limit", change: null, verdict: "none" },
    { iteration: 2, agent: "abandoned" },
    { iteration: 3, agent: "ok", commit: null },
  ]);
});

describe("an iteration that is being read stays open", () => {
  const begun = started();
  if (begun.type !== "loop_started") throw new Error("unexpected");
  const { open } = foldIteration(null, turnStarted());
  test.each<LoopEvent>([
    begun,
    {
      type: "loop_resumed",
      at,
      by: "person",
      runtime: begun.runtime,
      max_iterations: 30,
      bounds: BOUNDS,
      guidance: null,
      github: null,
      snapshot: null,
    },
    { type: "wait_started", at, until: "", why: "interval" },
    { type: "loop_stopped", at, commit: null, reason: { kind: "time_budget" } },
    { type: "published", at, head: null, pull_request: null, continues: false },
  ])("%j", (event) => {
    expect(foldIteration(open, event)).toEqual({ open, closed: null });
  });

  test("and is closed by the next where it has no end", () => {
    expect(foldIteration(open, turnStarted(2)).closed).toBe(open);
  });
});

test("runs and human interruptions are counted [W-57]", async () => {
  const begun = started();
  if (begun.type !== "loop_started") throw new Error("unexpected");
  const resumed: LoopEvent = {
    type: "loop_resumed",
    at,
    by: "person",
    runtime: begun.runtime,
    max_iterations: 30,
    bounds: BOUNDS,
    guidance: null,
    github: null,
    snapshot: null,
  };
  const stop = (reason: Extract<LoopEvent, { type: "loop_stopped" }>["reason"]): LoopEvent => ({
    type: "loop_stopped",
    at,
    commit: null,
    reason,
  });
  const summary = await written([
    begun,
    stop({ kind: "paused", by: "a" }),
    resumed,
    stop({ kind: "max_iterations", max: 1 }),
  ]);
  expect(summary).toMatchObject({ schema: 1, loop_id: "repo-1", iterations: [], runs: 2, human_interruptions: 1 });
});

test("earlier generations are counted, and their iterations are not told again [W-57]", async () => {
  const summary = await written([started()], [started(), turnStarted(), turnEnded(), settled()]);
  expect(summary).toMatchObject({ iterations: [], runs: 1, metrics: { generations: 2, completion_rate: null } });
});
