import { describe, expect, test } from "vitest";
import { type FailureKind, NO_USAGE } from "../../../src/core/agent.ts";
import type { LoopState, Phase } from "../../../src/core/state.ts";
import { endTurn, record } from "../../../src/core/transition/end-turn.ts";
import { aBlock, aClaim, aFailure, aState, aTurnEnded, aVerdict, AT, NOW } from "../../support/builders.ts";

const MINUTE = 60_000;

function inFlight(overrides: Partial<LoopState> = {}): LoopState {
  return aState({ phase: "turn", iteration: 4, ...overrides });
}

function failed(kind: FailureKind, resetsAt?: number): LoopState {
  const failure = aFailure(kind, resetsAt === undefined ? {} : { resetsAt });
  return endTurn(inFlight(), aTurnEnded({ iteration: 4, failure, exit_code: 1 }));
}

test("a turn that went well waits for its proof", () => {
  const event = aTurnEnded({ iteration: 4, summary: "Did it.", claim: aClaim({ detected: true }) });
  expect(endTurn(inFlight({ verdict: aVerdict("passed") }), event)).toMatchObject({
    phase: "unproved",
    iteration: 4,
    last_turn: { iteration: 4, failure: null, summary: "Did it." },
    last_result: { exit_code: 0, detected_promise: true },
    verdict: null,
    not_before: null,
  });
});

test("what it cost is kept and counted; one whose cost is not known is counted as such [C14]", () => {
  const once = endTurn(inFlight(), aTurnEnded({ iteration: 4, cost: 420_000 }));
  expect(once).toMatchObject({ last_turn: { cost: 420_000 }, spent: { cost: 420_000, turns: 1, priced_turns: 1 } });
  const twice = endTurn({ ...once, phase: "turn" }, aTurnEnded({ iteration: 4 }));
  expect(twice.last_turn).not.toHaveProperty("cost");
  expect(twice.spent).toMatchObject({ cost: 420_000, turns: 2, priced_turns: 1 });
  const closed = record(once, { ended_at: AT, agent: "ok", tokens: 9 });
  expect(closed.iterations.at(-1)).toMatchObject({ cost: 420_000 });
});

test.each<[FailureKind, Phase, number]>([
  ["rate_limited", "ready", 3],
  ["usage_limit", "ready", 3],
  ["not_installed", "settled", 3],
  ["sandbox_broken", "settled", 3],
  ["auth", "unsettled", 4],
  ["bad_request", "unsettled", 4],
  ["overloaded", "unsettled", 4],
  ["transport", "unsettled", 4],
  ["busy", "unsettled", 4],
  ["crashed", "unsettled", 4],
  ["protocol", "unsettled", 4],
  ["session_lost", "unsettled", 4],
  ["cancelled", "unsettled", 4],
  ["truncated", "unproved", 4],
  ["timed_out", "unproved", 4],
  ["token_limit", "unproved", 4],
  ["idle", "unproved", 4],
  ["context_full", "unproved", 4],
])("after %s the loop is %s, in iteration %i [POST 3]", (kind, phase, iteration) => {
  expect(failed(kind)).toMatchObject({ phase, iteration, last_turn: { failure: { kind } } });
});

test.each<[string, FailureKind, number | undefined, number]>([
  ["as long as the provider says", "rate_limited", NOW + 7 * MINUTE, 7 * MINUTE],
  ["a minute when it does not say", "rate_limited", undefined, MINUTE],
  ["an hour for a usage limit", "usage_limit", undefined, 60 * MINUTE],
  ["never not at all, or the same turn would be asked for without end", "rate_limited", NOW, MINUTE],
  ["nor until a moment that has passed", "usage_limit", NOW - 1, 60 * MINUTE],
])("the loop waits %s [POST 3, PRE 11]", (_title, kind, resetsAt, wait) => {
  const { not_before: limit } = failed(kind, resetsAt);
  expect(limit?.message).toBe(`the provider said ${kind}`);
  expect(Date.parse(limit?.until ?? "") - NOW).toBe(wait);
});

test.each([
  ["rate_limited", "rate_limit"],
  ["usage_limit", "usage_limit"],
] as const)("%s is parked as %s [section 4.5]", (kind, why) => {
  expect(failed(kind).not_before?.why).toBe(why);
});

test("other failures wait for nothing", () => {
  expect(failed("transport").not_before).toBeNull();
});

