import { totalTokens } from "../agent.ts";
import { countBlocked } from "../claim/blocked-streak.ts";
import { countContradicted } from "../claim/contradictions/contradiction.ts";
import { keepLearned } from "../claim/read-claim.ts";
import { admittedIn, countSignals, saysDone } from "../claim/effective-claim.ts";
import type { Spent } from "../cost/spent.ts";
import { type Signals, KEPT_ITERATIONS, type IterationRecord, type LoopState } from "../state.ts";
import type { TurnEnded } from "../events.ts";
import { countTurn } from "../stop/check-when.ts";
import { AFTER_FAILURE } from "../stop/stuck.ts";
import { endSession } from "../session.ts";
import { limitOf } from "../stop/wait.ts";
import { AGENT_STATE } from "../names.ts";
import { holdHead, withUndone } from "../story/stories.ts";
import { refundAttempt } from "./stories.ts";

/** The turn's result is in the state before any check runs. */
export function endTurn(state: LoopState, event: TurnEnded): LoopState {
  const { failure, usage, tally } = event;
  const { plan } = state;
  const stories = withUndone(holdHead(state.stories, event.snapshot), event.undone ?? []);
  const phase = failure === null ? "unproved" : AFTER_FAILURE[failure.kind].phase;
  const claimed = failure === null && saysDone(event.claim, tally ?? plan);
  const refunded = phase === "ready" || phase === "settled";
  return {
    ...state,
    phase,
    iteration: refunded ? state.iteration - 1 : state.iteration,
    [AGENT_STATE]: endSession(state[AGENT_STATE], event),
    last_result: { exit_code: event.exit_code, detected_promise: event.claim.detected },
    last_turn: {
      iteration: event.iteration,
      ended_at: event.at,
      failure,
      claim: event.claim,
      summary: event.summary,
      change: event.change,
      denied: event.denied,
      ...(event.cost === undefined ? {} : { cost: event.cost }),
      ...(state.stories?.active ? { item: state.stories.active } : {}),
      ...(event.pending === undefined ? {} : { pending: event.pending }),
      ...(event.undone === undefined ? {} : { undone: event.undone }),
      ...(event.contradictions === undefined ? {} : { contradictions: event.contradictions }),
    },
    // A turn that did not happen told the agent nothing, and does not count as a missing block.
    guidance: phase === "unproved" ? null : state.guidance,
    signals: phase === "unproved" ? signalsOf(state, event) : state.signals,
    learned: keepLearned(state.learned, event.claim.notes),
    admissions: state.admissions + (failure === null && admittedIn(event.claim, tally ?? plan) !== null ? 1 : 0),
    contradicted: countContradicted(state.contradicted, claimed ? (event.contradictions ?? []) : null),
    lists: event.lists ?? state.lists,
    appeals: refunded ? state.appeals : countBlocked(state.appeals, event),
    stories: refunded || endsWithoutWork(failure) ? refundAttempt(stories) : stories,
    plan: tally && plan ? { ...plan, ...tally, most_items: Math.max(plan.most_items, tally.items) } : plan,
    turn_tokens: totalTokens(usage),
    verdict: null,
    failing: null,
    failure_signature: null,
    since_asked: refunded ? state.since_asked : countTurn(state.since_asked, event),
    // What the checks said before a turn that did not come about still holds.
    strength: refunded ? state.strength : { ...state.strength, weaknesses: [], tampering: null, tree: null },
    snapshot: event.snapshot ?? state.snapshot,
    boundary: {
      ...state.boundary,
      refused: event.refused ?? null,
      turns: event.refused === undefined ? 0 : state.boundary.turns + (refunded ? 0 : 1),
    },
    not_before: failure === null ? null : limitOf(failure, event.at),
    spent: withTurn(state.spent, event),
  };
}

/** Totals with one more turn. */
function withTurn(spent: Spent, { usage, cost, duration_ms: ms }: TurnEnded): Spent {
  return {
    ...spent,
    turns: spent.turns + 1,
    tokens: spent.tokens + totalTokens(usage),
    input_tokens: spent.input_tokens + usage.input,
    cached_input_tokens: spent.cached_input_tokens + usage.cachedInput,
    output_tokens: spent.output_tokens + usage.output,
    turn_ms: spent.turn_ms + ms,
    cost: spent.cost + (cost ?? 0),
    priced_turns: spent.priced_turns + (cost === undefined ? 0 : 1),
  };
}

/** Whether the turn says nothing of the work: what ended it has nothing to do with that. */
function endsWithoutWork(failure: TurnEnded["failure"]): boolean {
  return failure !== null && (failure.kind === "cancelled" || AFTER_FAILURE[failure.kind].ending !== null);
}

/** A turn that was cut off makes no claim (section 4.3), so it does not indicate completion either (C5). */
function signalsOf({ signals, status_block: block }: LoopState, { claim, failure }: TurnEnded): Signals {
  const counted = countSignals(signals, claim, block !== "off");
  return failure === null ? counted : { ...counted, done: 0 };
}

/** Closes the iteration that is in flight and keeps its line in the history. */
export function record(
  state: LoopState,
  end: Pick<IterationRecord, "ended_at" | "agent" | "tokens"> & { readonly commit?: string | null },
): LoopState {
  const turn = end.agent === "abandoned" ? null : state.last_turn;
  const line: IterationRecord = {
    iteration: state.iteration,
    started_at: state.iteration_started_at ?? end.ended_at,
    ended_at: end.ended_at,
    agent: end.agent,
    claimed: turn !== null && turn.failure === null && saysDone(turn.claim, state.plan),
    checks: turn === null ? "none" : (state.verdict?.result ?? "none"),
    files_changed: turn?.change?.files ?? null,
    lines_added: turn?.change?.added ?? 0,
    lines_removed: turn?.change?.removed ?? 0,
    tokens: end.tokens,
    ...(state.review.open_tokens === 0 ? {} : { review_tokens: state.review.open_tokens }),
    ...(turn?.cost === undefined ? {} : { cost: turn.cost }),
    ...(turn === null || state.failing === null ? {} : { failing_tests: state.failing.failing_count }),
    commit: end.commit ?? null,
  };
  const review = { ...state.review, open_tokens: 0 };
  return { ...state, review, iterations: [...state.iterations, line].slice(-KEPT_ITERATIONS) };
}
