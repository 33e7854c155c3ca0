import type { AgentEvent, ProviderFailure, TurnRequest, Usage } from "../../core/agent.ts";
import { readCodexLine } from "./events.ts";
import { sessionLost, turnFailure } from "./failures.ts";
import { ReconnectLimit } from "./retries.ts";

/** What the stream of one turn has said so far. */
export class TurnReading {
  readonly #request: TurnRequest;
  readonly #reconnects = new ReconnectLimit();
  readonly #running = new Set<string>();
  #lastMessage = "";
  #lastError = "";
  #total: Usage | undefined;
  #failure: ProviderFailure | undefined;
  #started = false;
  #garbage = 0;
  #mustEnd = false;

  constructor(request: TurnRequest) {
    this.#request = request;
  }

  /** the last message of the agent, "" before the first */
  get lastMessage(): string {
    return this.#lastMessage;
  }

  /** the last fatal-looking message that no `turn.failed` has followed */
  get lastError(): string {
    return this.#lastError;
  }

  /** the thread's running total of tokens; there is one exactly when the turn has completed */
  get total(): Usage | undefined {
    return this.#total;
  }

  get failure(): ProviderFailure | undefined {
    return this.#failure;
  }

  /** whether a turn has begun, as opposed to a refusal to start */
  get started(): boolean {
    return this.#started;
  }

  /** how many lines were not JSON */
  get garbage(): number {
    return this.#garbage;
  }

  /** whether a command of the agent is at work, which says nothing until it ends */
  get isCommandRunning(): boolean {
    return this.#running.size > 0;
  }

  /** whether nothing good can come any more, so that the agent is to be ended because of `failure` */
  get mustEnd(): boolean {
    return this.#mustEnd;
  }

  /** @returns what the line means for everybody else; nothing after `mustEnd` */
  read(line: string): AgentEvent | undefined {
    if (this.#mustEnd) return undefined;
    const read = readCodexLine(line);
    switch (read?.says) {
      case undefined:
        return undefined;
      case "thread":
        return this.#openThread(read.id);
      case "started":
        this.#started = true;
        return undefined;
      case "event":
        return this.#note(read.event, read.item);
      case "reconnecting":
        if (!this.#reconnects.isReached(read.attempt, read.limit, read.cause))
          return { type: "notice", text: read.text };
        return this.#end(turnFailure(read.cause, Date.now()));
      case "error":
        this.#lastError = read.message;
        return undefined;
      case "completed":
        this.#total = read.usage;
        return undefined;
      case "failed":
        this.#failure = turnFailure(read.message, Date.now());
        return undefined;
      case "garbage":
        this.#garbage += 1;
        return undefined;
    }
  }

  /** C15: asked for a session that it does not have, Codex may begin another one without a word. */
  #openThread(id: string): AgentEvent | undefined {
    const asked = this.#request.sessionId;
    if (asked === null || asked === id) return { type: "session.started", sessionId: id };
    return this.#end(sessionLost(`Codex was to resume session ${asked} and began ${id} instead.`));
  }

  #note(event: AgentEvent, item: string | null): AgentEvent {
    if (event.type === "message") this.#lastMessage = event.text;
    if (item !== null && event.type === "command.started") this.#running.add(item);
    else if (item !== null) this.#running.delete(item);
    return event;
  }

  #end(failure: ProviderFailure): undefined {
    this.#failure = failure;
    this.#mustEnd = true;
  }
}
