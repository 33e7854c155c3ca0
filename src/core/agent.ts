import { z } from "zod";
import { count, type Stored } from "./schema.ts";

/** Tokens as the provider counts them. `cachedInput` is part of `input`, `reasoning` is part of `output`. */
export const usage = z.looseObject({ input: count, cachedInput: count, output: count, reasoning: count });
export type Usage = Stored<typeof usage>;

/** A turn that used nothing, or whose usage the provider did not say. */
export const NO_USAGE: Usage = { input: 0, cachedInput: 0, output: 0, reasoning: 0 };

/** Every way in which a turn can fail, with the same names for all providers. */
export const failureKind = z.enum([
  "not_installed", // the agent's program is not there
  "auth", // no key, or a key that is refused
  "bad_request", // the request, an option or the prompt is refused
  "rate_limited", // too many requests; goes away by itself
  "usage_limit", // the plan or the quota is used up
  "overloaded", // the service is too busy
  "transport", // the connection failed or was cut
  "truncated", // the answer was cut at the model's own limit
  "timed_out", // the turn took longer than `TurnRequest.timeoutMs`
  "token_limit", // the turn used what `max-tokens` or `max-tokens-per-day` left it
  "idle", // the agent said nothing for `TurnRequest.idleTimeoutMs`
  "busy", // another process is writing to this session
  "crashed", // the agent's program ended without saying how the turn ended
  "protocol", // the agent's program said something that its adapter does not understand
  "sandbox_broken", // the sandbox cannot start, so that every command of the agent would fail
  "context_full", // the session no longer fits into the model's context
  "session_lost", // the session to resume does not exist here; a fresh one costs nothing but its memory
  "cancelled", // the turn was ended on our own request
]);
export type FailureKind = Stored<typeof failureKind>;

export const providerFailure = z.looseObject({
  kind: failureKind,
  /** one line; what the provider said */
  message: z.string(),
  /** whether the same turn may succeed when it is tried again shortly */
  retryable: z.boolean(),
  /** when a limit ends, in milliseconds since the epoch */
  resetsAt: z.number().exactOptional(),
  /** what a person can do about it */
  next: z.string().exactOptional(),
});
export type ProviderFailure = Stored<typeof providerFailure>;

/** One file that the agent says it changed. Paths are as the provider gives them. */
export interface AgentFileChange {
  readonly path: string;
  readonly kind: "add" | "update" | "delete";
}

export const denial = z.looseObject({
  /** the command or the tool */
  what: z.string(),
  /** one sentence for a person: what would let it */
  allow: z.string(),
});
export type Denial = Stored<typeof denial>;

/**
 * What an agent does during a turn, in words that are the same for every provider (D-18). Events are many and fleeting:
 * they go to the raw file and to the reporters, never into the loop's state.
 */
export type AgentEvent =
  | { readonly type: "session.started"; readonly sessionId: string }
  | { readonly type: "message"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string }
  /** A line that a program has printed, of an agent that tells nothing more of what it does. */
  | { readonly type: "output"; readonly text: string }
  | { readonly type: "command.started"; readonly command: string }
  /** `exitCode` is null when the provider does not tell it; `output` is a tail of at most 4 KiB. */
  | {
      readonly type: "command.ended";
      readonly command: string;
      readonly exitCode: number | null;
      readonly output: string;
    }
  | { readonly type: "files.changed"; readonly changes: readonly AgentFileChange[] }
  /** Any other tool: MCP, web search. */
  | { readonly type: "tool.used"; readonly name: string; readonly failed: boolean }
  /** Nobody was asked, or somebody said no: a command or a tool was refused (POST 8). */
  | (Denial & { readonly type: "permission.denied" })
  /** What the attempt that runs has used so far; it only grows. */
  | { readonly type: "usage"; readonly usage: Usage }
  /** A warning or a sign of life that changes nothing. */
  | { readonly type: "notice"; readonly text: string }
  /** The retry decorator tries the turn again after `delayMs`. */
  | {
      readonly type: "turn.retrying";
      readonly failure: ProviderFailure;
      readonly attempt: number;
      readonly delayMs: number;
    }
  | TurnCompleted
  | TurnFailed;

interface TurnEnd {
  /** exit code of the agent's program; null when it was killed by a signal or never started */
  readonly exitCode: number | null;
  /** the agent's last message, "" when it said nothing (C8) */
  readonly lastMessage: string;
  /** what this turn used, failed attempts included */
  readonly usage: Usage;
  /** the provider's running total of the session, which the next turn's usage is measured against */
  readonly sessionUsage: Usage | null;
  /** what this turn cost, failed attempts included, in millionths of a USD; absent: not known */
  readonly cost?: number;
}

export interface TurnCompleted extends TurnEnd {
  readonly type: "turn.completed";
}

export interface TurnFailed extends TurnEnd {
  readonly type: "turn.failed";
  readonly failure: ProviderFailure;
}

export interface TurnRequest {
  readonly iteration: number;
  /** which agent takes it, where a story or its PRD says so; absent: that of the settings */
  readonly provider?: string;
  readonly prompt: string;
  /** the session to go on with; null begins a fresh one */
  readonly sessionId: string | null;
  /** the session's running total before this turn; null when unknown */
  readonly sessionUsage: Usage | null;
  readonly timeoutMs: number;
  readonly idleTimeoutMs: number;
}

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    cachedInput: a.cachedInput + b.cachedInput,
    output: a.output + b.output,
    reasoning: a.reasoning + b.reasoning,
  };
}

/** What counts against `max-tokens` (C14): everything sent plus everything received. */
export function totalTokens(usage: Usage): number {
  return usage.input + usage.output;
}
