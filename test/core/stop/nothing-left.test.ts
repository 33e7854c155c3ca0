import { expect, test } from "vitest";
import type { LoopState } from "../../../src/core/state.ts";
import { aBlock, aClaim, aFailure, aLastTurn, aVerdict, NOW } from "../../support/builders.ts";
import { moveBefore, moveIn, QUALITY, stop, SUCCESS, type Row } from "./row.ts";

const plan: LoopState["plan"] = { path: "@fix_plan.md", agent_file: "@AGENT.md", items: 2, ticked: 2, most_items: 2 };
const UNPROVED = { do: "turn", item: expect.objectContaining({ id: "proof" }) };
const DONE = stop({ kind: "plan_complete", verified: true });
const deadline = NOW + 600_000;
const PROOF = { do: "prove", evidence: { iteration: 0, occasion: "claim", deadline } };

test.each<Row>([
  { title: "nothing can prove it", move: stop({ kind: "plan_complete", verified: false }) },
  { title: "the checks are asked", task: { ...QUALITY, limits: { deadline } }, move: PROOF },
  { title: "the checks agree", task: QUALITY, state: { first_check: aVerdict("passed") }, move: DONE },
  { title: "the checks disagree", task: QUALITY, state: { first_check: aVerdict("failed") }, move: UNPROVED },
  {
    title: "the checks cannot run",
    task: { ...QUALITY, runtime: { checkFirst: false } },
    state: { first_check: aVerdict("unrunnable") },
    move: stop({ kind: "gate_unrunnable" }),
  },
  { title: "no time to ask", task: { ...QUALITY, limits: { deadline: NOW } }, move: stop({ kind: "time_budget" }) },
  {
    title: "a success command decides alone [S-18]",
    task: SUCCESS,
    state: { first_check: aVerdict("failed") },
    move: UNPROVED,
  },
  {
    title: "the last turn vetoed",
    state: { last_turn: aLastTurn({ claim: aClaim({ block: aBlock({ exit_signal: false }) }) }) },
    move: UNPROVED,
  },
  {
    title: "the last turn went well",
    state: { last_turn: aLastTurn() },
    move: stop({ kind: "plan_complete", verified: false }),
  },
  { title: "the last turn failed", state: { last_turn: aLastTurn({ failure: aFailure("idle") }) }, move: UNPROVED },
])("everything is ticked before a turn: $title [R-27, PRE 6]", (row) => {
  expect(moveBefore({ ...row, state: { plan, ...row.state }, facts: { item: null } })).toEqual(row.move);
});

test.each<Row>([
  { title: "nothing can prove it", move: stop({ kind: "plan_complete", verified: false }) },
  { title: "the checks agree", task: QUALITY, state: { verdict: aVerdict("passed") }, move: DONE },
  { title: "the checks disagree", task: QUALITY, state: { verdict: aVerdict("failed") }, move: UNPROVED },
  {
    title: "the success command disagrees [C7]",
    task: SUCCESS,
    state: { verdict: aVerdict("failed"), first_check: aVerdict("failed") },
    move: UNPROVED,
  },
  {
    title: "the agent says itself that tests fail [section 4.3]",
    state: { last_turn: aLastTurn({ claim: aClaim({ block: aBlock({ tests_status: "FAILING" }) }) }) },
    move: UNPROVED,
  },
])("everything is ticked after a turn: $title [R-27, POST 7]", (row) => {
  expect(moveIn("settled", { ...row, state: { plan, ...row.state }, facts: { item: null } })).toEqual(row.move);
});
