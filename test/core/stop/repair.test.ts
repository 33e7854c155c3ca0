import { describe, expect, test } from "vitest";
import { decide } from "../../../src/core/decide.ts";
import type { Checks, Task } from "../../../src/core/task.ts";
import { seenHere } from "../../../src/core/repair/repair.ts";
import { greenUntouched } from "../../../src/core/stop/repair.ts";
import { transition } from "../../../src/core/transition.ts";
import type { LoopState } from "../../../src/core/state.ts";
import {
  aFacts,
  aFailedRun,
  aLoopStarted,
  aProved,
  aRepair,
  aState,
  aTask,
  aVerdict,
  THE_ITEM,
} from "../../support/builders.ts";

const NONE: Checks = { successCommand: null, successShell: null, quality: [], ci: null };
const SNAPSHOT = { id: "s", tree: "t", head: null };

function taskWith(checks: Partial<Checks>, runtime: Partial<Task["runtime"]> = {}): Task {
  const task = aTask();
  return {
    ...task,
    identity: { ...task.identity, checks: { ...NONE, ...checks } },
    runtime: { ...task.runtime, checkFirst: false, ...runtime },
    repair: aFailedRun(),
  };
}

/** A loop that has just been asked to repair a run. */
function begun(task: Task): LoopState {
  return transition(undefined, aLoopStarted(task, { repair: aFailedRun(), snapshot: SNAPSHOT }));
}

const FACTS = aFacts({ item: THE_ITEM });

describe("a failed run before the first turn", () => {
  test.each([
    ["a success command", { successShell: "npm test" }],
    ["quality commands", { quality: ["npm test"] }],
  ])("%s is asked, although check-first is off [C102]", (_name, checks) => {
    const task = taskWith(checks);
    expect(decide(task, begun(task), FACTS)).toMatchObject({ do: "prove", evidence: { occasion: "first" } });
  });

  test.each([
    ["green here, and nothing else could prove it: no success, no turn", { successShell: "x" }, "passed", "stop"],
    ["quality commands are green here: the same", { quality: ["x"] }, "passed", "stop"],
    ["green here, and CI proves it: the agent gets the log", { successShell: "x", ci: "ci.yml" }, "passed", "turn"],
    ["red here: a turn", { successShell: "x" }, "failed", "turn"],
  ] as const)("%s [C102]", (_name, checks, result, does) => {
    const task = taskWith(checks);
    const state = transition(begun(task), aProved(aVerdict(result)));
    const move = decide(task, state, FACTS);
    expect(move.do).toBe(does);
    expect(state.repair?.here).toBe(result === "passed" ? "green" : "red");
    const reason = { kind: "not_reproduced", why: "green_here", job: "test", cause: "branch" };
    expect(move).toMatchObject(does === "stop" ? { reason } : { do: does });
  });

  test("what was cut off has said nothing, and what is said later is not what was seen first [C102]", () => {
    const task = taskWith({ successShell: "x" });
    const cut = transition(begun(task), aProved(aVerdict("cut_off")));
    expect(cut.repair?.here).toBeNull();
    const red = transition(cut, aProved(aVerdict("failed")));
    expect(transition(red, aProved(aVerdict("passed"))).repair?.here).toBe("red");
    expect(seenHere(begun(task), "unrunnable")?.here).toBeNull();
    const later = { ...begun(task), iteration: 1 };
    expect(transition(later, aProved(aVerdict("passed"))).repair?.here).toBeNull();
  });

  test("what GitHub does not tell stays empty, and without a failed run nothing is judged [C102]", () => {
    const task = taskWith({ successShell: "x" });
    const untold = aLoopStarted(task, { repair: aFailedRun({ jobs: [] }), snapshot: null });
    const state = transition(undefined, untold);
    expect(state.repair?.tree).toBeNull();
    expect(greenUntouched(task, state)).toMatchObject({
      reason: { kind: "not_reproduced", job: "", why: "green_here" },
    });
    expect(greenUntouched(task, { ...state, repair: null })).toBeUndefined();
    const resumed = {
      ...untold,
      type: "loop_resumed",
      by: "trigger",
      repair: aFailedRun({ run: { ...aFailedRun().run, id: 99 } }),
    } as const;
    expect(transition({ ...state, status: "error" }, resumed).repair).toMatchObject({ run: { id: 99 }, tree: null });
  });

  test("a flaky check ends the loop, unless its cause is to be found [C103]", () => {
    const flake = { command: "npm test", tests: ["adds up"], red: "not ok", green: "ok", tries: 1 };
    const verdict = { ...aVerdict("failed"), flake };
    const task = taskWith({ successShell: "x" });
    const state = transition(begun(task), aProved(verdict));
    expect(decide(task, state, FACTS)).toEqual({ do: "stop", reason: { kind: "flaky", ...flake } });
    expect(decide(taskWith({ successShell: "x" }, { fixFlakes: true }), state, FACTS).do).toBe("turn");
  });

  test("what was red every time is a real red, whatever else is flaky beside it [C166]", () => {
    const flake = { command: "npm test", tests: ["adds up"], red: "not ok", green: "", other: "no", tries: 1 };
    const task = taskWith({ successShell: "x" });
    const first = (stable?: readonly string[]) =>
      transition(
        begun(task),
        aProved({ ...aVerdict("failed"), flake: stable === undefined ? flake : { ...flake, stable: [...stable] } }),
      );
    expect(decide(task, first(), FACTS)).toEqual({ do: "stop", reason: { kind: "flaky", ...flake } });
    expect(decide(task, first(["takes"]), FACTS).do).toBe("turn");
  });
});

