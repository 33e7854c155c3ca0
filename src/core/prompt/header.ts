import { promiseToken } from "../claim/promise.ts";
import { workUntil } from "../task.ts";
import type { Brief } from "./brief.ts";

/** Part 1: where the loop stands and how it ends (W-49). */
export function header(brief: Brief): string {
  const { task, state } = brief;
  const { mode, text } = task.identity.promise;
  const promise =
    mode === "off"
      ? "Promise: none; the checks alone decide."
      : `Promise mode: ${mode}. Promise: ${promiseToken(task.identity.promise) ?? `a last line matching /${text}/`}`;
  return [
    "# smithers/loop",
    `Loop ${state.loop_id}, iteration ${state.iteration} of ${state.max_iterations}, mode prompt.`,
    `Left: ${left(brief).join(", ")}.`,
    promise,
  ].join("\n");
}

function left({ task, state, now }: Brief): readonly string[] {
  const until = workUntil(task.limits);
  const { maxTokens, maxIterations } = task.limits;
  return [
    `${Math.max(0, maxIterations - state.iteration)} more iterations`,
    until === null ? "no time limit" : `${Math.max(0, Math.floor((until - now) / 60_000))} minutes`,
    maxTokens === null ? "no token limit" : `${Math.max(0, maxTokens - state.spent.tokens)} tokens`,
  ];
}

/** A budget counts as near its end from here on. */
const NEAR_TOKENS = 0.9;

/** What an agent has to hear when there may be no further iteration; "" otherwise. */
export function budgetNote({ task, state, now }: Brief): string {
  const { maxTokens, maxIterations, iterationTimeoutMs } = task.limits;
  const until = workUntil(task.limits);
  const near =
    state.iteration >= maxIterations ||
    (maxTokens !== null && state.spent.tokens >= maxTokens * NEAR_TOKENS) ||
    (until !== null && until - now < iterationTimeoutMs);
  if (!near) return "";
  return "The budget is nearly used up. Leave the tree consistent and write down what is left under NOTES; do not claim completion because the budget is short.";
}
