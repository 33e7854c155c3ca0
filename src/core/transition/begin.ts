import { NOT_CONTRADICTED } from "../claim/contradictions/contradiction.ts";
import { NOTHING_SPENT } from "../cost/spent.ts";
import {
  NOT_BLOCKED_YET,
  NO_SIGNALS,
  CLOSED,
  NO_CALLS,
  type GithubLink,
  KEPT_HARD_STOPS,
  PROMPT_IN_STATE,
  type LoopState,
  type Todo,
  type AgentState,
} from "../state.ts";
import type { LoopStarted, LoopResumed } from "../events.ts";
import { PROMPT_FILE, SUMMARY_FILE, AGENT_STATE } from "../names.ts";
import { NO_SESSION } from "../session.ts";
import type { GithubTask, Runtime, TaskIdentity } from "../task.ts";
import { holdHead, reconcile, standOn, type Stories } from "../story/stories.ts";
import { withBetween } from "../recover/between-runs.ts";
import { startCounters, treeName } from "../progress/counters.ts";
import { NEVER_ASKED } from "../stop/check-when.ts";
import { beginRepair } from "../repair/repair.ts";
import { NOT_REVIEWED } from "../review/review.ts";
import { withoutVetoes } from "../review/standing.ts";
import { NOTHING_JUDGED, type Strength } from "../verdict.ts";

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
    [AGENT_STATE]: { ...NO_SESSION, ...calledWith(runtime) },
    todo: beginTodo(event),
    plan: beginPlan(event),
    stories: event.stories === undefined ? null : standOn(reconcile(null, event.stories, event.at), event.snapshot),
    artifacts: { dir: event.artifacts_dir, last_message_path: null, jsonl_path: null, summary_json_path: SUMMARY_FILE },
    last_result: null,
    iteration_started_at: null,
    last_turn: null,
    status_block: runtime.statusBlock,
    signals: NO_SIGNALS,
    appeals: NOT_BLOCKED_YET,
    admissions: 0,
    contradicted: NOT_CONTRADICTED,
    lists: event.lists ?? [],
    learned: [],
    progress: startCounters(event.snapshot && treeName(event.snapshot), event.tally?.ticked),
    circuit: CLOSED,
    turn_tokens: 0,
    first_check: null,
    verdict: null,
    failing: null,
    since_asked: NEVER_ASKED,
    failure_signature: null,
    baseline: null,
    ...{ strength: NOTHING_JUDGED, review: NOT_REVIEWED, snapshot: event.snapshot },
    boundary: { begun: event.snapshot, refused: null, turns: 0 },
    repair: event.repair === undefined ? null : beginRepair(event.repair, 0, event.snapshot?.tree ?? null),
    between: null,
    spent: NOTHING_SPENT,
    iterations: [],
    rate: NO_CALLS,
    not_before: null,
    error_resumes: 0,
    github: linkOf(null, event.github),
    guidance: event.guidance,
  };
}

function taskFields({ promise, doneToken, checks }: TaskIdentity) {
  return {
    completion_promise: promise.text,
    promise_mode: promise.mode,
    promise_guard: promise.guard,
    promise_guard_set: promise.isGuardSet ?? false,
    solo: { done_token: doneToken },
    checks: {
      success_cmd: checks.successCommand,
      success_sh: checks.successShell,
      quality_commands: checks.quality,
      ci_workflow: checks.ci,
    },
  };
}

