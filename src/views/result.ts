import { admittedIn } from "../core/claim/effective-claim.ts";
import { AGENT_STATE } from "../core/names.ts";
import { nextResetAt } from "../core/outcome.ts";
import { costReport } from "./cost.ts";
import { callsOf, circuitReport, progressOf } from "./progress.ts";
import { proofOf } from "./proof.ts";
import { storiesReport } from "./story-rows.ts";
import { endingOf, hardStopPending, nextStep, type RunView, shownStatus } from "./run-view.ts";

/** The JSON object of `--json` (D-34): the end of a run, and `status`. Only ever grows. */
export type Result = ReturnType<typeof resultOf>;

/** A loop as machines read it. */
export function resultOf(view: RunView) {
  const { state } = view;
  const ending = endingOf(state);
  const resumableBy = ending?.outcome.resumableBy ?? (view.alive ? "nobody" : "anybody");
  return {
    schema: 1 as const,
    loop_id: state.loop_id,
    generation: state.generation,
    status: shownStatus(view),
    stop_reason: state.stop_reason,
    /** of the command that ended so; null while the loop runs or when it crashed */
    exit_code: ending?.outcome.exitCode ?? null,
    iteration: state.iteration,
    max_iterations: state.max_iterations,
    proof: proofOf(state),
    /** why the proof proves little, if it does, and what was changed of what the work is judged by (C21) */
    strength: {
      weaknesses: state.strength.weaknesses,
      tampering: state.strength.tampering,
      /** of what judges the work, files that could not be compared with the beginning (C40); null: none of them could */
      unread: state.strength.unread,
      /** who has taken the weak proof, and when (C43); null: nobody has */
      accepted: state.strength.accepted,
    },
    /** what another session says of the work, and what that has used, which is not in `spent` (C50) */
    review: state.review,
    /** unfinished work that the agent named as it claimed to be done (C22); null: none */
    unfinished: state.last_turn === null ? null : admittedIn(state.last_turn.claim, state.plan),
    /** what contradicts the claim that the last turn makes (C46 to C49) */
    contradictions: state.last_turn?.contradictions ?? [],
    /** ids of HARD STOPs that completion ran past (C17) */
    hard_stop_pending: hardStopPending(state).map((hit) => hit.id),
    /** how far the PRD is, with every story of it (D-13); null: there is none */
    stories: storiesReport(state, view.prd),
    /** the branch that the work is on; null: none, or not known */
    branch: view.branch,
    change: view.change,
    spent: state.spent,
    /** estimated by list prices, or as the agent says it (C14) */
    cost: costReport(state),
    calls: callsOf(state),
    progress: progressOf(state),
    circuit: circuitReport(state),
    /** when a limit that the loop waits for ends; null: it waits for none */
    next_reset_at: nextResetAt(state.stop_reason),
    last_iteration: state.iterations.at(-1) ?? null,
    session_id: state[AGENT_STATE].session_id,
    state_file: view.stateFile,
    folder: view.folder,
    resumable_by: resumableBy,
    resume: resumableBy === "nobody" || view.lost !== undefined ? null : view.resume,
    next: nextStep(view),
  };
}
