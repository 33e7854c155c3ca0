import * as fc from "fast-check";
import { circuitOf } from "../../../src/core/progress/circuit.ts";
import { countIteration, iterationFacts } from "../../../src/core/progress/counters.ts";
import type { LoopEvent, LoopResumed, Proved, Settled, TurnEnded, TurnStarted } from "../../../src/core/events.ts";
import type { LoopState } from "../../../src/core/state.ts";
import type { StoryEnd } from "../../../src/core/story/stories.ts";
import { transition } from "../../../src/core/transition.ts";
import { aLoopStarted, aProved, aTask, aTurnEnded, BOUNDS, digest, THE_ITEM } from "../../support/builders.ts";
import { claims, dates, denials, failures, hits, reasons, snapshots, text, usages, verdicts } from "./parts.ts";

/** Events in any order, and in the orders that the engine can bring about. */

const LIMITS = { missingStatus: 3, noProgress: 4, sameError: 5, testLoops: 3, openMultiplier: 2 };
const CHECKED = {
  identity: { checks: { quality: ["npm test"] }, todo: {} },
  runtime: { statusBlock: "loopr" },
} as const;

/** What a PRD of three stories says now. */
const read = fc
  .tuple(
    fc.subarray(["US-001", "US-002", "US-003"]),
    fc.constantFrom("d", "e"),
    fc.subarray(["US-001", "US-002", "US-003"]),
    fc.subarray(["c1", "c2"]),
  )
  .map(([ids, digest, passing, held]) => ({
    prd: "shop",
    stories: ids.map((id) => ({ id, title: `Story ${id}`, digest, passes: passing.includes(id) })),
    held,
  }));

export const starts: fc.Arbitrary<LoopEvent> = fc
  .tuple(fc.string({ maxLength: 40 }), fc.nat(40), hits, fc.option(snapshots), fc.option(read))
  .map(([prompt, times, hard_stops, snapshot, stories]) =>
    aLoopStarted(aTask({ ...CHECKED, identity: { ...CHECKED.identity, prompt: prompt.repeat(times * times) } }), {
      hard_stops,
      snapshot,
      ...(stories === null ? {} : { stories }),
    }),
  );

const ended: fc.Arbitrary<TurnEnded> = fc
  .record({
    at: dates,
    iteration: fc.nat(60),
    failure: fc.option(failures, { freq: 2 }),
    exit_code: fc.option(fc.nat(2)),
    usage: usages,
    session_usage: fc.option(usages),
    claim: claims,
    summary: fc.oneof(text, fc.constantFrom("Shall I go on?", "y".repeat(2048))),
    snapshot: fc.option(snapshots),
    change: fc.option(
      fc.record({ files: fc.nat(3), added: fc.nat(9), removed: fc.nat(9), stat: text, only_tests: fc.boolean() }),
    ),
    denied: fc.array(denials, { maxLength: 2 }),
    duration_ms: fc.nat(100_000),
  })
  .map((overrides) => aTurnEnded(overrides));

const WEAKNESSES: readonly (readonly Proved["weaknesses"][number][])[] = [
  [],
  [{ kind: "no_tests_ran" }],
  [{ kind: "scripts_changed", flagged: true, count: 1, paths: ["check.sh"] }],
];

const proved: fc.Arbitrary<Proved> = fc
  .tuple(verdicts, dates, fc.constantFrom<readonly Proved["weaknesses"][number][]>(...WEAKNESSES))
  .map(([verdict, at, weaknesses]) => ({
    ...aProved(verdict, at),
    weaknesses: verdict.result === "passed" ? [...weaknesses] : [],
  }));

const resumed: fc.Arbitrary<LoopResumed> = fc
  .tuple(
    fc.constantFrom("person", "trigger"),
    fc.constantFrom("fake", "codex"),
    fc.option(snapshots),
    dates,
    fc.option(read),
  )
  .map(([by, provider, snapshot, at, stories]) => {
    const { runtime } = aTask({ ...CHECKED, runtime: { ...CHECKED.runtime, provider } });
    return {
      type: "loop_resumed",
      by,
      runtime,
      max_iterations: 30,
      bounds: BOUNDS,
      guidance: null,
      github: null,
      snapshot,
      at,
      ...(stories === null ? {} : { stories }),
    };
  });

const started: fc.Arbitrary<TurnStarted> = fc
  .tuple(
    fc.nat(60),
    fc.constantFrom("fresh", "resumed"),
    dates,
    fc.constantFrom(
      THE_ITEM,
      ...["US-001", "US-002", "US-003"].map((id) => ({ id, title: `Story ${id}`, text: "", digest: "d" })),
    ),
  )
  .map(([iteration, session, at, item]) => ({ type: "turn_started", iteration, item, session, at }));

const storyIds = fc.constantFrom("US-001", "US-002", "US-003");
const blocked = fc.record({
  id: storyIds,
  ends: fc.constant("blocked"),
  kind: fc.constantFrom("attempts", "person"),
  why: text,
});
const storyEnds = fc.oneof(
  fc.record({ id: storyIds, ends: fc.constant("passed"), proved: fc.nat(2), criteria: fc.constant(2) }),
  blocked,
);

