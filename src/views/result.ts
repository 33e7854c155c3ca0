import { nextResetAt, type StopReason } from "../core/outcome.ts";
import type { Change, IterationRecord, LoopState, Spent } from "../core/state.ts";
import type { Judged } from "../core/progress/strength.ts";
import { callsOf, type Calls } from "./calls.ts";
import { circuitReport, type CircuitReport } from "./circuit.ts";
import { progressOf, type Progress } from "./progress.ts";
import { proofOf, type Proof } from "./proof.ts";
import { endingOf, hardStopPending, nextStep, shownStatus, type RunView } from "./run-view.ts";

/** The JSON object of `--json` (D-34): the end of a run, and `status`. Only ever grows. */
export interface Result {
  readonly schema: 1;
  readonly loop_id: string;
  readonly generation: number;
  readonly status: LoopState["status"] | "crashed";
  readonly stop_reason: StopReason | null;
  /** of the command that ended so; null while the loop runs or when it crashed */
  readonly exit_code: number | null;
  readonly iteration: number;
  readonly max_iterations: number;
  readonly proof: Proof;
  /** why it proves little, if it does, and what was changed of what the work is judged by (C21) */
  readonly strength: Judged;
  /** unfinished work that the agent named as it claimed to be done (C22); null: none */
  readonly unfinished: string | null;
  /** ids of HARD STOPs that completion ran past (C17) */
  readonly hard_stop_pending: readonly string[];
  readonly change: Change | null;
  readonly spent: Spent;
  readonly calls: Calls;
  readonly progress: Progress;
  readonly circuit: CircuitReport;
  /** when a limit that the loop waits for ends; null: it waits for none */
  readonly next_reset_at: string | null;
  readonly last_iteration: IterationRecord | null;
  readonly session_id: string | null;
  readonly state_file: string;
  readonly folder: string;
  readonly resumable_by: "nobody" | "person" | "anybody" | "higher_cap";
  readonly resume: string | null;
  readonly next: string;
}

/** A loop as machines read it. */
export function resultOf(view: RunView): Result {
  const { state } = view;
  const ending = endingOf(state);
  const resumableBy = ending?.outcome.resumableBy ?? (view.alive ? "nobody" : "anybody");
  return {
    schema: 1,
    loop_id: state.loop_id,
    generation: state.generation,
    status: shownStatus(view),
    stop_reason: state.stop_reason,
    exit_code: ending?.outcome.exitCode ?? null,
    iteration: state.iteration,
    max_iterations: state.max_iterations,
    proof: proofOf(state),
    strength: { weaknesses: state.strength.weaknesses, tampering: state.strength.tampering },
    unfinished: state.last_turn?.claim.unfinished ?? null,
    hard_stop_pending: hardStopPending(state).map((hit) => hit.id),
    change: view.change,
    spent: state.spent,
    calls: callsOf(state),
    progress: progressOf(state),
    circuit: circuitReport(state),
    next_reset_at: nextResetAt(state.stop_reason),
    last_iteration: state.iterations.at(-1) ?? null,
    session_id: state.codex.session_id,
    state_file: view.stateFile,
    folder: view.folder,
    resumable_by: resumableBy,
    resume: resumableBy === "nobody" ? null : view.resume,
    next: nextStep(view),
  };
}
