import type { EventOf, LoopEvent } from "./events.ts";
import { lastMessageName, rawEventsName, AGENT_STATE } from "./names.ts";
import type { HardStopHit } from "./hard-stop.ts";
import { resetCounters } from "./progress/counters.ts";
import { CLOSED, KEPT_HARD_STOPS, type LoopState, isUntouched } from "./state.ts";
import { countProof } from "./progress/strength.ts";
import { seenHere } from "./repair/repair.ts";
import { countReview, withoutVetoes } from "./review/standing.ts";
import { tailOf } from "./text.ts";
import { countAsked } from "./stop/check-when.ts";
import { countCall } from "./stop/wait.ts";
import { NO_SESSION } from "./session.ts";
import { begin, resume } from "./transition/begin.ts";
import { endTurn, record } from "./transition/end-turn.ts";
import { endStory, examineStory, giveUpStory, ruleStory, shelveStory, startStory } from "./transition/stories.ts";
import { holdHead } from "./story/stories.ts";
import { outcomeOf } from "./outcome.ts";
import type { Verdict } from "./verdict.ts";
import type { Ports } from "./ports.ts";

const KEPT_OUTPUT = 6144; // the state keeps at most this much output of a verdict's checks (UTF-16 units)

/**
 * The next state: the only place where a loop's state changes. Pure; the same events give the same state.
 *
 * @param state undefined only for the `loop_started` event
 * @throws Error when a loop that was never started gets another event, which is a bug
 */
export function transition(state: LoopState | undefined, event: LoopEvent): LoopState {
  if (event.type === "loop_started") return begin(event);
  if (state === undefined) throw new Error(`The event ${event.type} came before the loop was started.`);
  return { ...apply(state, event), revision: state.revision + 1, updated_at: event.at };
}

function apply(state: LoopState, event: Exclude<LoopEvent, { type: "loop_started" }>): LoopState {
  switch (event.type) {
    case "loop_resumed":
      return resume(state, event);
    case "turn_abandoned":
      return {
        ...record(state, { ended_at: event.at, agent: "abandoned", tokens: 0, commit: event.commit ?? null }),
        phase: "ready",
        snapshot: event.snapshot ?? state.snapshot,
        between: leftBetween(state, event.commit ?? null),
        stories: state.github === null ? holdHead(state.stories, event.snapshot ?? null) : state.stories,
      };
    case "turn_started":
      return startTurn(state, event);
    case "session_opened":
      return openSession(state, event);
    case "turn_ended":
      return endTurn(state, event);
    case "proved":
      return prove(state, event);
    case "reviewed":
      return { ...state, review: countReview(state, event) };
    case "wait_started":
      return state;
    case "settled":
      return settle(state, event);
    case "story_examined":
      return examineStory(state, event);
    case "story_given_up":
      return giveUpStory(state, event);
    case "story_shelved":
      return shelveStory(state, event);
    case "story_ruled":
      return ruleStory(state, event);
    case "loop_stopped":
      return stop(state, event);
    case "reset":
      return reset(state, event);
    case "published":
      return publish(state, event);
  }
}

function startTurn(before: LoopState, event: EventOf<"turn_started">): LoopState {
  const state = startStory(before, event);
  const agent = state[AGENT_STATE];
  return {
    ...state,
    phase: "turn",
    iteration: event.iteration,
    iteration_started_at: event.at,
    rate: countCall(state.rate, event.at),
    not_before: null,
    [AGENT_STATE]: event.session === "fresh" ? { ...agent, ...NO_SESSION } : agent,
    artifacts: {
      ...state.artifacts,
      last_message_path: lastMessageName(event.iteration),
      jsonl_path: rawEventsName(event.iteration),
    },
  };
}

function openSession(state: LoopState, event: EventOf<"session_opened">): LoopState {
  if (event.session_id === state[AGENT_STATE].session_id) return state;
  const agent = { ...state[AGENT_STATE], session_id: event.session_id, session_iterations: 0, session_usage: null };
  return { ...state, [AGENT_STATE]: agent };
}

/**
 * A verdict is about the current work, hence about the last turn, if there was one. The first one of a run is its first
 * check, even when it is for a turn of an earlier run (PRE 6). Checks that were cut off say nothing.
 */
