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
    title: "POST 8: a permission was denied, and there is no progress",
    state: { last_turn: aLastTurn({ denied }), progress: { ...startCounters(null), no_progress: 1 } },
    move: stop({ kind: "permission_denied", denied }),
  },
  {
    title: "POST 8: a permission was denied, and there is progress all the same",
    state: { last_turn: aLastTurn({ denied }) },
    move: { do: "turn", item: THE_ITEM },
  },
  {
    title: "POST 8: no progress, and no permission was denied",
    state: { progress: { ...startCounters(null), no_progress: 1 } },
    move: { do: "turn", item: THE_ITEM },
  },
  {
    title: "POST 8: a permission that was denied outranks a HARD STOP",
    state: { last_turn: aLastTurn({ denied }), progress: { ...startCounters(null), no_progress: 1 }, todo: aTodo() },
    facts: { hardStops: [hit] },
    move: stop({ kind: "permission_denied" }),
  },
  {
    title: "POST 10, W-51: blocked twice for the same reason",
    state: { last_turn: blocked, appeals: { ...NOT_BLOCKED_YET, blocked: 2 } },
    move: stop({ kind: "agent_blocked", why: "BLOCKED: no key" }),
  },
  { title: "POST 10: nothing was said yet", state: { last_turn: null }, move: { do: "turn", item: THE_ITEM } },
  {
    title: "POST 10: blocked once the loop goes on",
    state: { last_turn: blocked, appeals: { ...NOT_BLOCKED_YET, blocked: 1 } },
    move: { do: "turn", item: THE_ITEM },
  },
  {
    title: "POST 9: a HARD STOP outranks an agent that is blocked",
    state: { last_turn: blocked, appeals: { ...NOT_BLOCKED_YET, blocked: 2 }, todo: aTodo() },
    facts: { hardStops: [hit] },
    move: stop({ kind: "hard_stop" }),
  },
  {
    title: "section 4.5: a question twice instead of work",
    state: { last_turn: aLastTurn({ summary: "Which?" }), appeals: { ...NOT_BLOCKED_YET, questions: 2 } },
    move: stop({ kind: "question", question: "Which?" }),
  },
  {
    title: "section 4.5: a question once",
    state: { last_turn: aLastTurn({ summary: "Which?" }), appeals: { ...NOT_BLOCKED_YET, questions: 1 } },
    move: { do: "turn", item: THE_ITEM },
  },
  {
    title: "POST 10: an agent that is blocked outranks an open circuit",
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
