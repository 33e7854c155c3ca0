import type { Stored } from "./schema.ts";
import type { stopReason } from "./stop/reasons.ts";

/** What a state name means to everybody outside. */
interface Meaning {
  /** of the command line */
  readonly exitCode: number;
  /** whether a job that ended so is green, unless `fail-on` says otherwise */
  readonly job: "pass" | "fail" | "cancelled";
  /** who may let the loop go on (C25) */
  readonly resumableBy: "nobody" | "person" | "anybody" | "higher_cap";
  /** of the commit status on GitHub */
  readonly commitStatus: "success" | "failure" | "pending";
  /** what a person sees first on GitHub */
  readonly sign: string;
  /** in Loopr's `status.json`, where the cap is no success (C16) */
  readonly loopr: "complete" | "waiting" | "blocked" | "circuit_open" | "error";
}

function means(
  sign: string,
  exitCode: number,
  job: Meaning["job"],
  resumableBy: Meaning["resumableBy"],
  commitStatus: Meaning["commitStatus"],
  loopr: Meaning["loopr"],
): Meaning {
  return { sign, exitCode, job, resumableBy, commitStatus, loopr };
}

/** The state names that people see when a loop has ended; the seeds' own. */
export const STATUSES = {
  /** the work is done, and the same task begins anew */
  completed: means("✅", 0, "pass", "nobody", "success", "complete"),
  /** it goes on by itself after the reset */
  waiting: means("⏳", 75, "pass", "anybody", "pending", "waiting"),
  paused_hard_stop: means("✋", 3, "pass", "person", "failure", "blocked"),
  paused_user_interrupt: means("⏸️", 130, "cancelled", "person", "pending", "waiting"),
  paused_time_budget: means("⏳", 3, "pass", "anybody", "pending", "waiting"),
  stopped_max_iterations: means("🛑", 2, "fail", "higher_cap", "failure", "blocked"),
  stopped_budget: means("🛑", 2, "fail", "higher_cap", "failure", "blocked"),
  /** a person has to answer */
  blocked: means("🚧", 4, "fail", "person", "failure", "blocked"),
  circuit_open: means("🔌", 5, "fail", "person", "failure", "circuit_open"),
  canceled: means("🚫", 130, "pass", "nobody", "failure", "error"),
  /** what failed may be mended */
  error: means("❌", 1, "fail", "anybody", "failure", "error"),
};

type Ended = keyof typeof STATUSES;
const isEnded = (name: string): name is Ended => name in STATUSES;
export const ENDED: readonly Ended[] = Object.keys(STATUSES).filter(isEnded);
export type Status = "running" | Ended;

/** Why a loop does not go on. An ending is a value, never an exception. */
export type StopReason = Stored<typeof stopReason>;
export type StopKind = StopReason["kind"];

/** What an ending means to everybody outside. */
export interface Outcome extends Meaning {
  readonly status: Ended;
  /** one sentence for a person: what happened */
  readonly sentence: string;
  /** one sentence for a person: what to do next; `<resume>` stands for the command that resumes */
  readonly next: string;
}

function ending(status: Ended, sentence: string, next: string): Outcome {
  return { status, ...STATUSES[status], sentence, next };
}

const REVIEW = "Review the changes.";

