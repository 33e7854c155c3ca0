import { describe, expect, test } from "vitest";
import type { FailureKind } from "../../../src/core/agent.ts";
import type { IterationRecord } from "../../../src/core/state.ts";
import {
  aDoneClaim,
  aFailure,
  aHit,
  anIterationRecord,
  aLastTurn,
  aState,
  aTodo,
  aVerdict,
  NOW,
  THE_ITEM,
} from "../../support/builders.ts";
import { moveIn, QUALITY, request, SHELL, stop, SUCCESS, type Row } from "./row.ts";

const MINUTE = 60_000;
const claimed = aLastTurn({ claim: aDoneClaim() });
const hit = aHit();

const settled: readonly Row[] = [
  { title: "POST: otherwise the loop goes on", move: { do: "turn", item: THE_ITEM } },
  { title: "another run has it [POST 1]", facts: request("supersede"), move: stop({ kind: "superseded" }) },
  { title: "cancelled [POST 1]", facts: request("cancel"), move: stop({ kind: "canceled" }) },
  { title: "stopped [POST 1]", facts: request("stop"), move: stop({ kind: "stopped" }) },
  { title: "a pause waits for the iteration to end [PRE 3]", facts: request("pause"), move: stop({ kind: "paused" }) },
  {
    title: "a stop outranks success [POST 1]",
    task: SUCCESS,
    state: { verdict: aVerdict("passed") },
    facts: request("stop"),
    move: stop({ kind: "stopped" }),
  },
  {
    title: "success outranks a pause",
    task: SUCCESS,
    state: { verdict: aVerdict("passed") },
    facts: request("pause"),
    move: stop({ kind: "success_command" }),
  },
  {
    title: "the success command is green [POST 5, S-11]",
    task: SUCCESS,
    state: { verdict: aVerdict("passed") },
    move: stop({ kind: "success_command", command: "npm test" }),
  },
  {
    title: "the success shell is green [POST 5, S-12]",
    task: SHELL,
    state: { verdict: aVerdict("passed") },
    move: stop({ kind: "success_command", command: "make && make check" }),
  },
  {
    title: "tokens are ignored when a success command is red [POST 5, S-18]",
    task: SUCCESS,
    state: { verdict: aVerdict("failed"), last_turn: claimed, first_check: aVerdict("failed") },
    move: { do: "turn", item: THE_ITEM },
  },
  {
    title: "the promise stops at once where no check is configured [POST 7, W-60, C7]",
    state: { last_turn: claimed },
    move: stop({ kind: "promise", verified: false }),
  },
  {
    title: "the promise is kept [POST 7]",
    task: QUALITY,
    state: { last_turn: claimed, verdict: aVerdict("passed") },
    move: stop({ kind: "promise", verified: true }),
  },
  {
    title: "one red quality command refuses the promise [POST 7, D-23]",
    task: QUALITY,
    state: { last_turn: claimed, verdict: aVerdict("failed"), first_check: aVerdict("passed") },
    move: { do: "turn", item: THE_ITEM },
  },
  {
    title: "quality commands are never sufficient [C7]",
    task: QUALITY,
    state: { verdict: aVerdict("passed"), first_check: aVerdict("passed") },
    move: { do: "turn", item: THE_ITEM },
  },
  {
    title: "a reached HARD STOP pauses [POST 9, W-43, W-44]",
    state: { todo: aTodo() },
    facts: { hardStops: [hit] },
    move: stop({ kind: "hard_stop", mode: "pause", hits: [hit] }),
  },
  {
    title: "with mode exit as well [POST 9, W-45, W-31]",
    state: { todo: aTodo({ hard_stop_mode: "exit" }) },
    facts: { hardStops: [hit] },
    move: stop({ kind: "hard_stop", mode: "exit", hits: [hit] }),
  },
  {
    title: "one ahead does not [POST 9, C10]",
    state: { todo: aTodo() },
    facts: { hardStops: [aHit({ reached: false })] },
    move: { do: "turn", item: THE_ITEM },
  },
  {
    title: "one that the agent deleted does [POST 9, C10]",
    state: { todo: aTodo({ seen: [aHit({ reached: false })] }) },
    move: stop({ kind: "hard_stop", hits: [aHit({ reached: true, vanished: true })] }),
  },
  {
    title: "and it outranks completion, which one that stands does not [POST 4b, C45, C17]",
    state: { todo: aTodo({ seen: [aHit({ id: "gone" }), hit] }), last_turn: claimed },
    facts: { hardStops: [hit] },
    move: stop({ kind: "hard_stop", hits: [aHit({ id: "gone", reached: true, vanished: true })] }),
  },
  {
    title: "completion outranks a HARD STOP [C17]",
    state: { todo: aTodo(), last_turn: claimed },
    facts: { hardStops: [hit] },
    move: stop({ kind: "promise" }),
  },
  {
    title: "an open circuit, and what opened it [POST 11, R-29]",
    state: { circuit: { state: "OPEN", trigger: "same_error", count: 5 } },
    move: stop({ kind: "same_error", count: 5 }),
  },
  {
    title: "a circuit that is half open does not stop the loop [POST 11, C6]",
    state: { circuit: { state: "HALF_OPEN", trigger: "same_error", count: 4 } },
    move: { do: "turn", item: THE_ITEM },
  },
  {
    title: "an open circuit outranks the cap [POST 11]",
    task: { limits: { maxIterations: 1 } },
    state: { circuit: { state: "OPEN", trigger: "no_progress", count: 3 } },
    move: stop({ kind: "no_progress" }),
  },
  {
    title: "a HARD STOP outranks an open circuit [POST 9]",
    state: { todo: aTodo(), circuit: { state: "OPEN", trigger: "no_progress", count: 3 } },
    facts: { hardStops: [hit] },
    move: stop({ kind: "hard_stop" }),
  },
  {
    title: "the cap, after the completion rules [POST 12, L-25]",
    task: { limits: { maxIterations: 1 } },
    move: stop({ kind: "max_iterations", max: 1 }),
  },
  {
    title: "success on the last affordable iteration is success [POST 12, W-61]",
    task: { limits: { maxIterations: 1, maxTokens: 1, deadline: NOW } },
    state: { last_turn: claimed },
    move: stop({ kind: "promise" }),
  },
  {
    title: "a HARD STOP outranks the cap [POST 12]",
    task: { limits: { maxIterations: 1 } },
    state: { todo: aTodo() },
    facts: { hardStops: [hit] },
    move: stop({ kind: "hard_stop" }),
  },
  {
    title: "the token cap [POST 13]",
    task: { limits: { maxTokens: 10 } },
    state: { spent: { ...aState().spent, tokens: 11 } },
    move: stop({ kind: "tokens", spent: 11, max: 10 }),
  },
  {
    title: "the cap of work in all [POST 13]",
    task: { limits: { maxTotalMs: 10 } },
    state: { spent: { ...aState().spent, turn_ms: 11 } },
    move: stop({ kind: "total_time", spent: 11, max: 10 }),
  },
  {
    title: "the time reserve [POST 13]",
    task: { limits: { deadline: NOW + MINUTE, reserveMs: 1 } },
    move: stop({ kind: "time_budget" }),
  },
];

