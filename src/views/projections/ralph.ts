import { AGENT_STATE } from "../../core/names.ts";
import { callCount, json, lastReset, type Layout, type Moment } from "./layout.ts";

/** Ralph names it by its agent, as the seed does with the agent's part of the state. */
const SESSION_ID = `.${AGENT_STATE}_session_id`;

/** Ralph's files in the project's root. */
export const RALPH_LAYOUT: Layout = {
  folder: "",
  files: {
    ".call_count": callCount,
    ".last_reset": lastReset,
    [SESSION_ID]: sessionId,
    ".ralph_session": session,
    ".circuit_breaker_state": circuit,
    ".exit_signals": exitSignals,
  },
  logs: {},
};

/** `SESSION_ID`: empty where the next turn begins a fresh session. */
function sessionId({ state }: Moment): string {
  const { session_id: id } = state[AGENT_STATE];
  return id === null ? "" : `${id}\n`;
}

/** `.ralph_session`: what is known of that session. */
function session({ state }: Moment): string {
  const { [AGENT_STATE]: agent, loop_id: loopId, provider, created_at: began, updated_at: at } = state;
  return json({
    session_id: agent.session_id,
    provider,
    model: agent.model,
    iterations: agent.session_iterations,
    loop_id: loopId,
    loop_created_at: began,
    last_used: at,
  });
}

/** `.circuit_breaker_state`. */
function circuit({ state }: Moment): string {
  const { circuit: breaker, progress } = state;
  return json({
    state: breaker.state,
    reason: breaker.trigger,
    consecutive_no_progress: progress.no_progress,
    consecutive_same_error: progress.same_error,
    current_loop: state.iteration,
    last_change: state.updated_at,
  });
}

/** `.exit_signals`: which iterations claimed to be done, and what the exit rules count. */
function exitSignals({ state }: Moment): string {
  const { iterations, signals, progress, last_turn: turn } = state;
  return json({
    done_signals: iterations.filter(({ claimed }) => claimed).map(({ iteration }) => iteration),
    completion_indicators: signals.done,
    exit_signal: turn?.claim.block?.exit_signal ?? null,
    consecutive_test_loops: progress.test_loops,
  });
}
