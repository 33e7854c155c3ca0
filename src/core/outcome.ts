import type { Denial, ProviderFailure } from "./agent.ts";
import type { Problem } from "./errors.ts";
import type { HardStopHit } from "./hard-stop.ts";
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

/** The work is done, and the same task begins anew. */
const COMPLETED = {
  status: "completed",
  exitCode: 0,
  job: "pass",
  resumableBy: "nobody",
  next: "Review the changes.",
} as const;

/** It goes on by itself after the reset. */
const WAITING = { status: "waiting", exitCode: 75, job: "pass", resumableBy: "anybody" } as const;

/** What failed may be mended. */
const FAILED = { status: "error", exitCode: 1, job: "fail", resumableBy: "anybody" } as const;

/** A person has to answer. */
const BLOCKED = { status: "blocked", exitCode: 4, job: "fail", resumableBy: "person" } as const;

/** What every open circuit has in common. */
const CIRCUIT_OPEN = { status: "circuit_open", exitCode: 5, job: "fail", resumableBy: "person" } as const;

/**
 * What each ending means. A new kind of `StopReason` does not compile until it has its row here.
 */
export const OUTCOMES = {
  promise: {
    ...COMPLETED,
    sentence: "The agent kept its promise: the work is done.",
  },
  done_token: {
    ...COMPLETED,
    sentence: "The agent printed the done token: the work is done.",
  },
  dual_gate: {
    ...COMPLETED,
    sentence: "The agent signals the end, and a second condition agrees: the work is done.",
  },
  exit_signal: {
    ...COMPLETED,
    sentence: "The agent's status block signals the end: the work is done.",
  },
  plan_complete: {
    ...COMPLETED,
    sentence: "Every item of the plan is ticked: the work is done.",
  },
  success_command: {
    ...COMPLETED,
    sentence: "The success command is green: the work is done.",
  },
  already_green: {
    ...COMPLETED,
    sentence: "The success command was green before this run spent a turn.",
    next: "Nothing to do. If that is a surprise, check that the command tests what you want, or use --no-check-first.",
  },
  hard_stop: {
    status: "paused_hard_stop",
    exitCode: 3,
    job: "pass",
    resumableBy: "person",
    sentence: "A HARD STOP in the todo file is reached: a person has to look at the work.",
    next: "Review the changes, then confirm and go on with: <resume>",
  },
  paused: {
    status: "paused_user_interrupt",
    exitCode: 130,
    job: "cancelled",
    resumableBy: "person",
    sentence: "The loop was paused after its iteration.",
    next: "Go on with: <resume>",
  },
  stopped: {
    status: "paused_user_interrupt",
    exitCode: 130,
    job: "cancelled",
    resumableBy: "person",
    sentence: "The loop was stopped; nothing is lost.",
    next: "Go on with: <resume>",
  },
  canceled: {
    status: "canceled",
    exitCode: 130,
    job: "pass",
    resumableBy: "nobody",
    sentence: "The loop was cancelled for good; the work tree is as the agent left it.",
    next: "Review or discard the changes; the same task starts as a new generation.",
  },
  time_budget: {
    status: "paused_time_budget",
    exitCode: 3,
    job: "pass",
    resumableBy: "anybody",
    sentence: "The time budget is used up.",
    next: "Go on with: <resume>",
  },
  max_iterations: {
    status: "stopped_max_iterations",
    exitCode: 2,
    job: "fail",
    resumableBy: "higher_cap",
    sentence: "The iteration cap is reached and the work is not proved.",
    next: "Read the last failing check, sharpen the prompt or add a test, raise --max-iterations, then go on with: <resume>",
  },
  tokens: {
    status: "stopped_budget",
    exitCode: 2,
    job: "fail",
    resumableBy: "higher_cap",
    sentence: "The token cap is reached and the work is not proved.",
    next: "Raise --max-tokens and go on with: <resume>",
  },
  total_time: {
    status: "stopped_budget",
    exitCode: 2,
    job: "fail",
    resumableBy: "higher_cap",
    sentence: "The working time that the loop may use in all is used up and the work is not proved.",
    next: "Raise --max-total-minutes and go on with: <resume>",
  },
  agent_blocked: {
    ...BLOCKED,
    sentence: "The agent is blocked: it has said so for the same reason twice in a row.",
    next: "Give it what it needs, or say how to do without, then go on with: <resume>",
  },
  permission_denied: {
    ...BLOCKED,
    sentence: "The agent was not allowed to do what it tried, and got no further without it.",
    next: "Allow it if it may do that, or say how to do without, then go on with: <resume>",
  },
  question: {
    ...BLOCKED,
    sentence: "The agent asks instead of working: twice in a row it has changed nothing and ended in a question.",
    next: "Answer it, then go on with: <resume>",
  },
  weak_proof: {
    ...BLOCKED,
    sentence: "The checks are green, but they prove little, and the agent has been told so: a person has to look.",
    next: "Look at the tests. Restore them, or take them as they are with --weak-proof flag, then go on with: <resume>",
  },
  no_progress: {
    ...CIRCUIT_OPEN,
    sentence: "The circuit is open: iterations in a row have left nothing that was not there before.",
    next: "Look at what the agent tries, sharpen the prompt or split the task, then let it try once more with: <resume>",
  },
  same_error: {
    ...CIRCUIT_OPEN,
    sentence: "The circuit is open: iterations in a row have failed in the same way.",
    next: "Read the failure, mend what the agent cannot or say how to, then let it try once more with: <resume>",
  },
  test_loops: {
    ...CIRCUIT_OPEN,
    sentence: "The circuit is open: iterations in a row have changed nothing but tests.",
    next: "Review the tests, say what the code has to do, then let it try once more with: <resume>",
  },
  missing_status: {
    ...CIRCUIT_OPEN,
    sentence: "The circuit is open: the agent does not give the status block that it is asked for.",
    next: "Read its last message, or set --max-missing-status 0, then let it try once more with: <resume>",
  },
  rate_limit: {
    ...WAITING,
    sentence: "The provider limits the rate of requests.",
    next: "After the reset, go on with: <resume>",
  },
  usage_limit: {
    ...WAITING,
    sentence: "The provider's usage limit is reached.",
    next: "After the reset, go on with: <resume>",
  },
  calls_per_hour: {
    ...WAITING,
    sentence: "The agent has been called as often as it may within an hour.",
    next: "After the reset, go on with: <resume> (or raise --max-calls-per-hour)",
  },
  auth: {
    ...FAILED,
    sentence: "The provider refused the credentials.",
    next: "Log in or set the API key, then go on with: <resume>",
  },
  config: {
    ...FAILED,
    sentence: "The provider refused the request or its configuration.",
    next: "Correct the setting that the message names, then go on with: <resume>",
  },
  sandbox_broken: {
    ...FAILED,
    sentence: "The agent's sandbox cannot start on this machine; no turn was spent.",
    next: "Repair the sandbox as the message says, then go on with: <resume>",
  },
  provider: {
    ...FAILED,
    sentence: "The provider failed and trying again did not help.",
    next: "When the provider is well again, go on with: <resume>",
  },
  gate_unrunnable: {
    ...FAILED,
    sentence: "A check could not be started, so nothing is proved; the agent's work is kept.",
    next: "Install what the check needs, then go on with: <resume>",
  },
  commit_refused: {
    ...FAILED,
    sentence: "The work could not be committed; it is in the work tree, unharmed.",
    next: "Do as the message says, then go on with: <resume>",
  },
  superseded: {
    ...FAILED,
    sentence: "Another run goes on with this loop, so this one stopped; what the other one saves is not touched.",
    next: "Let the other run end, and give all jobs of a loop one concurrency group. If it is gone, go on with: <resume>",
  },
} as const satisfies Record<StopKind, Outcome>;
