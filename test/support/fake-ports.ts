import type { AgentEvent, ProviderFailure, TurnRequest } from "../../src/core/agent.ts";
import { type ChangedTexts, NOTHING_CHANGED } from "../../src/core/judges/changed-texts.ts";
import type { Tally, Item } from "../../src/core/task.ts";
import type { LoopEvent } from "../../src/core/events.ts";
import type { WorkListFile } from "../../src/core/claim/contradictions/work-list.ts";
import type { HardStopHit } from "../../src/core/hard-stop.ts";
import type { CheckEvent, CommitRequest, ControlRequest, Ports } from "../../src/core/ports.ts";
import type { TestChanges } from "../../src/core/progress/test-changes.ts";
import type { LoopState } from "../../src/core/state.ts";
import type { Evidence, Verdict } from "../../src/core/verdict.ts";
import { digest, NOW, THE_ITEM } from "./builders.ts";
import { fakeControl } from "./fake-control.ts";
import { fakeReviewer, type FakeReview } from "./fake-reviewer.ts";
import { fakeMatcher } from "./fake-matcher.ts";
import { fakeWorkspace } from "./fake-workspace.ts";

/** The events of a turn, or what makes them: a function may ask for a pause, move the clock or wait for `signal`. */
export type FakeTurn =
  | readonly AgentEvent[]
  | ((request: TurnRequest, signal: AbortSignal) => AsyncIterable<AgentEvent> | Iterable<AgentEvent>);

/** What the gate finds, or what finds it. */
type FakeVerdict = Verdict | ((evidence: Evidence, signal: AbortSignal) => Verdict | Promise<Verdict>);

export interface FakeOptions {
  /** what the clock shows at first, in milliseconds since the epoch */
  readonly now?: number;
  /** one for each call of the provider; a call too many throws */
  readonly turns?: readonly FakeTurn[];
  /** one for each call of the gate; a call too many throws */
  readonly verdicts?: readonly FakeVerdict[];
  /** what the reviewer says, one for each time that it is asked; a time too many throws */
  readonly reviews?: readonly FakeReview[];
  /** what the store holds when the run begins */
  readonly stored?: LoopState;
  readonly preflight?: ProviderFailure;
  /** false: the workspace is not a git repository */
  readonly git?: boolean;
  /** what is in the backlog */
  readonly item?: (state: LoopState) => Item | undefined;
  /** how far the checklist is; asked whenever the engine counts */
  readonly tally?: () => Tally | null;
  /** how the tests have changed since the loop began */
  readonly testChanges?: TestChanges;
  /** the texts that have changed since then */
  readonly changedTexts?: ChangedTexts;
  /** the HARD STOP lines in the todo file; a function is asked at every scan */
  readonly hardStops?: readonly HardStopHit[] | (() => readonly HardStopHit[]);
  /** the plan and the todo file; asked whenever the engine reads them */
  readonly lists?: () => readonly WorkListFile[];
  /** what `progress.md` ends with at first */
  readonly progress?: string;
  /** happens during every sleep, at its beginning */
  readonly whileAsleep?: () => Promise<void>;
  /** patterns on which the matcher gives up */
  readonly slowPatterns?: readonly string[];
  /** what other loops have used today */
  readonly tokensOfOthers?: number;
}

/** Ports over memory, and what was seen through them. */
export interface FakePorts extends Ports {
  /** the durable events, in the order of writing */
  readonly events: readonly LoopEvent[];
  /** the state stored with each event */
  readonly states: readonly LoopState[];
  /** the newest state; throws before the first event */
  readonly state: LoopState;
  /** what the clock shows; a test may move it */
  clockAt: number;
  /** the moments that were slept until, whether or not the sleep was cut short */
  readonly sleeps: readonly number[];
  /** what the provider was asked */
  readonly turns: readonly TurnRequest[];
  /** what the gate was asked */
  readonly evidence: readonly Evidence[];
  readonly commits: readonly CommitRequest[];
  /** entries of `progress.md` by iteration */
  readonly notes: ReadonlyMap<number, string>;
  /** the types of the events that the reporter was told, durable or not */
  readonly reported: readonly string[];
  /** what the agent did and what the checks did, as the reporter saw it */
  readonly observed: readonly (AgentEvent | CheckEvent)[];
  /** changes the work tree */
  touch(): void;
  /**
   * Asks for a pause, a stop or a cancel. Resolves when the run has taken the request in; a request made before the run
   * waits for it, so do not await that one.
   */
  request(kind: ControlRequest["kind"], by?: string): Promise<void>;
}

