import { APPEALS_THAT_STOP, blockedBecause, questionOf } from "../claim/appeals.ts";
import { stop, type StopRule } from "./rule.ts";

/** POST 10: BLOCKED two iterations running with the same reason (W-51). */
export const agentBlocked: StopRule = (_task, { appeals, last_turn: turn }) => {
  const why = turn && blockedBecause(turn.claim);
  return why === null || appeals.blocked < APPEALS_THAT_STOP ? undefined : stop({ kind: "agent_blocked", why });
};

/** Section 4.5: the last message ends in a question, without a change, two turns running. */
export const asksInstead: StopRule = (_task, { appeals, last_turn: turn }) => {
  const question = turn && questionOf(turn.summary);
  return question === null || appeals.questions < APPEALS_THAT_STOP ? undefined : stop({ kind: "question", question });
};
