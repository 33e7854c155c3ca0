import type { TurnCompleted, TurnFailed } from "./agent.ts";
import type { TurnEnded } from "./events.ts";
import { AGENT_STATE } from "./names.ts";
import type { AgentState, LoopState } from "./state.ts";
import type { Task } from "./task.ts";

/** What the state says of the agent's session before the first turn of a fresh one. */
export const NO_SESSION = { session_id: null, session_iterations: 0, session_usage: null } as const;

/** Whether the next turn goes on with the session or begins a fresh one (C2, W-66). */
export function sessionFor(task: Task, state: LoopState): "fresh" | "resumed" {
  const { session_id: id, session_iterations: iterations } = state[AGENT_STATE];
  const resumed = task.runtime.session === "resume" && id !== null && iterations < task.runtime.sessionMaxIterations;
  return resumed ? "resumed" : "fresh";
}

/** Why a turn is taken again in a fresh session; a fresh one that is full would not be better the next time. */
export function whyFresh(end: TurnCompleted | TurnFailed, resumed: boolean): string | undefined {
  if (end.type === "turn.completed") return undefined;
  if (end.failure.kind === "session_lost") return "lost";
  return end.failure.kind === "context_full" && resumed ? "full" : undefined;
}

/** A session that is full has had its last turn (C2, W-66). */
export function endSession(agent: AgentState, event: TurnEnded): AgentState {
  if (event.session_full) return { ...agent, ...NO_SESSION };
  return {
    ...agent,
    session_iterations: agent.session_iterations + 1,
    session_usage: event.session_usage ?? agent.session_usage,
  };
}