test.each<[FailureKind, number]>([
  ["crashed", 1],
  ["auth", 1],
  ["cancelled", 1],
  ["usage_limit", 1],
  ["timed_out", 2],
  ["truncated", 2],
])("after %s turns without a block are %i [L-21]", (kind, missing) => {
  const before = inFlight({ status_block: "loopr", signals: { done: 0, missing: 1 } });
  const event = aTurnEnded({ iteration: 4, failure: aFailure(kind), exit_code: 1 });
  expect(endTurn(before, event).signals.missing).toBe(missing);
});

test("a turn that was cut is not an indicator, whatever its block says [C5, section 4.3]", () => {
  const claim = aClaim({ block: aBlock({ status: "COMPLETE", exit_signal: true }) });
  const before = inFlight({ signals: { done: 1, missing: 0 } });
  const cut = aTurnEnded({ iteration: 4, claim, failure: aFailure("timed_out"), exit_code: 1 });
  expect(endTurn(before, cut).signals.done).toBe(0);
  expect(endTurn(before, aTurnEnded({ iteration: 4, claim })).signals.done).toBe(2);
});

describe("usage", () => {
  const usage = { input: 100, cachedInput: 60, output: 10, reasoning: 4 };

  test("what a turn used is added to the loop's totals, failed or not", () => {
    const first = endTurn(inFlight(), aTurnEnded({ usage, duration_ms: 500 }));
    const second = endTurn(first, aTurnEnded({ usage, duration_ms: 500, failure: aFailure("rate_limited") }));
    expect(second.spent).toMatchObject({
      turns: 2,
      tokens: 220,
      input_tokens: 200,
      cached_input_tokens: 120,
      output_tokens: 20,
      turn_ms: 1000,
    });
    expect(second.turn_tokens).toBe(110);
  });

  test("the session's running total is kept when a turn does not tell it, or the next one would be charged for all", () => {
    const told = endTurn(inFlight(), aTurnEnded({ session_usage: usage }));
    const silent = endTurn(told, aTurnEnded({ failure: aFailure("crashed"), session_usage: null }));
    expect(silent.codex.session_usage).toEqual(usage);
  });
});

describe("session", () => {
  const codex = { ...aState().codex, session_id: "s", session_iterations: 1 };

  test("the iterations of a session are counted [C2]", () => {
    expect(endTurn(inFlight({ codex }), aTurnEnded()).codex).toMatchObject({ session_id: "s", session_iterations: 2 });
  });

  test("a session that no longer fits has had its last turn [C2, W-66]", () => {
    const full = aTurnEnded({ session_full: true, session_usage: { ...NO_USAGE, input: 9 } });
    expect(endTurn(inFlight({ codex }), full).codex).toMatchObject({
      session_id: null,
      session_iterations: 0,
      session_usage: null,
    });
  });

  test("what a turn learned is kept besides what is known [W-66]", () => {
    const event = aTurnEnded({ claim: aClaim({ notes: ["done: a", "learned: b"] }) });
    expect(endTurn(inFlight({ learned: ["a"] }), event).learned).toEqual(["a", "b"]);
  });

  test("a turn that was cut keeps its session [W-64]", () => {
    const cut = aTurnEnded({ failure: aFailure("cancelled") });
    expect(endTurn(inFlight({ codex }), cut).codex.session_id).toBe("s");
  });
});

test("the tree is as the turn left it; unknown, it is as it was", () => {
  const before = { id: "a", tree: "a", head: null };
  const after = { id: "b", tree: "b", head: null };
  expect(endTurn(inFlight({ snapshot: before }), aTurnEnded({ snapshot: after })).snapshot).toEqual(after);
  expect(endTurn(inFlight({ snapshot: before }), aTurnEnded()).snapshot).toEqual(before);
});

test("how far the checklist is, is counted after every turn [R-27]", () => {
  const plan = { path: "@fix_plan.md", agent_file: "@AGENT.md", items: 3, ticked: 1, most_items: 3 };
  const { plan: after } = endTurn(aState({ plan }), aTurnEnded({ tally: { items: 4, ticked: 2 } }));
  expect(after).toEqual({ ...plan, items: 4, ticked: 2, most_items: 4 });
  const fewer = endTurn(aState({ plan }), aTurnEnded({ tally: { items: 1, ticked: 1 } }));
  expect(fewer.plan).toEqual({ ...plan, items: 1, ticked: 1 });
  expect(endTurn(aState({ plan }), aTurnEnded({ tally: null })).plan).toEqual(plan);
});
