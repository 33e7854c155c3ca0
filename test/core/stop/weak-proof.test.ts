import { describe, expect, test } from "vitest";
import type { Weakness } from "../../../src/core/verdict.ts";
import type { LoopState } from "../../../src/core/state.ts";
import {
  type TaskOverrides,
  aClaim,
  aDoneClaim,
  aHit,
  aLastTurn,
  aState,
  aTodo,
  aVerdict,
  THE_ITEM,
} from "../../support/builders.ts";
import { moveBefore, moveIn, QUALITY, request, stop, SUCCESS, type Row } from "./row.ts";

const weaknesses: readonly Weakness[] = [{ kind: "no_tests_ran" }];
const claimed = aLastTurn({ claim: aDoneClaim() });
const hedged = aLastTurn({ claim: aDoneClaim({ unfinished: "The docs are still missing." }) });
const TURN = { do: "turn", item: THE_ITEM };

function weak(refused: number, state: Partial<LoopState> = {}): Partial<LoopState> {
  const strength = { ...aState().strength, weaknesses, refused };
  return { verdict: aVerdict("passed"), first_check: aVerdict("passed"), strength, ...state };
}

function flagging(task: TaskOverrides): TaskOverrides {
  return { ...task, runtime: { weakProof: "flag" } };
}

const settled: readonly Row[] = [
  {
    title: "POST 5 C21: a green success command that proves little is refused",
    task: SUCCESS,
    state: weak(1),
    move: TURN,
  },
  { title: "POST 7 C21: so is a claim", task: QUALITY, state: weak(1, { last_turn: claimed }), move: TURN },
  {
    title: "POST 7a: the second time ends the loop, with the evidence",
    task: SUCCESS,
    state: weak(2),
    move: { do: "stop", reason: { kind: "weak_proof", weaknesses } },
  },
  {
    title: "POST 7a: of a claim as well",
    task: QUALITY,
    state: weak(3, { last_turn: claimed }),
    move: stop({ kind: "weak_proof" }),
  },
  {
    title: "POST 7a: earlier ones do not count against a proof that is strong",
    task: SUCCESS,
    state: { ...weak(2), strength: { ...aState().strength, refused: 2 } },
    move: stop({ kind: "success_command" }),
  },
  {
    title: "PRE 6 C21: a first check that was green and proved little ends nothing after a turn that is red",
    task: SUCCESS,
    state: { first_check: aVerdict("passed"), verdict: aVerdict("failed") },
    move: TURN,
  },
  {
    title: "POST 5 C21: weak-proof flag takes it",
    task: flagging(SUCCESS),
    state: weak(2),
    move: stop({ kind: "success_command" }),
  },
  {
    title: "POST 7 C21: weak-proof flag takes a claim",
    task: flagging(QUALITY),
    state: weak(1, { last_turn: claimed }),
    move: stop({ kind: "promise", verified: true }),
  },
  {
    title: "POST 7 C22: a claim that names unfinished work stands by a strong proof",
    task: QUALITY,
    state: { verdict: aVerdict("passed"), last_turn: hedged },
    move: stop({ kind: "promise", verified: true }),
  },
  {
    title: "POST 7 C22: not by a weak one, whatever is only flagged",
    task: flagging(QUALITY),
    state: weak(1, { last_turn: hedged }),
    move: TURN,
  },
  {
    title: "POST 5 C22: a success command does not care what the agent says",
    task: flagging(SUCCESS),
    state: weak(1, { last_turn: hedged }),
    move: stop({ kind: "success_command" }),
  },
  { title: "POST 7 C22: without checks it is no claim", state: { last_turn: hedged }, move: TURN },
  {
    title: "POST 7a: it outranks a HARD STOP",
    task: SUCCESS,
    state: weak(2, { todo: aTodo() }),
    facts: { hardStops: [aHit()] },
    move: stop({ kind: "weak_proof" }),
  },
  {
    title: "POST 7a: a stop outranks it",
    task: SUCCESS,
    state: weak(2),
    facts: request("stop"),
    move: stop({ kind: "stopped" }),
  },
];

test.each(settled)("$title", (row) => {
  expect(moveIn("settled", row)).toEqual(row.move);
});

const plan = { path: "TODO.md", agent_file: "", items: 2, ticked: 2, most_items: 2 };
const planned: TaskOverrides = {
  identity: { checks: { quality: ["npm test"] }, plan: { path: "TODO.md", agentFile: "" } },
};

describe("before a turn", () => {
  test.each<Row>([
    {
      title: "PRE 6 C21: a green first check that proves little is no proof",
      task: SUCCESS,
      state: weak(0),
      move: TURN,
    },
    {
      title: "PRE 6 C21: weak-proof flag takes it",
      task: flagging(SUCCESS),
      state: weak(0),
      move: stop({ kind: "already_green" }),
    },
    {
      title: "PRE 6 C21: nor does it end a plan that is ticked",
      task: planned,
      state: weak(0, { plan, last_turn: aLastTurn({ claim: aClaim() }) }),
      facts: { item: null },
      move: { do: "turn", item: expect.objectContaining({ id: "proof" }) },
    },
  ])("$title", (row) => {
    expect(moveBefore(row)).toEqual(row.move);
  });
});
