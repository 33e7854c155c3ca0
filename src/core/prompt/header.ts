import { type Item, type Task, workUntil } from "../task.ts";
import { tokensOf } from "../review/standing.ts";
import { workedMs } from "../cost/spent.ts";
import type { LoopState, CircuitTrigger } from "../state.ts";
import { promiseToken } from "../claim/promise.ts";

export interface Brief {
  readonly task: Task;
  /** the state after `turn_started`: `iteration` is the one that begins */
  readonly state: LoopState;
  readonly item: Item;
  readonly now: number;
}

/** Part 1: where the loop is, what limits it, and how it ends (W-49). */
export function header(brief: Brief): string {
  const { task, state } = brief;
  const { plan, prd } = task.identity;
  const { mode, text } = task.identity.promise;
  const promise =
    mode === "off"
      ? `Promise: none; ${plan === null ? "the checks alone decide" : `the loop ends when every item of ${plan.path} is ticked and the checks agree`}.`
      : `Promise mode: ${mode}. Promise: ${promiseToken(task.identity.promise) ?? `a last line matching /${text}/`}`;
  const token = task.identity.doneToken;
  return [
    "# smithers/loop",
    `Loop ${state.loop_id}, iteration ${state.iteration} of ${state.max_iterations}, mode ${prd !== null ? "prd" : plan === null ? "prompt" : "plan"}.`,
    `Left: ${left(brief).join(", ")}.`,
    ...(mode === "off" && token !== null ? [] : [promise]),
  ].join("\n");
}

function left(brief: Brief): readonly string[] {
  const { task, state } = brief;
  const ms = msLeft(brief);
  const { maxTokens, maxIterations } = task.limits;
  return [
    `${Math.max(0, maxIterations - state.iteration)} more iterations`,
    ...(ms === Infinity ? [] : [`${Math.max(0, Math.floor(ms / 60_000))} minutes`]),
    ...(maxTokens === null ? [] : [`${Math.max(0, maxTokens - tokensOf(state))} tokens`]),
  ];
}

/** Until this run's or the loop's time is over, whichever comes first; Infinity: no limit. */
function msLeft({ task: { limits }, state, now }: Brief): number {
  return Math.min((workUntil(limits) ?? Infinity) - now, (limits.maxTotalMs ?? Infinity) - workedMs(state.spent));
}

const NEAR_TOKENS = 0.9;

/** Tells an agent that there may be no further iteration; "" otherwise. */
export function budgetNote(brief: Brief): string {
  const { task, state } = brief;
  const { maxTokens, maxIterations, iterationTimeoutMs } = task.limits;
  const near =
    state.iteration >= maxIterations ||
    (maxTokens !== null && tokensOf(state) >= maxTokens * NEAR_TOKENS) ||
    msLeft(brief) < iterationTimeoutMs;
  if (!near) return "";
  return "The budget is nearly used up. Leave the tree consistent and write down what is left under NOTES; do not claim completion because the budget is short.";
}

const TRIGGERS = {
  no_progress: "without progress",
  same_error: "that failed in the same way, or in the same few ways by turns",
  test_loops: "that changed nothing but tests",
  missing_status: "without the status block",
} as const satisfies Record<CircuitTrigger, string>;

/** Tells an agent that the circuit is half open, before it opens (C6); "" otherwise. */
export function corrective({ state: { circuit } }: Brief): string {
  if (circuit.trigger === null) return "";
  const iterations = circuit.count === 1 ? "1 iteration" : `${circuit.count} iterations`;
  return `${iterations} ${TRIGGERS[circuit.trigger]}: take a different approach or report BLOCKED. The loop stops when it goes on like this.`;
}
