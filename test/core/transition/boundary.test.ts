import { describe, expect, test } from "vitest";
import type { Refusal } from "../../../src/core/boundary.ts";
import type { LoopEvent } from "../../../src/core/events.ts";
import { stateSchema, type LoopState } from "../../../src/core/state.ts";
import { transition } from "../../../src/core/transition.ts";
import { aFailure, aLoopStarted, aState, aTask, aTurnEnded, AT, BOUNDS } from "../../support/builders.ts";

const refused: Refusal = { kind: "protected_paths", count: 1, paths: ["CODEOWNERS"] };
const snapshot = { id: "1", tree: "1", head: "1" };
const after = (turns: number): Partial<LoopState> => ({ boundary: { begun: snapshot, refused, turns } });

function resumed(by: "person" | "trigger", still: boolean): LoopEvent {
  const { runtime } = aTask();
  const given = { runtime, max_iterations: 9, bounds: BOUNDS, guidance: null, github: null, snapshot };
  return { type: "loop_resumed", at: AT, by, ...given, ...(still ? { refused } : {}) };
}

test("the loop remembers what it began with, whatever the workspace holds later [T17]", () => {
  const begun = transition(undefined, aLoopStarted(aTask(), { snapshot }));
  expect(begun.boundary).toEqual({ begun: snapshot, refused: null, turns: 0 });
  const later = transition(begun, aTurnEnded({ snapshot: { id: "2", tree: "2", head: "2" } }));
  expect(later.boundary).toEqual({ begun: snapshot, refused: null, turns: 0 });
});

test("turns in a row count; one that undoes the change ends the row [T17]", () => {
  const once = transition(aState({ boundary: { begun: snapshot, refused: null, turns: 0 } }), aTurnEnded({ refused }));
  expect(once.boundary).toEqual({ begun: snapshot, refused, turns: 1 });
  const twice = transition(once, aTurnEnded({ refused }));
  expect(twice.boundary.turns).toBe(2);
  expect(transition(twice, aTurnEnded()).boundary).toEqual({ begun: snapshot, refused: null, turns: 0 });
});

test("a turn that did not come about does not count [T17]", () => {
  const limited = aTurnEnded({ refused, failure: aFailure("rate_limited") });
  expect(transition(aState(after(1)), limited).boundary.turns).toBe(1);
});

describe("when the loop goes on", () => {
  const blocked: Partial<LoopState> = { ...after(2), status: "blocked", stop_reason: refused, phase: "settled" };

  test.each([
    ["by a person, the agent gets another try", blocked, "person", true, { refused, turns: 0 }],
    ["after a crash, nothing is forgiven", { ...after(1), status: "running" }, "person", true, { refused, turns: 1 }],
    ["by a trigger, nothing is forgiven", blocked, "trigger", true, { refused, turns: 2 }],
    ["with the change undone, nothing is left of it", blocked, "person", false, { refused: null, turns: 0 }],
  ] as const)("%s [T17, C25]", (_title, state, by, still, boundary) => {
    expect(transition(aState(state), resumed(by, still)).boundary).toEqual({ begun: snapshot, ...boundary });
  });

  test("a loop of an earlier version begins to be compared [T17]", () => {
    const { boundary: _none, ...older } = aState();
    const read = stateSchema.parse(older);
    expect(read.boundary).toEqual({ begun: null, refused: null, turns: 0 });
    expect(transition(read, resumed("person", false)).boundary.begun).toEqual(snapshot);
  });
});
