import { stop, type StopRule } from "./rule.ts";
import { BLOCKED_THAT_STOPS, blockedBecause, questionOf } from "../claim/blocked-streak.ts";

/** PRE 7, POST 11: the circuit is open (R-11, R-29, L-24); it stays so over runs and machines. */
export const circuitOpen: StopRule = (_task, { circuit: { state, trigger, count } }) =>
  state === "OPEN" && trigger !== null ? stop({ kind: trigger, count }) : undefined;

/** POST 10: BLOCKED two iterations running with the same reason (W-51). */
export const agentBlocked: StopRule = (_task, { appeals, last_turn: turn }) => {
  const why = turn && blockedBecause(turn.claim);
  return why === null || appeals.blocked < BLOCKED_THAT_STOPS ? undefined : stop({ kind: "agent_blocked", why });
};

/** Section 4.5: the last message ends in a question, without a change, two turns running. */
export const asksInstead: StopRule = (_task, { appeals, last_turn: turn }) => {
  const question = turn && questionOf(turn.summary);
  return question === null || appeals.questions < BLOCKED_THAT_STOPS ? undefined : stop({ kind: "question", question });
};

/** POST 8: a command was declined or a permission denied, and the iteration made no progress. */
export const permissionDenied: StopRule = (_task, { last_turn: turn, progress }) => {
  const denied = turn?.denied ?? [];
  return denied.length > 0 && progress.no_progress > 0 ? stop({ kind: "permission_denied", denied }) : undefined;
};
