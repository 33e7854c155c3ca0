import { NO_APPEALS } from "../claim/appeals.ts";
import type { LoopResumed } from "../events.ts";
import { AGENT_STATE } from "../files.ts";
import type { Circuit } from "../progress/circuit.ts";
import { KEPT_HARD_STOPS, type LoopState } from "../state.ts";
import { tiesOf } from "./begin.ts";
import { NO_SESSION } from "./no-session.ts";

/**
 * A stopped loop goes on: rules that look back may not look past this moment, and only a person's resume acknowledges
 * the hits that the loop was paused for (C10). After a crash nothing was stopped, so nothing is forgiven; nor after a
 * refused commit, for that is all that kept the loop from the ending it had come to. Another provider knows neither the
 * session nor the limit of the one before.
 */
export function resume(state: LoopState, event: LoopResumed): LoopState {
  const judged = state.status === "running" || state.stop_reason?.kind === "commit_refused";
  const moved = event.runtime.provider !== state.provider;
  return {
    ...state,
    status: "running",
    stop_reason: null,
    phase: state.phase === "settled" && !judged ? "ready" : state.phase,
    workspace_root: event.runtime.workspaceRoot,
    provider: event.runtime.provider,
    max_iterations: event.max_iterations,
    bounds: event.bounds,
    status_block: event.runtime.statusBlock,
    [AGENT_STATE]: {
      ...state[AGENT_STATE],
      ...(moved ? NO_SESSION : {}),
      model: event.runtime.model,
      sandbox: event.runtime.sandbox,
      approval: event.runtime.approval,
      profile: event.runtime.profile,
    },
    todo: state.todo === null ? null : acknowledge(state.todo, state, event),
    snapshot: event.snapshot ?? state.snapshot,
    first_check: null,
    verdict: state.verdict?.result === "unrunnable" ? null : state.verdict,
    not_before: state.not_before?.why === "interval" || moved ? null : state.not_before,
    spent: { ...state.spent, resumes: state.spent.resumes + 1 },
    // Whoever lets it go on has answered.
    ...(event.by === "person" && !judged ? answered(state) : {}),
    circuit: event.by === "person" ? probe(state.circuit) : state.circuit,
    error_resumes: state.status === "error" ? state.error_resumes + 1 : state.error_resumes,
    github: tiesOf(state.github, event.github),
    guidance: event.guidance ?? state.guidance,
  };
}

function answered({ strength }: LoopState): Pick<LoopState, "appeals" | "strength"> {
  return { appeals: NO_APPEALS, strength: { ...strength, refused: 0 } };
}

/** An open circuit takes one more iteration when a person lets it: without progress it opens again. */
function probe(circuit: Circuit): Circuit {
  return circuit.state === "OPEN" ? { ...circuit, state: "HALF_OPEN" } : circuit;
}

function acknowledge(
  todo: NonNullable<LoopState["todo"]>,
  state: LoopState,
  event: LoopResumed,
): NonNullable<LoopState["todo"]> {
  if (state.stop_reason?.kind !== "hard_stop" || event.by !== "person") return todo;
  const confirmed = state.stop_reason.hits.map((hit) => hit.id);
  return {
    ...todo,
    paused_for_hard_stop: false,
    acknowledged: [...new Set([...todo.acknowledged, ...confirmed])].slice(-KEPT_HARD_STOPS),
  };
}