function calledWith({ model, sandbox, approval, profile }: Runtime): Omit<AgentState, keyof typeof NO_SESSION> {
  return { model, sandbox, approval, profile };
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

/** What the loop has on GitHub when a run begins. Another branch is another beginning. */
function linkOf(known: GithubLink | null, task: GithubTask | null): GithubLink | null {
  if (task === null) {
    if (known === null) return null;
    // What goes on will have another ending.
    const { unpublished: _former, ...link } = known;
    return link;
  }
  const { branch, pullRequest, issue = known?.issue, review = known?.review, askedBy, request, continuations } = task;
  const same = known?.branch === branch ? known : null;
  return {
    branch,
    head: same?.head ?? null,
    pull_request: pullRequest ?? same?.pull_request ?? null,
    authorised_by: askedBy ?? known?.authorised_by ?? null,
    obeyed: request ?? known?.obeyed ?? null,
    continuations,
    ...(issue === undefined ? {} : { issue }),
    ...(review === undefined ? {} : { review }),
  };
}

/**
 * A stopped loop goes on: rules that look back may not look past this moment, and only a person's resume acknowledges
 * the hits that the loop was paused for (C10). After a crash nothing was stopped, so nothing is forgiven; nor after a
 * refused commit, because only that kept the loop from its ending. Another provider has neither the session nor the
 * limit of the one before.
 */
export function resume(state: LoopState, event: LoopResumed): LoopState {
  const judged = state.status === "running" || state.stop_reason?.kind === "commit_refused";
  const { circuit } = state;
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
    [AGENT_STATE]: { ...state[AGENT_STATE], ...(moved ? NO_SESSION : {}), ...calledWith(event.runtime) },
    todo: state.todo === null ? null : acknowledge(state.todo, state, event),
    stories: resumedStories(state, event),
    snapshot: event.snapshot ?? state.snapshot,
    boundary: {
      begun: state.boundary.begun ?? event.snapshot,
      refused: event.refused ?? null,
      // A person who lets it go on gives the agent another try.
      turns: event.refused === undefined || (event.by === "person" && !judged) ? 0 : state.boundary.turns,
    },
    repair: resumedRepair(state, event),
    between: withBetween(state.between, event.between ?? null),
    first_check: null,
    verdict: state.verdict?.result === "unrunnable" ? null : state.verdict,
    not_before: state.not_before?.why === "interval" || moved ? null : state.not_before,
    spent: { ...state.spent, resumes: state.spent.resumes + 1 },
    // A person who lets it go on has answered.
    ...(event.by === "person" && !judged
      ? {
          appeals: NOT_BLOCKED_YET,
          admissions: 0,
          review: withoutVetoes(state.review),
          contradicted: NOT_CONTRADICTED,
          progress: { ...state.progress, denied: [], denied_again: 0 },
        }
      : {}),
    strength: resumedStrength(state.strength, event, judged),
    lists: event.lists ?? state.lists,
    // An open circuit takes one more iteration when a person lets it: without progress it opens again.
    circuit: event.by === "person" && circuit.state === "OPEN" ? { ...circuit, state: "HALF_OPEN" } : circuit,
    error_resumes: state.status === "error" ? state.error_resumes + 1 : state.error_resumes,
    github: linkOf(state.github, event.github),
    guidance: event.guidance ?? state.guidance,
  };
}

/** A run that has failed once is one failure, however often its repair begins. */
function resumedRepair({ repair: known, iteration, phase }: LoopState, event: LoopResumed): LoopState["repair"] {
  const { repair: named, snapshot } = event;
  const isSame = named?.run.id === known?.run.id && named?.run.attempt === known?.run.attempt;
  if (named === undefined || isSame) return known;
  // Work of a turn that waits for its proof may be the repair.
  const isBetweenTurns = phase === "ready" || phase === "settled";
  return beginRepair(named, iteration, isBetweenTurns ? (snapshot?.tree ?? null) : null);
}

function resumedStrength(strength: Strength, { by, accepts, at }: LoopResumed, judged: boolean): Strength {
  return {
    ...strength,
    refused: by === "person" && !judged ? 0 : strength.refused,
    accepted: accepts === undefined ? strength.accepted : { ...accepts, at },
  };
}

/**
 * Whoever lets a stopped loop go on has HEAD where it is to be. Of a run that died nobody has said so: its turn may have
 * moved it, except on another machine, whose checkout is new.
 */
function resumedStories(state: LoopState, { stories: read, snapshot, at }: LoopResumed): Stories | null {
  const known = read === undefined ? state.stories : reconcile(state.stories, read, at);
  if (known === null) return null;
  const { status, phase, github } = state;
  // Its commit may be made and not noted; whoever makes it looks.
  if (status === "running" && phase === "unsettled") return known;
  const isOfTurn = status === "running" && github === null && (phase === "unproved" || known.moved !== undefined);
  return isOfTurn ? holdHead(known, snapshot) : standOn(known, snapshot);
}

function acknowledge(todo: Todo, state: LoopState, event: LoopResumed): Todo {
  if (state.stop_reason?.kind !== "hard_stop" || event.by !== "person") return todo;
  const confirmed = new Set([...todo.acknowledged, ...state.stop_reason.hits.map((hit) => hit.id)]);
  return { ...todo, paused_for_hard_stop: false, acknowledged: [...confirmed].slice(-KEPT_HARD_STOPS) };
}
