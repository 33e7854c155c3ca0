import {
  addUsage,
  type AgentEvent,
  NO_USAGE,
  type ProviderFailure,
  type TurnCompleted,
  type TurnFailed,
  type TurnRequest,
  type Usage,
} from "../core/agent.ts";
import type { Config } from "../config/config.ts";
import type { Clock, Provider } from "../core/ports.ts";
import { failure } from "./agent.ts";

/** How often a turn is tried again, and with which pauses. */
export interface RetryOptions {
  /** the wait before each further attempt, in milliseconds (D-36: 0, 5000, 15000) */
  readonly delaysMs: readonly number[];
  readonly clock: Clock;
}

const SECOND_MS = 1000;

/** The pause before each further attempt, in milliseconds; the last one that is set is for all that follow. */
export function retryDelays({
  retries,
  retryDelaySeconds,
}: Pick<Config, "retries" | "retryDelaySeconds">): readonly number[] {
  const pauses = retryDelaySeconds.map((seconds) => Math.round(Number(seconds) * SECOND_MS));
  return Array.from({ length: retries }, (_, nth) => pauses[nth] ?? pauses.at(-1) ?? 0);
}

/**
 * A provider that says what each attempt cost. An agent that says so itself is believed; what it used is priced
 * otherwise.
 *
 * @param priced what a use costs in millionths of a USD, by the agent's name, null: the settings' own; undefined: not known
 */
export function withCost(
  provider: Provider,
  priced: (agent: string | null, usage: Usage) => number | undefined,
): Provider {
  return {
    name: provider.name,
    preflight: (signal) => provider.preflight(signal),
    async *runTurn(request, signal) {
      for await (const event of provider.runTurn(request, signal)) yield withCostOf(event, request.provider ?? null);
    },
  };

  function withCostOf(event: AgentEvent, agent: string | null): AgentEvent {
    const isEnd = event.type === "turn.completed" || event.type === "turn.failed";
    if (!isEnd || event.cost !== undefined) return event;
    const cost = priced(agent, event.usage);
    return cost === undefined ? event : { ...event, cost };
  }
}

/**
 * Tries a turn again when its failure is retryable (D-36), so that the loop never has to.
 *
 * A further attempt resumes the session that the failed one has opened, with one line instead of the whole prompt. The
 * request's time-out holds for all attempts together, and the usage of failed attempts counts. A limit that ends later
 * than the longest delay left is passed on at once: the loop waits for it.
 */
export function withRetry(provider: Provider, options: RetryOptions): Provider {
  return {
    name: provider.name,
    preflight: (signal) => provider.preflight(signal),
    runTurn: (request, signal) => runTurn(provider, options, request, signal),
  };
}

async function* runTurn(
  provider: Provider,
  { delaysMs, clock }: RetryOptions,
  request: TurnRequest,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent> {
  const deadline = clock.now() + request.timeoutMs;
  let attempt = request;
  let spent = NO_USAGE;
  let cost: number | undefined = 0;
  let sessionUsage: Usage | null = null;
  for (let number = 1; ; number += 1) {
    const { end, sessionId } = yield* runAttempt(provider, attempt, spent, signal);
    spent = addUsage(spent, end.usage);
    // One attempt whose cost is not known makes that of all unknown.
    cost = cost === undefined || end.cost === undefined ? undefined : cost + end.cost;
    sessionUsage = end.sessionUsage ?? sessionUsage;
    const { cost: _, ...ended } = end;
    const total = { ...ended, usage: spent, sessionUsage, ...(cost === undefined ? {} : { cost }) };
    if (total.type === "turn.completed" || signal.aborted) return yield total;

    const now = clock.now();
    const delayMs = delayBefore(total.failure, delaysMs.slice(number - 1), now);
    if (delayMs === undefined || now + delayMs >= deadline) return yield total;
    yield { type: "turn.retrying", failure: total.failure, attempt: number + 1, delayMs };
    await clock.sleepUntil(now + delayMs, signal);
    if (signal.aborted)
      return yield { ...total, failure: failure("cancelled", "The turn was ended before its retry.") };

    if (sessionId !== null) attempt = continued(attempt, sessionId, total.failure.kind, end);
    attempt = { ...attempt, timeoutMs: deadline - clock.now() };
  }
}

/** Passes on everything but the ending, which is judged here. @param spent by earlier attempts of the turn */
async function* runAttempt(
  provider: Provider,
  request: TurnRequest,
  spent: Usage,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, { end: TurnCompleted | TurnFailed; sessionId: string | null }> {
  let end: TurnCompleted | TurnFailed | undefined;
  let sessionId: string | null = null;
  for await (const event of provider.runTurn(request, signal)) {
    if (event.type === "turn.completed" || event.type === "turn.failed") {
      end = event;
      continue;
    }
    if (event.type === "session.started") sessionId = event.sessionId;
    yield event.type === "usage" ? { ...event, usage: addUsage(spent, event.usage) } : event;
  }
  end ??= {
    type: "turn.failed",
    failure: failure("protocol", `${provider.name} did not say how the turn ended.`),
    exitCode: null,
    lastMessage: "",
    usage: NO_USAGE,
    sessionUsage: null,
  };
  return { end, sessionId };
}

/** How long to wait before the next attempt; undefined when another one cannot help or none is left. */
function delayBefore(failed: ProviderFailure, delaysLeftMs: readonly number[], now: number): number | undefined {
  const [delayMs] = delaysLeftMs;
  if (!failed.retryable || delayMs === undefined) return undefined;
  const untilReset = (failed.resetsAt ?? now) - now;
  return untilReset > Math.max(...delaysLeftMs) ? undefined : Math.max(delayMs, untilReset);
}

/** The session has the prompt already: repeating it would only fill the context. */
function continued(attempt: TurnRequest, sessionId: string, why: string, end: TurnCompleted | TurnFailed): TurnRequest {
  const prompt = `The last turn was cut off before it had ended (${why}). Go on where you stopped, and finish the task as you were asked to.`;
  // Some providers do not report the session's running total.
  const before = attempt.sessionId === null ? NO_USAGE : attempt.sessionUsage;
  const sessionUsage = end.sessionUsage ?? (before === null ? null : addUsage(before, end.usage));
  return { ...attempt, sessionId, prompt, sessionUsage };
}
