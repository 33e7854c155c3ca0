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
  { title: "a success command is asked after every turn [C7]", task: SUCCESS, move: prove("turn") },
  { title: "so is the success shell [S-12]", task: SHELL, move: prove("turn") },
  {
    title: "quality commands are asked when the agent claims to be done [C7]",
    task: QUALITY,
    state: { last_turn: claimed },
    move: prove("claim"),
  },
  {
    title: "so is CI [C7]",
    task: { identity: { checks: { ci: "ci.yml" } } },
    state: { last_turn: claimed },
    move: prove("claim"),
  },
  {
    title: "and with check-when: claim not otherwise [C7, C30]",
    task: { ...QUALITY, runtime: { checkWhen: "claim" } },
    move: { do: "settle", commits: false, story: null },
  },
  {
    title: "without checks there is nothing to prove [C7]",
    state: { last_turn: claimed },
    move: { do: "settle", commits: false, story: null },
  },
  {
    title: "checks have until the reserve",
    task: { ...SUCCESS, limits: { deadline: NOW + 30 * MINUTE, reserveMs: 10 * MINUTE } },
    move: prove("turn", NOW + 20 * MINUTE),
  },
  {
    title: "without time checks wait for the resume [POST 13]",
    task: { ...SUCCESS, limits: { deadline: NOW } },
    move: stop({ kind: "time_budget" }),
  },
  {
    title: "with nothing to prove the iteration is closed all the same [POST 13]",
    task: { limits: { deadline: NOW } },
    move: { do: "settle", commits: false, story: null },
  },
  {
    title: "no check runs for a loop that is cancelled [POST 1]",
    task: SUCCESS,
    facts: request("cancel"),
    move: stop({ kind: "canceled" }),
  },
  {
    title: "nor for one that is stopped [POST 1]",
    task: SUCCESS,
    facts: request("stop"),
    move: stop({ kind: "stopped" }),
  },
  {
    title: "nor for one that another run has [POST 1]",
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
  { title: "not with commit never [C13]", commit: "never", move: { do: "settle", commits: false, story: null } },
  { title: "not yet with commit end [C13]", commit: "end", move: { do: "settle", commits: false, story: null } },
  { title: "with commit iteration [C13]", commit: "iteration", move: { do: "settle", commits: true, story: null } },
  {
    title: "when stopped, too [C13]",
    commit: "iteration",
    facts: request("stop"),
    move: { do: "settle", commits: true, story: null },
  },
  {
    title: "not when cancelled, so that the tree stays as the agent left it [W-12]",
    commit: "iteration",
    facts: request("cancel"),
    move: { do: "settle", commits: false, story: null },
  },
  {
    title: "not when another run has the loop [C13]",
    commit: "iteration",
    facts: request("supersede"),
    move: { do: "settle", commits: false, story: null },
  },
])("an iteration is settled whatever was asked; its work becomes a commit: $title", ({ commit, ...row }) => {
  expect(moveIn("unsettled", { ...row, task: { runtime: { commit } } })).toEqual(row.move);
});

test("a turn in flight is never decided on", () => {
  expect(() => moveIn("turn", { title: "" })).toThrow("A turn is in flight");
});