/** Fakes of every port: no file, no process, no waiting. */
export function fakePorts(options: FakeOptions = {}): FakePorts {
  const clock = fakeClock(options);
  const workspace = fakeWorkspace(options.git ?? true);
  const provider = fakeProvider(options, workspace.touch);
  const gate = fakeGate(options.verdicts ?? []);
  const store = fakeStore(options.stored);
  const progress = fakeProgress(options.progress ?? "");
  const control = fakeControl();
  const reporter = fakeReporter();
  const { hardStops = [], item = () => THE_ITEM, tally = () => null } = options;
  return {
    provider,
    reviewer: fakeReviewer(options.reviews ?? []),
    gate,
    workspace,
    store,
    progress,
    control,
    reporter,
    clock,
    digest,
    backlog: { next: async (state) => item(state), count: async () => tally(), sync: async () => [] },
    tests: {
      remember: async () => undefined,
      renew: async () => undefined,
      since: async () => options.testChanges ?? null,
      texts: async () => options.changedTexts ?? NOTHING_CHANGED,
    },
    hardStops: {
      scan: async () => (typeof hardStops === "function" ? hardStops() : hardStops),
      exists: async () => true,
    },
    lists: { read: async () => options.lists?.() ?? [] },
    matcher: fakeMatcher(options.slowPatterns ?? []),
    tokensOfOthers: async () => options.tokensOfOthers ?? 0,
    events: store.events,
    states: store.states,
    get state() {
      const last = store.states.at(-1);
      if (last === undefined) throw new Error("No event has been written yet.");
      return last;
    },
    get clockAt() {
      return clock.now();
    },
    set clockAt(at) {
      clock.set(at);
    },
    sleeps: clock.sleeps,
    turns: provider.requests,
    evidence: gate.evidence,
    commits: workspace.commits,
    notes: progress.entries,
    reported: reporter.reported,
    observed: reporter.observed,
    touch: workspace.touch,
    request: control.request,
  };
}

/** A clock that stands still, except that a sleep jumps to its end at once. */
function fakeClock({ now = NOW, whileAsleep }: FakeOptions) {
  let at = now;
  const sleeps: number[] = [];
  return {
    sleeps,
    now: () => at,
    set(moment: number) {
      at = moment;
    },
    async sleepUntil(moment: number, signal: AbortSignal) {
      sleeps.push(moment);
      await whileAsleep?.();
      if (!signal.aborted) at = Math.max(at, moment);
    },
  };
}

/** Plays one script for each turn; `files.changed` changes the tree before anybody hears of it. */
function fakeProvider({ turns = [], preflight }: FakeOptions, touch: () => void) {
  const requests: TurnRequest[] = [];
  return {
    name: "fake",
    requests,
    preflight: async () => preflight,
    async *runTurn(request: TurnRequest, signal: AbortSignal): AsyncIterable<AgentEvent> {
      const script = turns[requests.length];
      requests.push(request);
      if (script === undefined) throw new Error(`The script has no turn ${requests.length}.`);
      for await (const event of typeof script === "function" ? script(request, signal) : script) {
        if (event.type === "files.changed") touch();
        yield event;
      }
    },
  };
}

function fakeGate(verdicts: readonly FakeVerdict[]) {
  const evidence: Evidence[] = [];
  return {
    evidence,
    async judge(asked: Evidence, signal: AbortSignal): Promise<Verdict> {
      const verdict = verdicts[evidence.length];
      evidence.push(asked);
      if (verdict === undefined) throw new Error(`The gate has no verdict ${evidence.length}.`);
      return typeof verdict === "function" ? verdict(asked, signal) : verdict;
    },
  };
}

/** Refuses a stale revision, and keeps what survives being written as JSON. */
function fakeStore(stored: LoopState | undefined) {
  const events: LoopEvent[] = [];
  const states: LoopState[] = [];
  return {
    events,
    states,
    load: async () => stored,
    async append(event: LoopEvent, state: LoopState) {
      const before = (states.at(-1) ?? stored)?.revision ?? 0;
      const expected = event.type === "loop_started" ? 1 : before + 1;
      if (state.revision !== expected) throw new Error(`Revision ${state.revision} is stale, ${expected} is due.`);
      events.push(structuredClone(event));
      states.push(structuredClone(state));
    },
  };
}

function fakeProgress(tail: string) {
  const entries = new Map<number, string>();
  return {
    entries,
    async record(iteration: number, entry: string) {
      if (!entries.has(iteration)) entries.set(iteration, entry);
    },
    async tail(bytes: number) {
      const text = [tail, ...entries.values()].filter((part) => part !== "").join("\n");
      return text.slice(-bytes);
    },
  };
}

function fakeReporter() {
  const reported: string[] = [];
  const observed: (AgentEvent | CheckEvent)[] = [];
  return {
    reported,
    observed,
    report(event: LoopEvent) {
      reported.push(event.type);
    },
    observe(event: AgentEvent | CheckEvent) {
      reported.push(event.type);
      observed.push(event);
    },
    async flush() {},
  };
}