describe("a check that was green after a turn, and then red on the same files", () => {
  const flake = { command: "npm test", tests: ["adds up"], red: "not ok", green: "ok", tries: 1 };
  const after = (fixFlakes: boolean) => {
    const task = taskWith({ successShell: "x" }, { fixFlakes });
    const state: LoopState = {
      ...aState({}, task),
      phase: "settled",
      iteration: 1,
      verdict: { ...aVerdict("failed"), flake },
    };
    return decide(task, state, FACTS);
  };

  test("ends the loop, for nobody has asked for its cause [C103, C119]", () => {
    expect(after(false)).toEqual({ do: "stop", reason: { kind: "flaky", ...flake } });
  });

  test("is looked into where that is asked for [C103, C119]", () => {
    expect(after(true).do).toBe("turn");
  });
});

describe("green checks after a turn", () => {
  const settled = (tree: string | null, now: string): LoopState => ({
    ...aState({}, taskWith({ successShell: "x" })),
    ...{ phase: "settled", iteration: 1, repair: aRepair({ tree, here: "red" }), verdict: aVerdict("passed") },
    snapshot: { id: "s", tree: now, head: null },
  });

  test.each([
    ["prove a repair that changed something", settled("t", "u"), "success_command"],
    ["prove nothing where nothing has changed", settled("t", "t"), "not_reproduced"],
    ["prove it where the tree was not known", settled(null, "t"), "success_command"],
  ])("%s [C102]", (_name, state, kind) => {
    expect(decide(taskWith({ successShell: "x" }), state, FACTS)).toMatchObject({ do: "stop", reason: { kind } });
  });
});

test("the same failure is remembered once, another one begins anew, and a turn's open work may be its repair [C100]", () => {
  const task = taskWith({ successShell: "x" });
  const state: LoopState = { ...begun(task), iteration: 3, phase: "settled", status: "error" };
  const resumed = (repair: ReturnType<typeof aFailedRun> | undefined, from = state): LoopState =>
    transition(from, {
      ...aLoopStarted(task, { snapshot: { id: "x", tree: "u", head: null } }),
      type: "loop_resumed",
      by: "trigger",
      ...(repair === undefined ? {} : { repair }),
    });
  expect(resumed(undefined).repair).toEqual(state.repair);
  expect(resumed(aFailedRun()).repair).toEqual(state.repair);
  const other = aFailedRun({ run: { ...aFailedRun().run, id: 99 } });
  expect(resumed(other).repair).toMatchObject({ run: { id: 99 }, since: 3, tree: "u", here: null });
  expect(resumed(other, { ...state, phase: "unproved" }).repair?.tree).toBeNull();
});