/** What each ending means. A new kind of `StopReason` does not compile until it has its row here. */
export const OUTCOMES = {
  promise: ending("completed", "The agent kept its promise: the work is done.", REVIEW),
  done_token: ending("completed", "The agent printed the done token: the work is done.", REVIEW),
  dual_gate: ending("completed", "The agent signals the end, and a second condition agrees: the work is done.", REVIEW),
  exit_signal: ending("completed", "The agent's status block signals the end: the work is done.", REVIEW),
  plan_complete: ending("completed", "Every item of the plan is ticked: the work is done.", REVIEW),
  success_command: ending("completed", "The success command is green: the work is done.", REVIEW),
  already_green: ending(
    "completed",
    "The success command was green before this run spent a turn.",
    "Nothing to do. If that is a surprise, check that the command tests what you want, or use --no-check-first.",
  ),
  hard_stop: ending(
    "paused_hard_stop",
    "A HARD STOP in the todo file is reached: a person has to look at the work.",
    "Review the changes, then confirm and go on with: <resume>",
  ),
  paused: ending("paused_user_interrupt", "The loop was paused after its iteration.", "Go on with: <resume>"),
  stopped: ending("paused_user_interrupt", "The loop was stopped; nothing is lost.", "Go on with: <resume>"),
  canceled: ending(
    "canceled",
    "The loop was cancelled for good; the work tree is as the agent left it.",
    "Review or discard the changes; the same task starts as a new generation.",
  ),
  time_budget: ending("paused_time_budget", "The time budget is used up.", "Go on with: <resume>"),
  max_iterations: ending(
    "stopped_max_iterations",
    "The iteration cap is reached and the work is not proved.",
    "Read the last failing check, sharpen the prompt or add a test, raise --max-iterations, then go on with: <resume>",
  ),
  tokens: ending(
    "stopped_budget",
    "The token cap is reached and the work is not proved.",
    "Raise --max-tokens and go on with: <resume>",
  ),
  total_time: ending(
    "stopped_budget",
    "The working time that the loop may use in all is used up and the work is not proved.",
    "Raise --max-total-minutes and go on with: <resume>",
  ),
  agent_blocked: ending(
    "blocked",
    "The agent is blocked: it has said so for the same reason twice in a row.",
    "Give it what it needs, or say how to do without, then go on with: <resume>",
  ),
  permission_denied: ending(
    "blocked",
    "The agent was not allowed to do what it tried, and got no further without it.",
    "Allow it if it may do that, or say how to do without, then go on with: <resume>",
  ),
  question: ending(
    "blocked",
    "The agent asks instead of working: twice in a row it has changed nothing and ended in a question.",
    "Answer it, then go on with: <resume>",
  ),
  weak_proof: ending(
    "blocked",
    "The checks are green, but they prove little, and the agent has been told so: a person has to look.",
    "Look at the tests. Restore them, or take them as they are with --weak-proof flag, then go on with: <resume>",
  ),
  no_progress: ending(
    "circuit_open",
    "The circuit is open: iterations in a row have left nothing that was not there before.",
    "Look at what the agent tries, sharpen the prompt or split the task, then let it try once more with: <resume>",
  ),
  same_error: ending(
    "circuit_open",
    "The circuit is open: iterations in a row have failed in the same way.",
    "Read the failure, mend what the agent cannot or say how to, then let it try once more with: <resume>",
  ),
  test_loops: ending(
    "circuit_open",
    "The circuit is open: iterations in a row have changed nothing but tests.",
    "Review the tests, say what the code has to do, then let it try once more with: <resume>",
  ),
  missing_status: ending(
    "circuit_open",
    "The circuit is open: the agent does not give the status block that it is asked for.",
    "Read its last message, or set --max-missing-status 0, then let it try once more with: <resume>",
  ),
  rate_limit: ending("waiting", "The provider limits the rate of requests.", "After the reset, go on with: <resume>"),
  usage_limit: ending("waiting", "The provider's usage limit is reached.", "After the reset, go on with: <resume>"),
  calls_per_hour: ending(
    "waiting",
    "The agent has been called as often as it may within an hour.",
    "After the reset, go on with: <resume> (or raise --max-calls-per-hour)",
  ),
  auth: ending(
    "error",
    "The provider refused the credentials.",
    "Log in or set the API key, then go on with: <resume>",
  ),
  config: ending(
    "error",
    "The provider refused the request or its configuration.",
    "Correct the setting that the message names, then go on with: <resume>",
  ),
  sandbox_broken: ending(
    "error",
    "The agent's sandbox cannot start on this machine; no turn was spent.",
    "Repair the sandbox as the message says, then go on with: <resume>",
  ),
  provider: ending(
    "error",
    "The provider failed and trying again did not help.",
    "When the provider is well again, go on with: <resume>",
  ),
  gate_unrunnable: ending(
    "error",
    "A check could not be started, so nothing is proved; the agent's work is kept.",
    "Install what the check needs, then go on with: <resume>",
  ),
  commit_refused: ending(
    "error",
    "The work could not be committed; it is in the work tree, unharmed.",
    "Do as the message says, then go on with: <resume>",
  ),
  superseded: ending(
    "error",
    "Another run goes on with this loop, so this one stopped; what the other one saves is not touched.",
    "Let the other run end, and give all jobs of a loop one concurrency group. If it is gone, go on with: <resume>",
  ),
} satisfies Record<StopKind, Outcome>;

export function outcomeOf(reason: StopReason): Outcome {
  return OUTCOMES[reason.kind];
}

/** When the limit ends that a loop was parked for (C12); null: none. */
export function nextResetAt(reason: StopReason | null): string | null {
  return reason !== null && "until" in reason ? reason.until : null;
}
