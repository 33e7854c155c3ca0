import { expect, test } from "vitest";
import { NOT_BLOCKED_YET } from "../../../src/core/state.ts";
import { startCounters } from "../../../src/core/progress/counters.ts";
import { aClaim, aHit, aLastTurn, aTodo, THE_ITEM } from "../../support/builders.ts";
import { moveIn, stop, type Row } from "./row.ts";

const denied = [{ what: "npm ci", allow: "--network on" }];
const blocked = aLastTurn({ claim: aClaim({ blocked: "BLOCKED: no key" }) });
const hit = aHit();

test.each<Row>([
  {
    title: "a permission was denied, and there is no progress [POST 8]",
    state: { last_turn: aLastTurn({ denied }), progress: { ...startCounters(null), no_progress: 1 } },
    move: stop({ kind: "permission_denied", denied }),
  },
  {
    title: "a permission was denied, and there is progress all the same [POST 8]",
    state: { last_turn: aLastTurn({ denied }) },
    move: { do: "turn", item: THE_ITEM },
  },
  {
    title: "the same was denied twice running, and there is progress all the same [POST 8, C32]",
    state: { last_turn: aLastTurn({ denied }), progress: { ...startCounters(null), denied_again: 1 } },
    move: stop({ kind: "permission_denied", denied }),
  },
  {
    title: "no progress, and no permission was denied [POST 8]",
    state: { progress: { ...startCounters(null), no_progress: 1 } },
    move: { do: "turn", item: THE_ITEM },
  },
  {
    title: "a permission that was denied outranks a HARD STOP [POST 8]",
    state: { last_turn: aLastTurn({ denied }), progress: { ...startCounters(null), no_progress: 1 }, todo: aTodo() },
    facts: { hardStops: [hit] },
    move: stop({ kind: "permission_denied" }),
  },
  {
    title: "blocked twice for the same reason [POST 10, W-51]",
    state: { last_turn: blocked, appeals: { ...NOT_BLOCKED_YET, blocked: 2 } },
    move: stop({ kind: "agent_blocked", why: "BLOCKED: no key" }),
  },
  { title: "nothing was said yet [POST 10]", state: { last_turn: null }, move: { do: "turn", item: THE_ITEM } },
  {
    title: "blocked once the loop goes on [POST 10]",
    state: { last_turn: blocked, appeals: { ...NOT_BLOCKED_YET, blocked: 1 } },
    move: { do: "turn", item: THE_ITEM },
  },
  {
    title: "a HARD STOP outranks an agent that is blocked [POST 9]",
    state: { last_turn: blocked, appeals: { ...NOT_BLOCKED_YET, blocked: 2 }, todo: aTodo() },
    facts: { hardStops: [hit] },
    move: stop({ kind: "hard_stop" }),
  },
  {
    title: "a question twice instead of work [section 4.5]",
    state: { last_turn: aLastTurn({ summary: "Which?" }), appeals: { ...NOT_BLOCKED_YET, questions: 2 } },
    move: stop({ kind: "question", question: "Which?" }),
  },
  {
    title: "a question once [section 4.5]",
    state: { last_turn: aLastTurn({ summary: "Which?" }), appeals: { ...NOT_BLOCKED_YET, questions: 1 } },
    move: { do: "turn", item: THE_ITEM },
  },
  {
    title: "an agent that is blocked outranks an open circuit [POST 10]",
    state: {
      last_turn: blocked,
      appeals: { ...NOT_BLOCKED_YET, blocked: 2 },
      circuit: { state: "OPEN", trigger: "no_progress", count: 3 },
    },
    move: stop({ kind: "agent_blocked" }),
  },
])("$title", (row) => {
  expect(moveIn("settled", row)).toEqual(row.move);
});