function prove(state: LoopState, event: EventOf<"proved">): LoopState {
  const verdict = bounded(event.verdict);
  const checked = verdict.checks.reduce((sum, check) => sum + check.durationMs, 0);
  const isCut = verdict.result === "cut_off";
  const paid = {
    spent: { ...state.spent, check_ms: state.spent.check_ms + checked },
    since_asked: countAsked(state.since_asked, verdict.checks, state.checks.quality_commands, isCut),
  };
  if (isCut) return { ...state, ...paid };
  return {
    ...state,
    ...paid,
    // What was not claimed is not proved (C30): a plan that is ticked off later is asked about by itself.
    first_check: state.first_check ?? (verdict.occasion === undefined ? verdict : null),
    ...(state.last_turn === null
      ? { verdict: null, failing: null, failure_signature: null }
      : { verdict, failing: event.failing, failure_signature: event.signature }),
    baseline: isUntouched(state) ? event.failing : state.baseline,
    repair: seenHere(state, verdict.result),
    strength: countProof(state, event),
    phase: state.phase === "unproved" && verdict.result !== "unrunnable" ? "unsettled" : state.phase,
  };
}

function bounded(verdict: Verdict): Verdict {
  const limit = Math.floor(KEPT_OUTPUT / Math.max(1, verdict.checks.length));
  return { ...verdict, checks: verdict.checks.map((check) => ({ ...check, tail: tailOf(check.tail, limit) })) };
}

function settle(state: LoopState, event: EventOf<"settled">): LoopState {
  const turn = state.last_turn;
  const closed = record(state, {
    ended_at: event.at,
    agent: turn?.failure?.kind ?? "ok",
    tokens: state.turn_tokens,
    commit: event.commit,
  });
  return {
    ...endStory(closed, event),
    phase: "settled",
    snapshot: event.snapshot ?? state.snapshot,
    progress: event.progress,
    circuit: event.circuit,
    review: event.story === undefined ? closed.review : withoutVetoes(closed.review),
    between: leftBetween(state, event.commit),
    error_resumes: turn?.failure === null ? 0 : state.error_resumes,
    todo: state.todo === null ? null : { ...state.todo, seen: seen(state.todo.seen, event.hard_stops) },
    not_before: event.next_at === null ? null : { until: event.next_at, why: "interval", message: "" },
  };
}

/** A commit takes in everything. */
function leftBetween({ between }: LoopState, commit: string | null): LoopState["between"] {
  return commit === null ? between : null;
}

/** The newest sight of each hit; the oldest hits go first when there are too many. */
function seen(known: readonly HardStopHit[], current: readonly HardStopHit[]): readonly HardStopHit[] {
  const hits = new Map([...known, ...current].map((hit) => [hit.id, hit]));
  return [...hits.values()].slice(-KEPT_HARD_STOPS);
}

function stop(state: LoopState, event: EventOf<"loop_stopped">): LoopState {
  const { reason } = event;
  return {
    ...state,
    status: outcomeOf(reason).status,
    stop_reason: reason,
    between: leftBetween(state, event.commit),
    todo: state.todo === null ? null : { ...state.todo, paused_for_hard_stop: reason.kind === "hard_stop" },
  };
}

/** A circuit that is closed by hand restarts its counts, in a fresh session (C2). */
function reset(state: LoopState, { what }: EventOf<"reset">): LoopState {
  const agent = { ...state[AGENT_STATE], ...NO_SESSION };
  if (what === "session") return { ...state, [AGENT_STATE]: agent };
  return {
    ...state,
    [AGENT_STATE]: agent,
    circuit: CLOSED,
    progress: resetCounters(state.progress),
    signals: { ...state.signals, missing: 0 },
  };
}

function publish(state: LoopState, { head, pull_request, continues, unpublished }: EventOf<"published">): LoopState {
  if (state.github === null) return state;
  const { unpublished: _former, ...github } = state.github;
  const continuations = github.continuations + (continues ? 1 : 0);
  const left = unpublished === undefined ? {} : { unpublished };
  return { ...state, github: { ...github, head: head ?? github.head, pull_request, continuations, ...left } };
}

/** Writes an event together with the state it leads to, then tells the reporters. Resolves with that state. */
export type Commit = (event: LoopEvent) => Promise<LoopState>;

/** The only way in which a loop's state changes during a run. @param stored as loaded; undefined for one that begins */
export function committer(
  { store, reporter }: Pick<Ports, "store" | "reporter">,
  stored: LoopState | undefined,
): Commit {
  let state = stored;
  return async (event) => {
    const next = transition(state, event);
    await store.append(event, next);
    state = next;
    reporter.report(event, next);
    return next;
  };
}