describe("once an iteration is settled", () => {
  test.each(settled)("$title", (row) => {
    expect(moveIn("settled", row)).toEqual(row.move);
  });

  test.each<[FailureKind, string]>([
    ["auth", "auth"],
    ["bad_request", "config"],
    ["not_installed", "config"],
    ["sandbox_broken", "sandbox_broken"],
    ["overloaded", "provider"],
    ["transport", "provider"],
    ["busy", "provider"],
    ["crashed", "provider"],
    ["protocol", "provider"],
    ["session_lost", "provider"],
  ])("a turn that failed as %s ends the loop as %s [POST 2, POST 4]", (kind, ending) => {
    const failure = aFailure(kind);
    const move = moveIn("settled", { title: kind, state: { last_turn: aLastTurn({ failure }) } });
    expect(move).toEqual(stop({ kind: ending, failure }));
  });

  test.each<[string, readonly (readonly [IterationRecord["agent"], number | null])[], "config" | null]>([
    [
      "twice in a row before anything was changed",
      [
        ["context_full", 0],
        ["context_full", 0],
      ],
      "config",
    ],
    ["once", [["context_full", 0]], null],
    [
      "after a turn that went well",
      [
        ["ok", 0],
        ["context_full", 0],
      ],
      null,
    ],
    [
      "after work was done",
      [
        ["context_full", 0],
        ["context_full", 2],
      ],
      null,
    ],
    [
      "where nobody can tell what was changed",
      [
        ["context_full", null],
        ["context_full", null],
      ],
      null,
    ],
  ])("fresh sessions that were full %s [C2]", (title, ended, kind) => {
    const failure = aFailure("context_full");
    const iterations = ended.map(([agent, files_changed]) => anIterationRecord({ agent, files_changed }));
    const move = moveIn("settled", { title, state: { iterations, last_turn: aLastTurn({ failure }) } });
    expect(move).toEqual(kind === null ? { do: "turn", item: THE_ITEM } : stop({ kind, failure }));
  });

  test.each<FailureKind>([
    "cancelled",
    "rate_limited",
    "usage_limit",
    "truncated",
    "timed_out",
    "idle",
    "context_full",
  ])("the next iteration tries again after a turn that failed as %s [POST 4]", (kind) => {
    const move = moveIn("settled", { title: kind, state: { last_turn: aLastTurn({ failure: aFailure(kind) }) } });
    expect(move).toEqual({ do: "turn", item: THE_ITEM });
  });
});
