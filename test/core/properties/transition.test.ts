import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LoopEvent } from "../../../src/core/events.ts";
import { outcomeOf } from "../../../src/core/outcome.ts";
import { KEPT_HARD_STOPS, KEPT_ITERATIONS, type LoopState, PROMPT_IN_STATE } from "../../../src/core/state.ts";
import { transition } from "../../../src/core/transition.ts";
import type { Verdict } from "../../../src/core/verdict.ts";
import { encodeState } from "../../../src/store/state-file.ts";
import { anyEvent, type Entered, possibleEvent, starts, steps, walk } from "./walk.ts";

const KEPT_OUTPUT = 6144;
const KIB = 1024;

/** What no event may break, whenever it comes. */
function broken({ before, event, after }: Entered): readonly string[] {
  const rules: Record<string, boolean> = {
    "the revision counts events": after.revision === before.revision + 1,
    "the event dates the state": after.updated_at === event.at,
    "what is spent stays spent": grew(before, after),
    "a status has its reason":
      after.status === (after.stop_reason === null ? "running" : outcomeOf(after.stop_reason).status),
    "the task is the same": taskOf(before) === taskOf(after),
    "history is bounded": after.iterations.length <= KEPT_ITERATIONS,
    "hits are bounded": (after.todo?.seen.length ?? 0) <= KEPT_HARD_STOPS,
    "confirmed hits are bounded": (after.todo?.acknowledged.length ?? 0) <= KEPT_HARD_STOPS,
    "the prompt is bounded": after.prompt.length <= PROMPT_IN_STATE,
    "output is bounded": outputOf(after.verdict) <= KEPT_OUTPUT && outputOf(after.first_check) <= KEPT_OUTPUT,
    "names are bounded": (after.failing?.failing.length ?? 0) <= 200 && (after.baseline?.failing.length ?? 0) <= 200,
    "trees are bounded": after.progress.trees.length <= 500,
    "a closed circuit has no trigger": (after.circuit.state === "CLOSED") === (after.circuit.trigger === null),
  };
  return Object.keys(rules).filter((rule) => rules[rule] === false);
}

function grew({ spent: before }: LoopState, { spent: after }: LoopState): boolean {
  return (
    after.turns >= before.turns &&
    after.tokens >= before.tokens &&
    after.input_tokens >= before.input_tokens &&
    after.cached_input_tokens >= before.cached_input_tokens &&
    after.output_tokens >= before.output_tokens &&
    after.turn_ms >= before.turn_ms &&
    after.check_ms >= before.check_ms &&
    after.resumes >= before.resumes
  );
}

function taskOf({ loop_id, generation, created_at, prompt, prompt_digest, task_digest, checks }: LoopState): string {
  return JSON.stringify({ loop_id, generation, created_at, prompt, prompt_digest, task_digest, checks });
}

function outputOf(verdict: Verdict | null): number {
  return (verdict?.checks ?? []).reduce((sum, { tail }) => sum + tail.length, 0);
}

/** A turn that was refused gives its own iteration back, and nothing else does. */
function countsOf(entered: readonly Entered[]): {
  readonly begun: number;
  readonly given: number;
  readonly turns: number;
} {
  const begun = entered.filter(({ event }) => event.type === "turn_started").length;
  const given = entered.filter(
    ({ event, after }) => event.type === "turn_ended" && after.iteration < event.iteration,
  ).length;
  return { begun, given, turns: entered.filter(({ event }) => event.type === "turn_ended").length };
}

/** What an event may do to a story; whatever else it is, it stays. */
const LEGAL: Readonly<Record<string, readonly LoopEvent["type"][]>> = {
  "pending in_progress": ["turn_started"],
  "in_progress passed": ["settled", "story_ruled"],
  "pending passed": ["story_ruled", "loop_resumed"],
  "in_progress pending": ["settled", "story_given_up", "story_shelved", "story_ruled", "loop_resumed"],
  "passed pending": ["story_ruled", "loop_resumed"],
};

