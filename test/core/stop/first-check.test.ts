import { expect, test } from "vitest";
import type { LoopState } from "../../../src/core/state.ts";
import type { Move } from "../../../src/core/stop/rule.ts";
import { aState, aVerdict, NOW, THE_ITEM } from "../../support/builders.ts";
import { moveBefore, QUALITY, stop, SUCCESS, type Row } from "./row.ts";

const MINUTE = 60_000;
const TURN: Move = { do: "turn", item: THE_ITEM };
const NOT_STARTED = expect.objectContaining({ code: "CHECK_NOT_STARTED" });

const rows: readonly Row[] = [
  {
    title: "the success command is asked first [PRE 6]",
    task: SUCCESS,
    move: { do: "prove", evidence: { iteration: 0, occasion: "first", deadline: null } },
  },
  {
    title: "it has until the reserve [PRE 6]",
    task: { ...SUCCESS, limits: { deadline: NOW + 30 * MINUTE, reserveMs: 5 * MINUTE } },
    move: { do: "prove", evidence: { iteration: 0, occasion: "first", deadline: NOW + 25 * MINUTE } },
  },
  {
    title: "without time it is not asked [PRE 6]",
    task: { ...SUCCESS, limits: { deadline: NOW } },
    move: stop({ kind: "time_budget" }),
  },
  {
    title: "green already [PRE 6]",
    task: SUCCESS,
    state: { first_check: aVerdict("passed") },
    move: stop({ kind: "already_green", command: "npm test" }),
  },
  {
    title: "green already, but CI is not asked before a turn [PRE 6]",
    task: { identity: { checks: { successCommand: ["npm", "test"], ci: "ci.yml" } } },
    state: { first_check: aVerdict("passed") },
    move: TURN,
  },
  {
    title: "green after a turn that died with its run is that turn's work [PRE 6]",
    task: SUCCESS,
    state: { first_check: aVerdict("passed"), iterations: [anAbandoned()] },
    move: stop({ kind: "success_command", command: "npm test" }),
  },
  { title: "red, asked once [PRE 6]", task: SUCCESS, state: { first_check: aVerdict("failed") }, move: TURN },
  {
    title: "it cannot be started [PRE 6]",
    task: SUCCESS,
    state: { first_check: aVerdict("unrunnable") },
    move: stop({ kind: "gate_unrunnable", problem: NOT_STARTED }),
  },
  {
    title: "it cannot be started, and the agent may have to make it [PRE 6]",
    task: SUCCESS,
    state: { first_check: aVerdict("unrunnable") },
    move: stop({
      kind: "gate_unrunnable",
      problem: expect.objectContaining({ next: expect.stringMatching(/--no-check-first\.$/u) }),
    }),
  },
  {
    title: "it cannot be started any more [PRE 6]",
    task: SUCCESS,
    state: { first_check: aVerdict("unrunnable"), iterations: [anAbandoned()] },
    move: stop({
      kind: "gate_unrunnable",
      problem: expect.objectContaining({ next: expect.stringMatching(/^(?!.*--no-check-first)/u) }),
    }),
  },
  { title: "check-first is off [PRE 6]", task: { ...SUCCESS, runtime: { checkFirst: false } }, move: TURN },
  {
    title: "quality commands are asked once a loop, to know what fails without the agent [PRE 6]",
    task: QUALITY,
    move: { do: "prove", evidence: { iteration: 0, occasion: "first", deadline: null } },
  },
  {
    title: "nor are they asked by a later run [PRE 6]",
    task: QUALITY,
    state: { spent: { ...aState().spent, turns: 1 } },
    move: TURN,
  },
  {
    title: "nor behind a turn that died with its run, for what is there now is that turn's work [PRE 6]",
    task: QUALITY,
    state: { iterations: [anAbandoned()] },
    move: TURN,
  },
  {
    title: "quality commands that are green at the start are no proof [PRE 6, C7]",
    task: QUALITY,
    state: { first_check: aVerdict("passed") },
    move: TURN,
  },
  {
    title: "quality commands that cannot be started cost no turn [PRE 6]",
    task: QUALITY,
    state: { first_check: aVerdict("unrunnable") },
    move: stop({ kind: "gate_unrunnable", problem: NOT_STARTED }),
  },
];

test.each(rows)("$title", (row) => {
  expect(moveBefore(row)).toEqual(row.move);
});

function anAbandoned(): LoopState["iterations"][number] {
  return {
    iteration: 1,
    started_at: "",
    ended_at: "",
    agent: "abandoned",
    claimed: false,
    checks: "none",
    files_changed: null,
    lines_added: 0,
    lines_removed: 0,
    tokens: 0,
    commit: null,
  };
}
