import {
  type AgentEvent,
  NO_USAGE,
  type ProviderFailure,
  totalTokens,
  type TurnCompleted,
  type TurnFailed,
  type TurnRequest,
  type Usage,
} from "../../core/agent.ts";
import { CODEX_VERSION } from "../../config/settings/agent.ts";
import { type Exit, NOT_ISOLATED } from "../../os/supervise.ts";
import { failure, notIsolated } from "../agent.ts";
import { readCodexLine } from "./events.ts";
import { cancelled, excerpt, notStarted, sessionLost, startFailure, turnFailure } from "./failures.ts";

/** What the stream of one turn says, and how the turn ended. */
export class CodexTurn {
  readonly #request: TurnRequest;
  readonly #reconnects = new ReconnectLimit();
  readonly #running = new Set<string>();
  /** the last message that looks fatal and was not followed by `turn.failed` */
  #lastError = "";
  /** the thread's running total of tokens; there is one exactly when the turn has completed */
  #total: Usage | undefined;
  /** the same while the turn runs; undefined: not known */
  #counted: Usage | undefined;
  #failure: ProviderFailure | undefined;
  /** whether a turn has begun, as opposed to a refusal to start */
  #started = false;
  /** how many lines were not JSON */
  #garbage = 0;
  /** which session it is; undefined: none has begun */
  sessionId: string | undefined;
  /** the last message of the agent, "" before the first */
  lastMessage = "";
  /** whether nothing good can come any more, so the agent has to be ended */
  mustEnd = false;

  constructor(request: TurnRequest) {
    this.#request = request;
  }

  /** whether a command of the agent is at work, which says nothing until it ends */
  get isCommandRunning(): boolean {
    return this.#running.size > 0;
  }

  /** @returns what the line means for everybody else; nothing after `mustEnd` */
  read(line: string): AgentEvent | undefined {
    if (this.mustEnd) return undefined;
    const read = readCodexLine(line);
    switch (read?.says) {
      case "thread":
        return this.#openThread(read.id);
      case "event":
        return this.#note(read.event, read.item);
      case "reconnecting":
        if (!this.#reconnects.isReached(read.attempt, read.limit, read.cause))
          return { type: "notice", text: read.text };
        return this.#giveUp(turnFailure(read.cause, Date.now()));
      case "started":
        this.#started = true;
        break;
      case "error":
        this.#lastError = read.message;
        break;
      case "completed":
        this.#total = read.usage;
        break;
      case "failed":
        this.#failure = turnFailure(read.message, Date.now());
        break;
      case "garbage":
        this.#garbage += 1;
        break;
      case undefined:
    }
    return undefined;
  }

  /** C15: asked for a session that it does not have, Codex may begin another one without a word. */
  #openThread(id: string): AgentEvent | undefined {
    const asked = this.#request.sessionId;
    if (asked === null || asked === id) {
      this.sessionId = id;
      return { type: "session.started", sessionId: id };
    }
    return this.#giveUp(sessionLost(`Codex was to resume session ${asked} and began ${id} instead.`));
  }

  /** Notes what the thread has used so far. @returns what the turn has; undefined: no more than before */
  count(total: Usage): AgentEvent | undefined {
    const known = this.#counted ?? this.#before ?? NO_USAGE;
    if (totalTokens(total) <= totalTokens(known)) return undefined;
    this.#counted = total;
    return { type: "usage", usage: difference(total, this.#before) };
  }

  /** The thread's total before the turn; null: there was none, or nobody knows. */
  get #before(): Usage | null {
    const { sessionId, sessionUsage } = this.#request;
    return sessionId === null ? null : sessionUsage;
  }

  #note(event: AgentEvent, item: string | null): AgentEvent {
    if (event.type === "message") this.lastMessage = event.text;
    if (item !== null && event.type === "command.started") this.#running.add(item);
    else if (item !== null) this.#running.delete(item);
    return event;
  }

  #giveUp(failure: ProviderFailure): undefined {
    this.#failure = failure;
    this.mustEnd = true;
  }

  /** How the turn ended, when Codex is gone. The stream counts more than the end of the process: it came first. */
  end(exit: Exit, stderr: string, lastMessage: string): TurnCompleted | TurnFailed {
    const { exitCode } = exit;
    const total = this.#total;
    if (this.#failure !== undefined || total === undefined)
      return this.#failed(
        failedTurn(this.#request, this.#failure ?? this.#failureOf(exit, stderr), lastMessage, exitCode),
      );
    const usage = difference(total, this.#before);
    return { type: "turn.completed", exitCode, lastMessage, usage, sessionUsage: total };
  }

  #failed(end: TurnFailed): TurnFailed {
    const total = this.#counted;
    return total === undefined ? end : { ...end, usage: difference(total, this.#before), sessionUsage: total };
  }

  #failureOf(exit: Exit, stderr: string): ProviderFailure {
    const { timeoutMs, idleTimeoutMs } = this.#request;
    switch (exit.ended) {
      case "not_started":
        if (exit.error?.code === NOT_ISOLATED) return notIsolated(stderr);
        return notStarted(exit.error);
      case "aborted":
        return cancelled();
      case "timed_out":
        return failure("timed_out", `The turn took longer than ${duration(timeoutMs)}.`, {
          next: "Ask for smaller steps, or raise --iteration-timeout-minutes.",
        });
      case "idle":
        return failure("idle", `Codex said nothing for ${duration(idleTimeoutMs)}.`, {
          next: "If the model really thinks that long, raise --idle-timeout-minutes.",
        });
      case "exited":
        return this.#exitFailure(exit, stderr);
    }
  }

  #exitFailure({ exitCode, signal }: Exit, stderr: string): ProviderFailure {
    if (exitCode === 0) {
      const garbage = `${this.#garbage} lines were not JSON`;
      return failure("protocol", `Codex ended without saying how the turn ended (${garbage}).`, {
        next: `Check that \`codex --version\` is ${CODEX_VERSION} or newer; events_iter_N.jsonl holds what it said.`,
      });
    }
    if (exitCode !== null && this.#lastError !== "") return turnFailure(this.#lastError, Date.now());
    if (exitCode !== null && !this.#started) return startFailure(stderr);
    const last = excerpt(stderr.trim().split("\n").at(-1) ?? "");
    const how = `Codex ended in the middle of the turn (${signal ?? `exit code ${exitCode}`})`;
    return failure("crashed", `${how}${last === "" ? "." : `: ${last}`}`, {
      next: "Check the machine's memory if it happens again, then resume the loop.",
    });
  }
}

/** A failed turn whose use is not known; the next completed turn's total contains it. */
export function failedTurn(
  { sessionUsage }: TurnRequest,
  failure: ProviderFailure,
  lastMessage: string,
  exitCode: number | null,
): TurnFailed {
  return { type: "turn.failed", exitCode, lastMessage, usage: NO_USAGE, sessionUsage, failure };
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

/** How often Codex reconnects by default; another limit is the user's own choice and stays. */
const DEFAULT_LIMIT = 5;

/**
 * Ends Codex's own reconnecting after the first try of each request.
 *
 * The attempts over WebSocket are left alone, because Codex falls back to HTTPS after them; they are known by their
 * address or by beginning with 2, as Codex does not show the first.
 */
export class ReconnectLimit {
  #previous = 0;

  /** @returns whether it is enough, after Codex has said that it makes its `attempt`th try of `limit` */
  isReached(attempt: number, limit: number, cause: string): boolean {
    const second = attempt === 2 && this.#previous === 1;
    this.#previous = attempt;
    return second && limit === DEFAULT_LIMIT && !/\bwss?:\/\//u.test(cause);
  }
}
