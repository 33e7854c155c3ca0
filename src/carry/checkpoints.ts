import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { within } from "../os/concurrency.ts";
import { requestStream } from "../control/request-stream.ts";
import type { CarriedRecord, LoopRef, Moment, RefWritten } from "../core/carry.ts";
import type { LoopEvent } from "../core/events.ts";
import type { Control, ControlRequest, Store } from "../core/ports.ts";
import type { LoopState } from "../core/state.ts";
import { seconds } from "../views/amounts.ts";
import { messageOf } from "../core/errors.ts";
import type { WriteCarryNote } from "../store/carry-note.ts";
import type { Carriers } from "./carriers.ts";

/** What checkpoints are made with. */
export interface CheckpointOptions extends Pick<Carriers, "recordOf" | "treeOf"> {
  readonly ref: LoopRef;
  /** the ref's commit that this run goes on from; null: none, or it could not be read */
  readonly follows: string | null;
  /** whether the ref could be read */
  readonly seen: boolean;
  /** the moment of the loop that this run went on from; null: it began the loop */
  readonly since: Moment | null;
  /** hears where the ref is, and which records (nonces) were sent since and may have moved it */
  readonly note: WriteCarryNote;
  /** tells a person; every text once */
  readonly notice: (text: string) => void;
  /** bounds each write; milliseconds */
  readonly withinMs: number;
}

/** The checkpoints of a job's loop; undefined when its ref is not available, or may not be written. */
export function checkpointsOf(
  { ref: found, recordOf, treeOf, isReadOnly }: Carriers,
  options: Omit<CheckpointOptions, "ref" | "recordOf" | "treeOf">,
): Checkpoints | undefined {
  const ref = isReadOnly ? undefined : found;
  return ref && new Checkpoints({ ...options, ref, recordOf, treeOf });
}

type EventType = LoopEvent["type"];
/** These states go to the ref while the loop runs: the turn in flight, and its result before any check. */
const KEPT: ReadonlySet<EventType> = new Set(["turn_started", "turn_ended"]);
/** And these, of a loop with a pull request: a request there has to find the loop from the first moment. */
const FOUND_BY: ReadonlySet<EventType> = new Set(["loop_started", "loop_resumed"]);
/** Before these the last write has to be over: nothing begins or ends in a loop that another run has. */
const AWAITED: ReadonlySet<EventType> = new Set(["turn_started", "settled"]);
/** After this its own write has to be over as well: then no other machine begins a turn of this number. */
const CLAIMED: EventType = "turn_started";

/** How long a write is waited for while the server is answering; milliseconds. */
const PATIENCE_MS = 15_000;
/** After a failed write, the next ones between turns get less time, not a minute each; milliseconds. */
const AGAIN_MS = 5_000;
/** Before a server that could not be reached is asked again; together less than `AGAIN_MS`. */
const PAUSES_MS = [250, 500, 1_000, 2_000] as const;

/**
 * Keeps a loop's ref up to date while it runs, beside the loop: the newest state wins, and nothing waits for a write but
 * the beginning of a turn and the end of an iteration. So a turn is begun only once it stands in the ref that it is, and
 * once all that ended before it does. A machine that vanishes loses at most the turn in flight, which counts as abandoned
 * and whose number is not used again; a run that has lost the loop to another one neither begins a further turn nor says
 * that it is done. A server that does not answer holds nothing up for longer than seconds, and then none of this is so.
 */
export class Checkpoints {
  readonly #options: CheckpointOptions;
  readonly #told = new Set<string>();
  readonly #written = new Set<string>();
  #follows: string | null;
  #kept: LoopState | undefined;
  #next: { readonly state: LoopState; readonly withinMs: number } | undefined;
  #writing: Promise<void> | undefined;
  #sent: readonly string[] = [];
  readonly #released = new AbortController();
  #isSilent = false;
  #failure: string | null = null;
  #isClosed = false;
  #noting: Promise<void> | undefined;
  #superseded: ControlRequest | undefined;
  #tell: ((request: ControlRequest) => void) | undefined;

  constructor(options: CheckpointOptions) {
    this.#options = options;
    this.#follows = options.follows;
  }

  /** The ref's commit as this run last left it. */
  get follows(): string | null {
    return this.#follows;
  }

  /** Whether this run has moved the ref to `commit`. */
  wrote(commit: string): boolean {
    return this.#written.has(commit);
  }

  /** Whether the ref has all turns of `state`: it holds that state, or an earlier moment after its last turn. */
  holdsTurnsOf({ iteration }: LoopState): boolean {
    return this.#kept !== undefined && this.#kept.iteration === iteration && this.#kept.phase !== "turn";
  }

  /** Why the ref does not hold what was last written; null when it does. */
  get failure(): string | null {
    return this.#failure;
  }

  /** Whether another run has the loop: then nothing of this one may be saved. */
  get superseded(): boolean {
    return this.#superseded !== undefined;
  }

