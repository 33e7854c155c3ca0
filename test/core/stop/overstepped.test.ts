import { describe, expect, test } from "vitest";
import type { Refusal } from "../../../src/core/boundary.ts";
import type { LoopState } from "../../../src/core/state.ts";
import type { TaskOverrides } from "../../support/builders.ts";
import { aDoneClaim, aFailure, aHit, aLastTurn, aState, aTodo, aVerdict, THE_ITEM } from "../../support/builders.ts";
import { moveBefore, moveIn, QUALITY, request, stop, SUCCESS, type Row } from "./row.ts";

const REFUSED: Refusal = { kind: "protected_paths", count: 1, paths: ["CODEOWNERS"] };
const TURN = { do: "turn", item: THE_ITEM };
const claimed = aLastTurn({ claim: aDoneClaim() });
const CI: TaskOverrides = { identity: { checks: { ci: "ci.yml" } } };

/** A change that is refused stands after this many turns. */
function after(turns: number, state: Partial<LoopState> = {}): Partial<LoopState> {
  return { ...state, boundary: { ...aState().boundary, refused: REFUSED, turns } };
}

const green = { verdict: aVerdict("passed"), first_check: aVerdict("failed") };
const settled: readonly Row[] = [
  { title: "one turn may leave it: the next is told [POST 4a, T17]", state: after(1), move: TURN },
  {
    title: "a second one ends the loop, with the paths [POST 4a, T17]",
    state: after(2),
    move: { do: "stop", reason: REFUSED },
  },
  {
    title: "a green success command does not complete it [POST 4a, T17]",
    task: SUCCESS,
    state: after(1, green),
    move: TURN,
  },
  {
    title: "nor does a claim that the checks agree with [POST 4a, T17]",
    task: QUALITY,
    state: after(1, { ...green, last_turn: claimed }),
    move: TURN,
  },
  { title: "nor a claim without checks [POST 4a, T17]", state: after(1, { last_turn: claimed }), move: TURN },
  {
    title: "it outranks a green success command [POST 4a, T17]",
    task: SUCCESS,
    state: after(2, green),
    move: stop({ kind: "protected_paths" }),
  },
  {
    title: "it outranks a HARD STOP [POST 4a, T17]",
    state: after(2, { todo: aTodo() }),
    facts: { hardStops: [aHit()] },
    move: stop({ kind: "protected_paths" }),
  },
  {
    title: "a stop outranks it [POST 1, T17]",
    state: after(2),
    facts: request("stop"),
    move: stop({ kind: "stopped" }),
  },
  {
    title: "so does a turn that nothing can mend [POST 2, T17]",
    state: after(2, { last_turn: aLastTurn({ failure: aFailure("auth") }) }),
    move: stop({ kind: "auth" }),
  },
];

test.each(settled)("$title", (row) => {
  expect(moveIn("settled", row)).toEqual(row.move);
});

describe("work that goes nowhere", () => {
  test.each([SUCCESS, QUALITY, CI])("is not proved, so CI is not asked [T17]", (task) => {
    const state = after(1, { last_turn: claimed });
    expect(moveIn("unproved", { title: "", task: { ...task, runtime: { commit: "iteration" } }, state })).toEqual({
      do: "settle",
      commits: false,
      story: null,
    });
  });

  test("is not committed [T17]", () => {
    const task: TaskOverrides = { runtime: { commit: "iteration" } };
    expect(moveIn("unsettled", { title: "", task, state: after(1) })).toEqual({
      do: "settle",
      commits: false,
      story: null,
    });
    expect(moveIn("unsettled", { title: "", task })).toEqual({ do: "settle", commits: true, story: null });
  });

  test("completes nothing before a turn, however green it is [PRE 6, T17]", () => {
    const row = { task: SUCCESS, state: after(0, { first_check: aVerdict("passed") }) };
    expect(moveBefore({ ...row, title: "", move: TURN })).toEqual(TURN);
  });

  test("ends no plan that is ticked [PRE 6, T17]", () => {
    const plan = { path: "TODO.md", agent_file: "", items: 2, ticked: 2, most_items: 2 };
    const task: TaskOverrides = { identity: { plan: { path: "TODO.md", agentFile: "" } } };
    const row = { title: "", task, state: after(0, { plan, last_turn: aLastTurn() }), facts: { item: null } };
    expect(moveBefore({ ...row, move: null })).toEqual({ do: "turn", item: expect.objectContaining({ id: "proof" }) });
  });
});
