import type { FailureKind, ProviderFailure } from "../core/agent.ts";

/** Whether trying the same turn again shortly can help, as far as the kind alone tells. */
export const RETRYABLE: Readonly<Record<FailureKind, boolean>> = {
  not_installed: false,
  auth: false,
  bad_request: false,
  rate_limited: true,
  usage_limit: false,
  overloaded: true,
  transport: true,
  truncated: true,
  timed_out: false,
  idle: true,
  busy: true,
  crashed: true,
  protocol: false,
  sandbox_broken: false,
  context_full: false,
  session_lost: false,
  cancelled: false,
};

/** A failure of `kind`, retryable as its kind is unless `more` says otherwise; the message becomes one line. */
export function failure(
  kind: FailureKind,
  message: string,
  more: Partial<Omit<ProviderFailure, "kind" | "message">> = {},
): ProviderFailure {
  return { kind, message: message.replace(/\s+/gu, " ").trim(), retryable: RETRYABLE[kind], ...more };
}