  /** Whether the loop is still this run's; waits for a write that is under way. */
  async isOurs(): Promise<boolean> {
    await this.#writing;
    return !this.superseded;
  }

  /** `store`, with every state that is worth it noted on its way. */
  over(store: Store): Store {
    return {
      load: (loopId) => store.load(loopId),
      append: async (event, state) => {
        if (AWAITED.has(event.type)) await this.#settled();
        await store.append(event, state);
        const hasPullRequest = (state.github?.pull_request ?? null) !== null;
        if (KEPT.has(event.type) || (hasPullRequest && FOUND_BY.has(event.type))) this.note(state);
        if (event.type === CLAIMED) await this.#settled();
        // The loop hears of it in its own time, and has to before it begins the turn.
        if (this.superseded) await setImmediate();
      },
    };
  }

  /** Says so when another run has the loop. */
  readonly control: Control = {
    watch: (signal) =>
      requestStream(signal, (push) => {
        this.#tell = push;
        if (this.#superseded !== undefined) push(this.#superseded);
      }),
  };

  /** Begins to write `state`, or has it written next. Returns at once and never throws. */
  note(state: LoopState): void {
    const { withinMs } = this.#options;
    this.#begin(state, this.#failure === null ? withinMs : Math.min(withinMs, AGAIN_MS));
  }

  /** Writes `state` and waits for it, at most `withinMs` milliseconds; `failure` says whether the ref holds it then. */
  async keep(state: LoopState, withinMs: number): Promise<void> {
    this.#begin(state, withinMs);
    // A write that was under way before has a time of its own.
    const { ok } = await within(withinMs, async () => this.#writing);
    if (!ok) this.#failure = `The loop's ref did not take the last state within ${seconds(withinMs)}.`;
  }

  /** From now on nothing waits for a write: the run has to end. */
  release(): void {
    this.#released.abort();
  }

  /** From now on nothing is noted: a later step notes what is left to do. A write that is under way goes on. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#noting?.catch(() => {});
  }

  async #noted(): Promise<void> {
    if (this.#isClosed) return;
    const { note, seen } = this.#options;
    const follows = this.#follows;
    this.#noting = note({ follows, seen: seen || follows !== null, sent: this.#sent, carried: null });
    await this.#noting;
  }

  /** A silent server delays the loop only for some seconds: its silence does not mean that another run has it. */
  async #settled(): Promise<void> {
    const { signal } = this.#released;
    if (signal.aborted || this.#writing === undefined) return;
    const released = new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    const patienceMs = this.#isSilent ? AGAIN_MS : PATIENCE_MS;
    const { ok } = await within(patienceMs, async () => Promise.race([this.#writing, released]));
    this.#isSilent = !ok;
  }

  #begin(state: LoopState, withinMs: number): void {
    this.#next = { state, withinMs };
    this.#writing ??= this.#write();
  }

  async #write(): Promise<void> {
    const { recordOf, treeOf } = this.#options;
    try {
      for (let next = this.#next; next !== undefined && !this.superseded; next = this.#next) {
        this.#next = undefined;
        const { state, withinMs } = next;
        const record = recordOf(state, this.#follows);
        this.#sent = [...this.#sent, record.nonce];
        await this.#noted();
        const written = await this.#send(record, treeOf(state), withinMs);
        this.#failure = written.ok ? null : written.trouble.because;
        if (written.ok) {
          const { commit, notices } = written.value;
          this.#follows = commit;
          this.#written.add(commit);
          this.#kept = state;
          this.#sent = [];
          await this.#noted();
          for (const notice of notices) this.#say(notice);
        } else if (written.trouble.kind === "superseded") {
          this.#superseded = { kind: "supersede", by: written.trouble.because };
          this.#tell?.(this.#superseded);
        } else {
          this.#say(written.trouble.because);
        }
      }
    } catch (error) {
      // Nothing waits for all of these writes, so nothing would catch an error.
      this.#failure = `The loop's ref could not be written: ${messageOf(error)}.`;
      this.#say(this.#failure);
    } finally {
      this.#writing = undefined;
    }
  }

  /** Tries again where the server could not be reached, as long as that holds nothing up for longer than seconds. */
  async #send(record: CarriedRecord, tree: string | null, withinMs: number): Promise<RefWritten> {
    const { ref, since } = this.#options;
    const over = AbortSignal.any([AbortSignal.timeout(AGAIN_MS), this.#released.signal]);
    let written = await ref.write(record, tree, withinMs, since);
    for (const pause of PAUSES_MS) {
      if (written.ok || written.trouble.kind !== "unreachable" || over.aborted) break;
      await sleep(pause, undefined, { signal: over }).catch(() => undefined);
      if (over.aborted) break;
      written = await ref.write(record, tree, Math.min(withinMs, AGAIN_MS), since);
    }
    return written;
  }

  #say(text: string): void {
    if (this.#told.has(text)) return;
    this.#told.add(text);
    this.#options.notice(text);
  }
}
