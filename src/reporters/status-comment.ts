import type { LoopEvent } from "../core/events.ts";
import type { Clock, Reporter } from "../core/ports.ts";
import type { Item } from "../core/task.ts";
import type { LoopState } from "../core/state.ts";
import { checkLine } from "../views/event-lines.ts";
import type { Line } from "../views/line.ts";
import { waitText } from "../views/waiting.ts";

/** The comment is written at most so often: GitHub wants few writes, and each of them is seen by people. */
const INTERVAL_MS = 30_000;

/** What is worth a request: what lies between these follows within moments, or is told with the next of them. */
const TOLD: ReadonlySet<LoopEvent["type"]> = new Set([
  "loop_started",
  "loop_resumed",
  "turn_started",
  "turn_ended",
  "wait_started",
  "loop_stopped",
]);

/** The comment, as far as it matters here. */
export interface WritableComment {
  /** Makes the comment say this. Must not throw. */
  put(body: string): Promise<WrittenComment>;
}

export type WrittenComment =
  | { readonly put: true }
  | {
      readonly put: false;
      /** `refused`: it would be again */
      readonly because: "refused" | "unreachable";
      /** part of a sentence */
      readonly why: string;
    };

/** What is being done, which the state does not tell. */
export interface Doing {
  /** title of the item that the last turn was given; null: the task itself */
  readonly item: string | null;
  /** the checks of this iteration that have ended */
  readonly checks: readonly Line[];
  /** what the loop waits for inside this run, and until when; null: it does not wait */
  readonly activity: string | null;
}

export interface StatusCommentOptions {
  readonly comment: WritableComment;
  /** what the comment says of a state */
  readonly render: (state: LoopState, doing: Doing) => string;
  readonly clock: Clock;
  /** hears why the comment could not be written, of each reason once; a line may hold text from GitHub */
  readonly log: (line: string) => void;
}

/**
 * Keeps a loop's comment up to date: at most every 30 s, one request at a time, with the state as it is by then. Where
 * GitHub refuses, it is not asked again. `flush` writes what has not been written yet at once.
 */
export function statusCommentReporter(options: StatusCommentOptions): Reporter {
  const updates = new Updates(options);
  return {
    report: (event, state) => {
      updates.doing = doingAfter(updates.doing, event, state);
      if (TOLD.has(event.type)) updates.want(state);
    },
    observe: (event) => {
      if (event.type !== "check.ended") return;
      const { doing } = updates;
      updates.doing = { ...doing, checks: [...doing.checks, checkLine(event.check)] };
    },
    flush: (deadline) => updates.flush(deadline),
  };
}

function doingAfter(doing: Doing, event: LoopEvent, state: LoopState): Doing {
  if (event.type === "turn_started") return begun(event.item);
  const waits = event.type === "wait_started" ? waitText(event, state.not_before) : null;
  return { ...doing, activity: waits };
}

function begun({ title, text }: Item): Doing {
  return { item: text === "" ? null : title, checks: [], activity: null };
}

class Updates {
  doing: Doing = { item: null, checks: [], activity: null };
  readonly #options: StatusCommentOptions;
  readonly #told = new Set<string>();
  #wanted: LoopState | undefined;
  /** when the next request may be made */
  #next = 0;
  #refused = false;
  #work: Promise<void> | undefined;
  #hurry = new AbortController();

  constructor(options: StatusCommentOptions) {
    this.#options = options;
  }

  want(state: LoopState): void {
    if (this.#refused) return;
    this.#wanted = state;
    this.#work ??= this.#writeAll();
  }

  async flush(deadline: number): Promise<void> {
    const written = new AbortController();
    this.#hurry.abort();
    const work = this.#work?.finally(() => written.abort());
    if (work !== undefined) await Promise.race([work, this.#options.clock.sleepUntil(deadline, written.signal)]);
    this.#hurry = new AbortController();
  }

  async #writeAll(): Promise<void> {
    const { clock } = this.#options;
    while (this.#wanted !== undefined && !this.#refused) {
      if (clock.now() < this.#next) await clock.sleepUntil(this.#next, this.#hurry.signal);
      const state = this.#wanted;
      this.#wanted = undefined;
      this.#next = clock.now() + INTERVAL_MS;
      await this.#write(state);
    }
    this.#work = undefined;
  }

  async #write(state: LoopState): Promise<void> {
    try {
      const written = await this.#options.comment.put(this.#options.render(state, this.doing));
      if (written.put) return;
      this.#refused = written.because === "refused";
      this.#tell(written.why);
    } catch (error) {
      this.#tell(String(error));
    }
  }

  #tell(why: string): void {
    if (this.#told.has(why)) return;
    this.#told.add(why);
    this.#options.log(`The status comment on the pull request is not up to date: ${why}.`);
  }
}