/** A story that goes somewhere it may not go, or stands as no story stands. */
function illegal({ before, event, after }: Entered): readonly string[] {
  const of = (state: LoopState, id: string) => state.stories?.records.find((record) => record.id === id);
  return (after.stories?.records ?? []).flatMap((record) => {
    const { id, state, blocked, passing } = record;
    const was = of(before, id)?.state ?? "pending";
    const isLegal = was === state || LEGAL[`${was} ${state}`]?.includes(event.type) === true;
    const isPassedBack = was === "passed" && event.type === "story_ruled" && state === "pending";
    return [
      ...(isLegal ? [] : [`${event.type}: ${id} went from ${was} to ${state}`]),
      ...(isPassedBack && event.ruling !== "retry" ? [`${id} is not passed any more, by ${event.ruling}`] : []),
      ...((state === "passed") === (passing !== null) ? [] : [`${id} is ${state} with the wrong record`]),
      ...(blocked !== null && state !== "pending" ? [`${id} is blocked and ${state}`] : []),
    ];
  });
}

describe("the state", () => {
  it("lets a story go from pending to in_progress to passed, and back only where a person or the branch says so [D-14]", () => {
    fc.assert(
      fc.property(starts, fc.array(steps, { maxLength: 60 }), fc.boolean(), (start, path, possible) => {
        const entered = walk(start, path, possible ? possibleEvent : anyEvent);
        expect(entered.flatMap(illegal)).toEqual([]);
        const ids = entered.map(({ after }) => after.stories?.records.map(({ id }) => id) ?? []);
        expect(
          ids.every((now) => new Set(now).size === now.length),
          "one record for each",
        ).toBe(true);
        expect(
          ids.every((now, at) => (ids[at - 1] ?? []).every((id) => now.includes(id))),
          "no story is lost",
        ).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it("holds together whatever events come, in whatever order [W-40, W-48, section 4.5]", () => {
    fc.assert(
      fc.property(starts, fc.array(steps, { maxLength: 40 }), (start, path) => {
        expect(walk(start, path, anyEvent).flatMap(broken)).toEqual([]);
      }),
      { numRuns: 120 },
    );
  });

  it("counts iterations upwards, but for those that the provider refused [W-39, POST 3]", () => {
    fc.assert(
      fc.property(starts, fc.array(steps, { maxLength: 60 }), (start, path) => {
        const entered = walk(start, path, possibleEvent);
        expect(entered.flatMap(broken)).toEqual([]);
        const fell = entered.filter(({ before, after }) => after.iteration < before.iteration);
        expect(
          fell.every(
            ({ before, event, after }) => event.type === "turn_ended" && after.iteration === before.iteration - 1,
          ),
        ).toBe(true);
        const { begun, given, turns } = countsOf(entered);
        const last = entered.at(-1)?.after;
        expect([last?.iteration ?? 0, last?.spent.turns ?? 0]).toEqual([begun - given, turns]);
      }),
      { numRuns: 120 },
    );
  });

  it("is the fold of its events, the same every time [W-40]", () => {
    fc.assert(
      fc.property(starts, fc.array(steps, { maxLength: 40 }), (start, path) => {
        const entered = walk(start, path, possibleEvent);
        const events: readonly LoopEvent[] = [start, ...entered.map(({ event }) => event)];
        const fold = () => events.reduce<LoopState | undefined>(transition, undefined);
        expect(fold()).toEqual(fold());
        expect(entered.length === 0 || JSON.stringify(fold()) === JSON.stringify(entered.at(-1)?.after)).toBe(true);
      }),
      { numRuns: 80 },
    );
  });

  it("stays below 64 KiB however long the loop runs [W-48, W-66]", () => {
    fc.assert(
      fc.property(starts, fc.array(steps, { minLength: 30, maxLength: 30 }), (start, path) => {
        const long = Array.from({ length: 80 }, () => path).flat();
        const last = walk(start, long, possibleEvent).at(-1)?.after;
        expect(last === undefined ? 0 : Buffer.byteLength(encodeState(last))).toBeLessThan(64 * KIB);
      }),
      { numRuns: 8 },
    );
  });
});
