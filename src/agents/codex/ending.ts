import {
  NO_USAGE,
  type ProviderFailure,
  type TurnCompleted,
  type TurnFailed,
  type TurnRequest,
  type Usage,
} from "../../core/agent.ts";
import type { Exit } from "../../os/supervise.ts";
import { failure } from "../failure.ts";
import { cancelled, excerpt, notInstalled, startFailure, turnFailure } from "./failures.ts";
import type { TurnReading } from "./turn-reading.ts";
import { READ_VERSION } from "./version.ts";

/** Everything that is known when Codex is gone. */
export interface Remains {
  readonly request: TurnRequest;
  readonly reading: TurnReading;
  readonly exit: Exit;
  readonly stderr: string;
  readonly lastMessage: string;
}

/** How the turn ended. The stream's own word counts more than the process's end: it came first. */
export function endTurn(remains: Remains): TurnCompleted | TurnFailed {
  const { request, reading, exit, lastMessage } = remains;
  const total = reading.failure === undefined ? reading.total : undefined;
  if (total === undefined) return failedTurn(request, failureOf(remains), lastMessage, exit.exitCode);
  return {
    type: "turn.completed",
    exitCode: exit.exitCode,
    lastMessage,
    usage: difference(total, request.sessionId === null ? null : request.sessionUsage),
    sessionUsage: total,
  };
}

/** A failed turn. Codex does not say what it used; the next completed turn's total contains it. */
export function failedTurn(
  request: TurnRequest,
  failure: ProviderFailure,
  lastMessage: string,
  exitCode: number | null,
): TurnFailed {
  return { type: "turn.failed", exitCode, lastMessage, usage: NO_USAGE, sessionUsage: request.sessionUsage, failure };
}

function failureOf({ request, reading, exit, stderr }: Remains): ProviderFailure {
  if (reading.failure !== undefined) return reading.failure;
  switch (exit.ended) {
    case "not_started":
      return notInstalled(`Codex could not be started: ${exit.error?.message ?? "no reason given"}`);
    case "aborted":
      return cancelled();
    case "timed_out":
      return failure("timed_out", `The turn took longer than ${duration(request.timeoutMs)}.`, {
        next: "Ask for smaller steps, or raise --iteration-timeout-minutes.",
      });
    case "idle":
      return failure("idle", `Codex said nothing for ${duration(request.idleTimeoutMs)}.`, {
        next: "If the model really thinks that long, raise --idle-timeout-minutes.",
      });
    case "exited":
      return exitFailure(reading, exit, stderr);
  }
}

function exitFailure(reading: TurnReading, exit: Exit, stderr: string): ProviderFailure {
  if (exit.exitCode === 0) {
    const garbage = `${reading.garbage} lines were not JSON`;
    return failure("protocol", `Codex ended without saying how the turn ended (${garbage}).`, {
      next: `Check that \`codex --version\` is ${READ_VERSION} or newer; events_iter_N.jsonl holds what it said.`,
    });
  }
  if (exit.exitCode !== null && reading.lastError !== "") return turnFailure(reading.lastError, Date.now());
  if (exit.exitCode !== null && !reading.started) return startFailure(stderr);
  const how = exit.signal === null ? `exit code ${exit.exitCode}` : exit.signal;
  const last = excerpt(stderr.trim().split("\n").at(-1) ?? "");
  return failure("crashed", `Codex ended in the middle of the turn (${how})${last === "" ? "." : `: ${last}`}`, {
    next: "Check the machine's memory if it happens again, then resume the loop.",
  });
}

/** C14: Codex counts over the whole thread; the turn's part is what came on top. */
function difference(total: Usage, before: Usage | null): Usage {
  if (before === null) return total;
  return {
    input: Math.max(0, total.input - before.input),
    cachedInput: Math.max(0, total.cachedInput - before.cachedInput),
    output: Math.max(0, total.output - before.output),
    reasoning: Math.max(0, total.reasoning - before.reasoning),
  };
}

function duration(ms: number): string {
  return ms < 60_000 ? `${ms / 1000} seconds` : `${Math.round(ms / 6000) / 10} minutes`;
}
