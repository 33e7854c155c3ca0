import type { FailureKind } from "../agent.ts";
import { REFUSALS_THAT_STOP } from "../boundary.ts";
import type { StopReason } from "../outcome.ts";
import type { LoopState, Phase } from "../state.ts";
import { BLOCKED_THAT_STOPS, blockedBecause, questionOf } from "../claim/blocked-streak.ts";
import { stop, type StopRule } from "./rule.ts";

/**
 * What follows a failed turn.
 *
 * - `phase`: `unproved`: the tree may still be good, so the checks run; `unsettled`: nothing to prove, the iteration is
 *   closed; `settled` and `ready`: nothing was spent, the iteration does not count
 * - `ending`: how the loop ends; null: it does not, the next iteration tries again, and the caps bound it. Limits of
 *   the provider are left to PRE 11, since their iteration is refunded (POST 3)
 */
export const AFTER_FAILURE = {
  not_installed: { phase: "settled", ending: "config" },
  sandbox_broken: { phase: "settled", ending: "sandbox_broken" },
  auth: { phase: "unsettled", ending: "auth" },
  bad_request: { phase: "unsettled", ending: "config" },
  rate_limited: { phase: "ready", ending: null },
  usage_limit: { phase: "ready", ending: null },
  overloaded: { phase: "unsettled", ending: "provider" },
  transport: { phase: "unsettled", ending: "provider" },
  busy: { phase: "unsettled", ending: "provider" },
  crashed: { phase: "unsettled", ending: "provider" },
  protocol: { phase: "unsettled", ending: "provider" },
  session_lost: { phase: "unsettled", ending: "provider" },
  cancelled: { phase: "unsettled", ending: null },
  truncated: { phase: "unproved", ending: null },
  timed_out: { phase: "unproved", ending: null },
  token_limit: { phase: "unproved", ending: null },
  idle: { phase: "unproved", ending: null },
  context_full: { phase: "unproved", ending: null },
} as const satisfies Record<FailureKind, { readonly phase: Phase; readonly ending: StopReason["kind"] | null }>;

export function endsLoop(kind: FailureKind): boolean {
  return AFTER_FAILURE[kind].ending !== null;
}

/** POST 2 and POST 4: what no retry can mend, and what retries did not mend. */
export const turnFailed: StopRule = (_task, state) => {
  const failure = state.last_turn?.failure ?? null;
  if (failure === null) return undefined;
  const kind = beginsFull(state) ? "config" : AFTER_FAILURE[failure.kind].ending;
  return kind === null ? undefined : stop({ kind, failure });
};

/**
 * Whether fresh sessions, twice in a row, were full before they had changed anything: what every session begins with does
 * not fit, so that a third would fare no better (C2).
 */
function beginsFull({ iterations }: LoopState): boolean {
  const isIdle = iterations.map(({ agent, files_changed: files }) => agent === "context_full" && files === 0);
  return isIdle.length >= 2 && !isIdle.slice(-2).includes(false);
}

/** POST 4a: a second turn has left a change that the agent may not make, or too much of it (T17). */
export const overstepped: StopRule = (_task, { boundary: { refused, turns } }) =>
  refused === null || turns < REFUSALS_THAT_STOP ? undefined : stop(refused);

/** PRE 7, POST 11: the circuit is open (R-11, R-29, L-24); it stays so over runs and machines. */
export const circuitOpen: StopRule = (_task, { circuit: { state, trigger, count } }) =>
  state === "OPEN" && trigger !== null ? stop({ kind: trigger, count }) : undefined;

/** POST 10: BLOCKED two iterations running with the same reason (W-51). */
export const agentBlocked: StopRule = (_task, { appeals, last_turn: turn }) => {
  const why = turn && blockedBecause(turn.claim);
  return why === null || appeals.blocked < BLOCKED_THAT_STOPS ? undefined : stop({ kind: "agent_blocked", why });
};

/** Section 4.5: two turns in a row whose last message ends in a question, without a change. */
export const asksInstead: StopRule = (_task, { appeals, last_turn: turn }) => {
  const question = turn && questionOf(turn.summary);
  return question === null || appeals.questions < BLOCKED_THAT_STOPS ? undefined : stop({ kind: "question", question });
};

/**
 * POST 8: a command was declined or a permission denied, and the iteration made no progress; or the same was denied in
 * the turn before, and the checks got no further since, whatever the tree says (C33).
 */
export const permissionDenied: StopRule = (_task, { last_turn: turn, progress }) => {
  const denied = turn?.denied ?? [];
  const isStuck = progress.no_progress > 0 || progress.denied_again > 0;
  return denied.length > 0 && isStuck ? stop({ kind: "permission_denied", denied }) : undefined;
};