/** What happens to stories, whether or not it can happen now. */
const ofStories: fc.Arbitrary<Exclude<LoopEvent, { type: "loop_started" }>> = fc.oneof(
  fc.record({
    type: fc.constant("story_examined"),
    id: storyIds,
    title: text,
    digest: fc.constantFrom("d", "e"),
    before: fc.array(fc.record({ run: text, green: fc.boolean() }), { maxLength: 2 }),
    at: dates,
  }),
  fc.record({ type: fc.constant("story_given_up"), story: blocked, at: dates }),
  fc.record({
    type: fc.constant("story_shelved"),
    id: storyIds,
    patch: fc.option(fc.constant("US-001-1.patch")),
    snapshot: fc.option(snapshots),
    at: dates,
  }),
  fc.record({
    type: fc.constant("story_ruled"),
    id: storyIds,
    title: text,
    digest: fc.constantFrom("d", "e"),
    ruling: fc.constantFrom("accept", "retry"),
    by: text,
    words: fc.option(text),
    commit: fc.option(fc.constantFrom("c1", "c2")),
    at: dates,
  }),
);

/** One event of each kind; callers correct what depends on the state. */
export interface Step {
  readonly pick: number;
  readonly started: TurnStarted;
  readonly ended: TurnEnded;
  readonly proved: Proved;
  readonly resumed: LoopResumed;
  readonly other: Exclude<LoopEvent, { type: "loop_started" }>;
  readonly stopped: Extract<LoopEvent, { type: "loop_stopped" }>;
  readonly hits: Settled["hard_stops"];
  readonly ofStory: Exclude<LoopEvent, { type: "loop_started" }>;
  readonly storyEnd: StoryEnd | null;
}

const others: fc.Arbitrary<Step["other"]> = fc.oneof(
  fc.record({ type: fc.constant("turn_abandoned"), iteration: fc.nat(60), at: dates }),
  fc.record({ type: fc.constant("session_opened"), session_id: fc.constantFrom("a", "b"), at: dates }),
  fc.record({
    type: fc.constant("wait_started"),
    until: dates,
    why: fc.constantFrom("interval", "usage_limit"),
    at: dates,
  }),
  fc.record({ type: fc.constant("reset"), what: fc.constantFrom("circuit", "session"), by: text, at: dates }),
  fc.record({
    type: fc.constant("published"),
    head: fc.option(text),
    pull_request: fc.constant(null),
    continues: fc.boolean(),
    at: dates,
  }),
);

export const steps: fc.Arbitrary<Step> = fc.record({
  pick: fc.nat(99),
  started,
  ended,
  proved,
  resumed,
  other: others,
  stopped: fc.record({ type: fc.constant("loop_stopped"), reason: reasons, commit: fc.constant(null), at: dates }),
  hits,
  ofStory: ofStories,
  storyEnd: fc.option(storyEnds),
});

function settledFrom(
  state: LoopState,
  { hits, ended: { at }, storyEnd, pick }: Pick<Step, "hits" | "ended" | "storyEnd" | "pick">,
): Settled {
  const progress = countIteration(state.progress, iterationFacts(state, digest));
  const circuit = circuitOf(progress, state.signals, LIMITS);
  const { iteration } = state;
  return {
    type: "settled",
    iteration,
    commit: storyEnd?.ends === "passed" ? `c${pick % 3}` : null,
    snapshot: null,
    hard_stops: hits,
    progress,
    circuit,
    next_at: null,
    ...(storyEnd === null || state.stories === null ? {} : { story: storyEnd }),
    at,
  };
}

/** Any event, whether or not it can come now. */
export function anyEvent(state: LoopState, step: Step): Step["other"] {
  const all = [
    ...[step.started, step.ended, step.proved, step.resumed, step.other, step.stopped, settledFrom(state, step)],
    step.ofStory,
  ];
  return all[step.pick % all.length] ?? step.other;
}

/** An event that the engine, or the next run after a crash, can bring about now. */
export function possibleEvent(state: LoopState, step: Step): Step["other"] {
  const {
    pick,
    ended: { at },
  } = step;
  if (state.status !== "running") return pick < 80 ? step.resumed : { type: "reset", what: "circuit", by: "me", at };
  if (pick < 4 && state.phase !== "turn") return step.resumed;
  switch (state.phase) {
    case "turn":
      if (pick < 8) return { type: "turn_abandoned", iteration: state.iteration, at };
      if (pick < 30) return { type: "session_opened", session_id: `s${pick % 3}`, at };
      return { ...step.ended, iteration: state.iteration };
    case "unproved":
      if (pick < 8) return step.stopped;
      return pick < 60 ? step.proved : settledFrom(state, step);
    case "unsettled":
      return settledFrom(state, step);
    case "ready":
    case "settled":
      if (pick < 12) return step.stopped;
      if (pick > 70 && state.stories !== null) return step.ofStory;
      if (pick < 16 && state.first_check === null) return step.proved;
      return { ...step.started, iteration: state.iteration + 1 };
  }
}

/** A state with the event that led to it. */
export interface Entered {
  readonly before: LoopState;
  readonly event: Step["other"];
  readonly after: LoopState;
}

/** Walks from a beginning; what a transition would change of what it is given makes it throw. */
export function walk(
  start: LoopEvent,
  path: readonly Step[],
  choose: (state: LoopState, step: Step) => Step["other"],
): readonly Entered[] {
  const entered: Entered[] = [];
  let state = frozen(transition(undefined, start));
  for (const step of path) {
    const before = state;
    const event = frozen(choose(before, step));
    state = frozen(transition(before, event));
    entered.push({ before, event, after: state });
  }
  return entered;
}

function frozen<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const inner of Object.values(value)) frozen(inner);
  return Object.freeze(value);
}
