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
const stub = aLastTurn({ claim: aDoneClaim({ unfinished: "It is a stub.", broken: true }) });
const TURN = { do: "turn", item: THE_ITEM };

function weak(refused: number, state: Partial<LoopState> = {}): Partial<LoopState> {
  const strength = { ...aState().strength, weaknesses, refused };
  return { verdict: aVerdict("passed"), first_check: aVerdict("passed"), strength, ...state };
}

function flagging(task: TaskOverrides): TaskOverrides {
  return { ...task, runtime: { weakProof: "flag" } };
}

/** What judges the work was changed; how that was found depends on the setting of then. */
function changedJudge(flagged: boolean): Partial<LoopState> {
  const found: Weakness = { kind: "scripts_changed", flagged, count: 1, paths: ["check.sh"] };
  const state = weak(flagged ? 0 : 2);
  return { ...state, strength: { ...aState().strength, ...state.strength, weaknesses: [found] } };
}

const strict: TaskOverrides = { ...SUCCESS, runtime: { weakProof: "strict" } };

const settled: readonly Row[] = [
  {
    title: "a changed judge is only flagged, by default [POST 5, C21]",
    task: SUCCESS,
    state: changedJudge(true),
    move: stop({ kind: "success_command" }),
  },
  {
    title: "and does not stand against a claim that names unfinished work [POST 7, C22]",
    task: QUALITY,
    state: { ...changedJudge(true), last_turn: hedged },
    move: stop({ kind: "promise", verified: true }),
  },
  { title: "weak-proof strict refuses it [POST 5, C21]", task: strict, state: changedJudge(true), move: TURN },
  {
    title: "the second time that ends the loop [POST 7a]",
    task: strict,
    state: changedJudge(false),
    move: stop({ kind: "weak_proof" }),
  },
  {
    title: "a person who goes on without strict takes it [POST 7a, C21]",
    task: SUCCESS,
    state: changedJudge(false),
    move: stop({ kind: "success_command" }),
  },
  {
    title: "a green success command that proves little is refused [POST 5, C21]",
    task: SUCCESS,
    state: weak(1),
    move: TURN,
  },
  { title: "so is a claim [POST 7, C21]", task: QUALITY, state: weak(1, { last_turn: claimed }), move: TURN },
  {
    title: "the second time ends the loop, with the evidence [POST 7a]",
    task: SUCCESS,
    state: weak(2),
    move: { do: "stop", reason: { kind: "weak_proof", weaknesses } },
  },
  {
    title: "of a claim as well [POST 7a]",
    task: QUALITY,
    state: weak(3, { last_turn: claimed }),
    move: stop({ kind: "weak_proof" }),
  },
  {
    title: "earlier ones do not count against a proof that is strong [POST 7a]",
    task: SUCCESS,
    state: { ...weak(2), strength: { ...aState().strength, refused: 2 } },
    move: stop({ kind: "success_command" }),
  },
  {
    title: "a first check that was green and proved little ends nothing after a turn that is red [PRE 6, C21]",
    task: SUCCESS,
    state: { first_check: aVerdict("passed"), verdict: aVerdict("failed") },
    move: TURN,
  },
  {
    title: "weak-proof flag takes it [POST 5, C21]",
    task: flagging(SUCCESS),
    state: weak(2),
    move: stop({ kind: "success_command" }),
  },
  {
    title: "weak-proof flag takes a claim [POST 7, C21]",
    task: flagging(QUALITY),
    state: weak(1, { last_turn: claimed }),
    move: stop({ kind: "promise", verified: true }),
  },
  {
    title: "a claim that names unfinished work stands by a strong proof [POST 7, C22]",
    task: QUALITY,
    state: { verdict: aVerdict("passed"), last_turn: hedged },
    move: stop({ kind: "promise", verified: true }),
  },
  {
    title: "not by a weak one, whatever is only flagged [POST 7, C22]",
    task: flagging(QUALITY),
    state: weak(1, { last_turn: hedged }),
    move: TURN,
  },
  {
    title: "a success command does not care what the agent says [POST 5, C22]",
    task: flagging(SUCCESS),
    state: weak(1, { last_turn: hedged }),
    move: stop({ kind: "success_command" }),
  },
  { title: "without checks it is no claim [POST 7, C22]", state: { last_turn: hedged }, move: TURN },
  {
    title: "told once, a stub ends the loop with its sentence [POST 7b, C36]",
    state: { last_turn: stub, admissions: 2 },
    move: stop({ kind: "unfinished", said: "It is a stub." }),
  },
  { title: "before that it goes on [POST 7b, C36]", state: { last_turn: stub, admissions: 1 }, move: TURN },
  {
    title: "with a success command the agent's words end nothing [POST 7b, S-18]",
    task: SUCCESS,
    state: { last_turn: stub, admissions: 2, first_check: aVerdict("failed"), verdict: aVerdict("failed") },
    move: TURN,
  },
  {
    title: "it outranks a HARD STOP [POST 7a]",
    task: SUCCESS,
    state: weak(2, { todo: aTodo() }),
    facts: { hardStops: [aHit()] },
    move: stop({ kind: "weak_proof" }),
  },
  {
    title: "a stop outranks it [POST 7a]",
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
      title: "a green first check that proves little is no proof [PRE 6, C21]",
      task: SUCCESS,
      state: weak(0),
      move: TURN,
    },
    {
      title: "nor is one in which no test ran, whatever is flagged [PRE 6, C21]",
      task: flagging(SUCCESS),
      state: weak(0),
      move: TURN,
    },
    {
      title: "weak-proof flag takes it after a turn [PRE 6, C21]",
      task: flagging(SUCCESS),
      state: weak(0, { spent: { ...aState().spent, turns: 1 } }),
      move: stop({ kind: "already_green" }),
    },
    {
      title: "weak-proof flag takes one of another kind [PRE 6, C21]",
      task: flagging(SUCCESS),
      state: changedJudge(true),
      move: stop({ kind: "already_green" }),
    },
    {
      title: "nor does it end a plan that is ticked [PRE 6, C21]",
      task: planned,
      state: weak(0, { plan, last_turn: aLastTurn({ claim: aClaim() }) }),
      facts: { item: null },
      move: { do: "turn", item: expect.objectContaining({ id: "proof" }) },
    },
  ])("$title", (row) => {
    expect(moveBefore(row)).toEqual(row.move);
  });
});
