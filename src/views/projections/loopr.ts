import { nextResetAt, outcomeOf, type Status, STATUSES } from "../../core/outcome.ts";
import type { LoopState } from "../../core/state.ts";
import { eventLines } from "../event-lines.ts";
import { oneLine } from "../plain-text.ts";
import { proofOf } from "../proof.ts";
import { reasonDetail } from "../reason.ts";
import { callCount, callsIn, json, lastReset, type Layout, type Moment } from "./layout.ts";

/** Loopr's files below its root (L-10, L-22). */
export const LOOPR_LAYOUT: Layout = {
  folder: ".loopr",
  files: {
    "status.json": status,
    "loop-state.json": counters,
    ".call_count": callCount,
    ".last_reset": lastReset,
  },
  logs: { "loop.log": logLine },
};

/** `status.json`, for everybody (L-26). */
function status({ event, state }: Moment): string {
  const waits = event.type === "wait_started" && event.why !== "interval" ? event.until : null;
  const { calls, resetsAt } = callsIn(state);
  const hourEnds = resetsAt === null ? null : new Date(resetsAt).toISOString();
  return json({
    state: waits === null ? stateOf(state.status) : "waiting",
    iteration: state.iteration,
    exit_reason: state.stop_reason?.kind ?? null,
    last_summary: lastSummary(state.last_turn),
    last_error: lastError(state),
    call_count: calls,
    next_reset_at: waits ?? nextResetAt(state.stop_reason) ?? hourEnds,
  });
}

function stateOf(status: Status): string {
  return status === "running" ? status : STATUSES[status].loopr;
}

/** The status block's text, else the end of the last message. */
function lastSummary(turn: Moment["state"]["last_turn"]): string | null {
  const text = turn?.claim.block?.summary ?? turn?.summary ?? "";
  return text === "" ? null : text;
}

/** `loop-state.json`: what the exit rules count (L-23, L-24). */
function counters({ state }: Moment): string {
  const { signals, progress, circuit } = state;
  return json({
    loop_id: state.loop_id,
    iteration: state.iteration,
    max_iterations: state.max_iterations,
    completion_indicators: signals.done,
    no_progress: progress.no_progress,
    same_error: progress.same_error,
    consecutive_test_loops: progress.test_loops,
    missing_status: signals.missing,
    circuit: circuit.state,
    updated_at: state.updated_at,
  });
}

/** One line for an event that matters to people. */
function logLine({ event, state }: Moment): string | undefined {
  if (event.type === "session_opened") return undefined;
  const said = eventLines(event, state).map(({ text }) => text);
  if (said.length === 0) return undefined;
  return `${event.at} [${state.iteration}/${state.max_iterations}] ${oneLine(said.join("; "))}`;
}

/**
 * What went wrong last, on one line: the ending, else the turn, else the checks, else what the agent says; null:
 * nothing.
 */
function lastError(state: LoopState): string | null {
  const { stop_reason: reason, last_turn: turn } = state;
  if (reason !== null && outcomeOf(reason).status === "error") return reasonDetail(reason, (advice) => advice);
  if (turn === null) return null;
  if (turn.failure !== null) return `${turn.failure.kind}: ${oneLine(turn.failure.message)}`;
  const { failing, sentence } = proofOf(state);
  if (failing !== null) return sentence;
  const { block } = turn.claim;
  return block?.status === "ERROR" ? (block.summary ?? "The agent's status block says ERROR.") : null;
}
