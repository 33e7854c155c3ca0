import type { Denial, ProviderFailure } from "./agent.ts";
import type { Problem } from "./errors.ts";
import type { HardStopHit } from "./hard-stop/scan.ts";
import { OUTCOMES } from "./outcomes.ts";
import type { Weakness } from "./progress/strength.ts";

/** The state names that people see (section 4.5); the seeds' own. */
export type Status =
  | "running"
  | "completed"
  | "waiting"
  | "paused_hard_stop"
  | "paused_user_interrupt"
  | "paused_time_budget"
  | "stopped_max_iterations"
  | "stopped_budget"
  | "blocked"
  | "circuit_open"
  | "canceled"
  | "error";

/** Why a loop does not go on. An ending is a value, never an exception. */
export type StopReason =
  | { readonly kind: "promise"; readonly verified: boolean }
  | { readonly kind: "done_token"; readonly verified: boolean }
  | { readonly kind: "dual_gate"; readonly verified: boolean }
  | { readonly kind: "exit_signal"; readonly verified: boolean }
  | { readonly kind: "plan_complete"; readonly verified: boolean }
  | { readonly kind: "success_command"; readonly command: string }
  | { readonly kind: "already_green"; readonly command: string }
  | { readonly kind: "hard_stop"; readonly mode: "pause" | "exit"; readonly hits: readonly HardStopHit[] }
  | { readonly kind: "paused"; readonly by: string }
  | { readonly kind: "stopped"; readonly by: string }
  | { readonly kind: "canceled"; readonly by: string }
  | { readonly kind: "time_budget" }
  | { readonly kind: "max_iterations"; readonly max: number }
  | { readonly kind: "tokens"; readonly spent: number; readonly max: number }
  /** both in milliseconds */
  | { readonly kind: "total_time"; readonly spent: number; readonly max: number }
  /** in the agent's own words */
  | { readonly kind: "agent_blocked"; readonly why: string }
  | { readonly kind: "permission_denied"; readonly denied: readonly Denial[] }
  | { readonly kind: "question"; readonly question: string }
  | { readonly kind: "weak_proof"; readonly weaknesses: readonly Weakness[] }
  | { readonly kind: "no_progress"; readonly count: number }
  | { readonly kind: "same_error"; readonly count: number }
  | { readonly kind: "test_loops"; readonly count: number }
  | { readonly kind: "missing_status"; readonly count: number }
  | { readonly kind: "rate_limit"; readonly until: string; readonly message: string }
  | { readonly kind: "usage_limit"; readonly until: string; readonly message: string }
  | { readonly kind: "calls_per_hour"; readonly until: string; readonly max: number }
  | { readonly kind: "auth"; readonly failure: ProviderFailure }
  | { readonly kind: "config"; readonly failure: ProviderFailure }
  | { readonly kind: "sandbox_broken"; readonly failure: ProviderFailure }
  | { readonly kind: "provider"; readonly failure: ProviderFailure }
  | { readonly kind: "gate_unrunnable"; readonly problem: Problem }
  | { readonly kind: "commit_refused"; readonly problem: Problem }
  | { readonly kind: "superseded"; readonly by: string };

export type StopKind = StopReason["kind"];

/** What an ending means to everybody outside. */
export interface Outcome {
  readonly status: Exclude<Status, "running">;
  /** of the command line (section 4.5) */
  readonly exitCode: number;
  /** whether a job that ended so is green, unless `fail-on` says otherwise */
  readonly job: "pass" | "fail" | "cancelled";
  /** who may let the loop go on (C25) */
  readonly resumableBy: "nobody" | "person" | "anybody" | "higher_cap";
  /** one sentence for a person: what happened */
  readonly sentence: string;
  /** one sentence for a person: what to do next; `<resume>` stands for the command that resumes */
  readonly next: string;
}

/** The outcome of an ending. */
export function outcomeOf(reason: StopReason): Outcome {
  return OUTCOMES[reason.kind];
}

/** When the limit ends that a loop was parked for (C12); null: none. */
export function nextResetAt(reason: StopReason | null): string | null {
  return reason !== null && "until" in reason ? reason.until : null;
}
