import type { FailureKind } from "../agent.ts";
import type { LoopState } from "../state.ts";
import { stop, type StopRule } from "./rule.ts";

/**
 * How a failed turn ends the loop. `null`: it does not; the next iteration tries again, and the caps bound it.
 * Limits of the provider are left to PRE 11, since their iteration is refunded (POST 3).
 */
const ENDING = {
  not_installed: "config",
  auth: "auth",
  bad_request: "config",
  sandbox_broken: "sandbox_broken",
  overloaded: "provider",
  transport: "provider",
  busy: "provider",
  crashed: "provider",
  protocol: "provider",
  session_lost: "provider",
  cancelled: null,
  rate_limited: null,
  usage_limit: null,
  truncated: null,
  timed_out: null,
  idle: null,
  context_full: null,
} as const satisfies Record<FailureKind, "config" | "auth" | "sandbox_broken" | "provider" | null>;

export function endsLoop(kind: FailureKind): boolean {
  return ENDING[kind] !== null;
}

/** POST 2 and POST 4: what no retry can mend, and what retries did not mend. */
export const turnFailed: StopRule = (_task, state) => {
  const failure = state.last_turn?.failure;
  if (failure === null || failure === undefined) return undefined;
  const kind = beginsFull(state) ? "config" : ENDING[failure.kind];
  return kind === null ? undefined : stop({ kind, failure });
};

/**
 * Whether fresh sessions, twice in a row, were full before they had changed anything: what every session begins with does
 * not fit, so that a third would fare no better (C2).
 */
function beginsFull({ iterations }: LoopState): boolean {
  const last = iterations.slice(-2);
  const idle = last.filter(({ agent, files_changed: files }) => agent === "context_full" && files === 0);
  return idle.length === 2;
}
