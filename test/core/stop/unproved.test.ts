import { expect, test } from "vitest";
import { aDoneClaim, aLastTurn, aVerdict, NOW } from "../../support/builders.ts";
import { moveIn, QUALITY, request, SHELL, stop, SUCCESS, type Row } from "./row.ts";

const MINUTE = 60_000;
const claimed = aLastTurn({ claim: aDoneClaim() });

const prove = (occasion: "turn" | "claim", deadline: number | null = null) => ({
  do: "prove",
  evidence: { iteration: 1, occasion, deadline },
});

const unproved: readonly Row[] = [
  { title: "C7: a success command is asked after every turn", task: SUCCESS, move: prove("turn") },
  { title: "S-12: so is the success shell", task: SHELL, move: prove("turn") },
  {
    title: "C7: quality commands are asked when the agent claims to be done",
    task: QUALITY,
    state: { last_turn: claimed },
    move: prove("claim"),
  },
  {
    title: "C7: so is CI",
    task: { identity: { checks: { ci: "ci.yml" } } },
    state: { last_turn: claimed },
    move: prove("claim"),
  },
  { title: "C7: and not otherwise", task: QUALITY, move: { do: "settle", commits: false } },
  {
    title: "C7: without checks there is nothing to prove",
    state: { last_turn: claimed },
    move: { do: "settle", commits: false },
  },
  {
    title: "checks have until the reserve",
    task: { ...SUCCESS, limits: { deadline: NOW + 30 * MINUTE, reserveMs: 10 * MINUTE } },
    move: prove("turn", NOW + 20 * MINUTE),
  },
  {
    title: "POST 13: without time checks wait for the resume",
    task: { ...SUCCESS, limits: { deadline: NOW } },
    move: stop({ kind: "time_budget" }),
  },
  {
    title: "POST 13: with nothing to prove the iteration is closed all the same",
    task: { limits: { deadline: NOW } },
    move: { do: "settle", commits: false },
  },
  {
    title: "POST 1: no check runs for a loop that is cancelled",
    task: SUCCESS,
    facts: request("cancel"),
    move: stop({ kind: "canceled" }),
  },
  {
    title: "POST 1: nor for one that is stopped",
    task: SUCCESS,
    facts: request("stop"),
    move: stop({ kind: "stopped" }),
  },
  {
    title: "POST 1: nor for one that another run has",
    task: SUCCESS,
    facts: request("supersede"),
    move: stop({ kind: "superseded" }),
  },
  { title: "a pause waits for the checks", task: SUCCESS, facts: request("pause"), move: prove("turn") },
  {
    title: "a check that could not be started is no red check",
    task: SUCCESS,
    state: { verdict: aVerdict("unrunnable") },
    move: stop({ kind: "gate_unrunnable" }),
  },
];

test.each(unproved)("while a turn waits for its proof: $title", (row) => {
  expect(moveIn("unproved", row)).toEqual(row.move);
});

test.each<Row & { readonly commit: "never" | "end" | "iteration" }>([
  { title: "C13: not with commit never", commit: "never", move: { do: "settle", commits: false } },
  { title: "C13: not yet with commit end", commit: "end", move: { do: "settle", commits: false } },
  { title: "C13: with commit iteration", commit: "iteration", move: { do: "settle", commits: true } },
  {
    title: "C13: when stopped, too",
    commit: "iteration",
    facts: request("stop"),
    move: { do: "settle", commits: true },
  },
  {
    title: "W-12: not when cancelled, so that the tree stays as the agent left it",
    commit: "iteration",
    facts: request("cancel"),
    move: { do: "settle", commits: false },
  },
  {
    title: "C13: not when another run has the loop",
    commit: "iteration",
    facts: request("supersede"),
    move: { do: "settle", commits: false },
  },
])("an iteration is settled whatever was asked; its work becomes a commit: $title", ({ commit, ...row }) => {
  expect(moveIn("unsettled", { ...row, task: { runtime: { commit } } })).toEqual(row.move);
});

test("a turn in flight is never decided on", () => {
  expect(() => moveIn("turn", { title: "" })).toThrow("A turn is in flight");
});
