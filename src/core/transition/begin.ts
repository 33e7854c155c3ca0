import { NO_APPEALS } from "../claim/appeals.ts";
import { NO_SIGNALS } from "../claim/signals.ts";
import type { LoopStarted } from "../events.ts";
import { PROMPT_FILE, SUMMARY_FILE, AGENT_STATE } from "../files.ts";
import type { GithubTask, Runtime, TaskIdentity } from "../task.ts";
import { openBooks } from "../progress/books.ts";
import { CLOSED } from "../progress/circuit.ts";
import { NOTHING_JUDGED } from "../progress/strength.ts";
import { NO_CALLS } from "../rate.ts";
import type { GithubTies } from "../github-ties.ts";
import { type AgentState, KEPT_HARD_STOPS, PROMPT_IN_STATE, type LoopState, type Spent } from "../state.ts";
import { NO_SESSION } from "./no-session.ts";

const NOTHING_SPENT: Spent = {
  turns: 0,
  tokens: 0,
  input_tokens: 0,
  cached_input_tokens: 0,
  output_tokens: 0,
  turn_ms: 0,
  check_ms: 0,
  resumes: 0,
};

/** The state of a loop that has just begun (W-40, W-48). */
export function begin(event: LoopStarted): LoopState {
  const { identity, runtime } = event;
  const { prompt } = identity;
  return {
    schema: 1,
    revision: 1,
    loop_id: event.loop_id,
    generation: event.generation,
    created_at: event.at,
    updated_at: event.at,
    workspace_root: runtime.workspaceRoot,
    prompt: prompt.slice(0, PROMPT_IN_STATE),
    prompt_digest: event.prompt_digest,
    prompt_path: prompt.length > PROMPT_IN_STATE ? PROMPT_FILE : null,
    task_digest: event.task_digest,
    ...taskFields(identity),
    max_iterations: event.max_iterations,
    bounds: event.bounds,
    iteration: 0,
    status: "running",
    stop_reason: null,
    phase: "ready",
    provider: runtime.provider,
    [AGENT_STATE]: beginSession(runtime),
    todo: beginTodo(event),
    plan: beginPlan(event),
    artifacts: {
      dir: event.artifacts_dir,
      last_message_path: null,
      jsonl_path: null,
      summary_json_path: SUMMARY_FILE,
    },
    last_result: null,
    iteration_started_at: null,
    last_turn: null,
    status_block: runtime.statusBlock,
    signals: NO_SIGNALS,
    appeals: NO_APPEALS,
    learned: [],
    progress: openBooks(event.snapshot?.tree ?? null, event.tally?.ticked),
    circuit: CLOSED,
    turn_tokens: 0,
    first_check: null,
    verdict: null,
    failing: null,
    failure_signature: null,
    baseline: null,
    strength: NOTHING_JUDGED,
    snapshot: event.snapshot,
    spent: NOTHING_SPENT,
    iterations: [],
    rate: NO_CALLS,
    not_before: null,
    error_resumes: 0,
    github: tiesOf(null, event.github),
    guidance: event.guidance,
  };
}

function taskFields({
  promise,
  doneToken,
  checks,
}: TaskIdentity): Pick<LoopState, "completion_promise" | "promise_mode" | "promise_guard" | "solo" | "checks"> {
  return {
    completion_promise: promise.text,
    promise_mode: promise.mode,
    promise_guard: promise.guard,
    solo: { done_token: doneToken },
    checks: {
      success_cmd: checks.successCommand,
      success_sh: checks.successShell,
      quality_commands: checks.quality,
      ci_workflow: checks.ci,
    },
  };
}

function beginSession(runtime: Runtime): AgentState {
  return {
    ...NO_SESSION,
    model: runtime.model,
    sandbox: runtime.sandbox,
    approval: runtime.approval,
    profile: runtime.profile,
  };
}

function beginTodo(event: LoopStarted): LoopState["todo"] {
  const { todo } = event.identity;
  if (todo === null) return null;
  return {
    path: todo.path,
    hard_stop_token: todo.token,
    hard_stop_mode: todo.mode,
    hard_stop_when: todo.when,
    paused_for_hard_stop: false,
    seen: event.hard_stops.slice(-KEPT_HARD_STOPS),
    acknowledged: [],
  };
}

function beginPlan({ identity: { plan }, tally }: LoopStarted): LoopState["plan"] {
  if (plan === null) return null;
  const { items, ticked } = tally ?? { items: 0, ticked: 0 };
  return { path: plan.path, agent_file: plan.agentFile, items, ticked, most_items: items };
}

/** What goes on will have another ending. */
function withoutArrears(known: GithubTies | null): GithubTies | null {
  if (known === null) return null;
  const { unpublished: _former, ...ties } = known;
  return ties;
}

/** What the loop has on GitHub when a run begins. Another branch is another beginning. */
export function tiesOf(known: GithubTies | null, task: GithubTask | null): GithubTies | null {
  if (task === null) return withoutArrears(known);
  const { branch, pullRequest, askedBy, request, continuations } = task;
  const same = known?.branch === branch ? known : null;
  return {
    branch,
    head: same?.head ?? null,
    pull_request: pullRequest ?? same?.pull_request ?? null,
    authorised_by: askedBy ?? known?.authorised_by ?? null,
    obeyed: request ?? known?.obeyed ?? null,
    continuations,
  };
}
