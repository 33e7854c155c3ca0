import type { LoopEvent } from "../core/events.ts";
import type { Clock, Reporter } from "../core/ports.ts";
import type { Result, Trouble } from "../core/result.ts";
import type { LoopState } from "../core/state.ts";
import { checkLine, waitText } from "../views/event-lines.ts";
import type { Line } from "../views/plain-text.ts";

/** The least time between two writes: GitHub wants few of them, and each is seen by people. */
const INTERVAL_MS = 30_000;

/** What is worth a request: events in between follow within moments, or are told with the next of them. */
const TOLD: ReadonlySet<LoopEvent["type"]> = new Set([
  "loop_started",
  "loop_resumed",
  "turn_started",
  "turn_ended",
  "wait_started",
  "loop_stopped",
]);

/** Only of `unreachable` it may help to try again. */
interface NotWritten extends Trouble {
  readonly kind: "absent" | "refused" | "unreachable";
}

export type WrittenComment = Result<unknown, NotWritten>;

/** What is being done, which the state does not say. */
export interface Doing {
  /** title of the last turn's item; null: the task itself */
  readonly item: string | null;
  /** the checks of this iteration that have ended */
  readonly checks: readonly Line[];
  /** what the loop waits for inside this run, and until when; null: it does not wait */
  readonly activity: string | null;
}

interface StatusCommentOptions {
  /** `put` makes the comment say this; it must not throw */
  readonly comment: { put(body: string): Promise<WrittenComment> };
  /** what the comment says of a state */
  readonly render: (state: LoopState, doing: Doing) => string;
  readonly clock: Clock;
  /** hears why the comment could not be written, of each reason once; a line may hold text from GitHub */
  readonly log: (line: string) => void;
}

/**
 * Keeps a loop's comment up to date: at most every 30 s, one request at a time, with the latest state. When GitHub
 * refuses, it is not asked again. `flush` writes at once what is not written yet.
 */
export function statusCommentReporter({ comment, render, clock, log }: StatusCommentOptions): Reporter {
  const told = new Set<string>();
  let doing: Doing = { item: null, checks: [], activity: null };
  let wanted: LoopState | undefined;
  /** when the next request may be made */
  let next = 0;
  let refused = false;
  let work: Promise<void> | undefined;
  let hurry = new AbortController();

  const tell = (why: string): void => {
    if (told.has(why)) return;
    told.add(why);
    log(`The status comment on the pull request is not up to date: ${why}.`);
  };
  const write = async (state: LoopState): Promise<void> => {
    try {
      const written = await comment.put(render(state, doing));
      if (written.ok) return;
      refused = written.trouble.kind !== "unreachable";
      tell(written.trouble.because);
    } catch (error) {
      tell(String(error));
    }
  };
  const writeAll = async (): Promise<void> => {
    while (wanted !== undefined) {
      if (clock.now() < next) await clock.sleepUntil(next, hurry.signal);
      const state = wanted;
      wanted = undefined;
      next = clock.now() + INTERVAL_MS;
      await write(state);
      if (refused) wanted = undefined;
    }
    work = undefined;
  };
  return {
    report(event, state) {
      doing = doingAfter(doing, event, state);
      if (refused || !TOLD.has(event.type)) return;
      wanted = state;
      work ??= writeAll();
    },
    observe(event) {
      if (event.type === "check.ended") doing = { ...doing, checks: [...doing.checks, checkLine(event.check)] };
    },
    async flush(deadline) {
      const written = new AbortController();
      hurry.abort();
      const ending = work?.finally(() => written.abort());
      if (ending !== undefined) await Promise.race([ending, clock.sleepUntil(deadline, written.signal)]);
      hurry = new AbortController();
    },
  };
}

function doingAfter(doing: Doing, event: LoopEvent, state: LoopState): Doing {
  if (event.type !== "turn_started")
    return { ...doing, activity: event.type === "wait_started" ? waitText(event, state.not_before) : null };
  const { title, text } = event.item;
  return { item: text === "" ? null : title, checks: [], activity: null };
}
