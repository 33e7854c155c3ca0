import { describe, expect, test } from "vitest";
import { OperationalError } from "../../../src/core/errors.ts";
import type { LoopResumed } from "../../../src/core/events.ts";
import type { Snapshot, LoopState } from "../../../src/core/state.ts";
import { settle } from "../../../src/core/settle.ts";
import { isSameHead } from "../../../src/core/story/head.ts";
import { transition } from "../../../src/core/transition.ts";
import { aFailure, aLastTurn, aState, aTask, aTurnEnded, AT, BOUNDS } from "../../support/builders.ts";
import { fakePorts } from "../../support/fake-ports.ts";
import { aPrd, aPrdTask, aRecord, aStory, someStories } from "../../support/stories.ts";
import { moveBefore, moveIn, request, stop } from "../stop/row.ts";

const at = (head: string | null, branch: string | null = "main"): Snapshot => ({
  ...{ id: `${head} ${branch}`, tree: "t", head, branch },
});
const stands = { head: "one", branch: "main" };
const moved = { head: "two", branch: "main" };
const WORKING = someStories([aRecord("US-001", { state: "in_progress" })], { active: "US-001", stands });
const OFF = { ...WORKING, moved };
const LINK = {
  ...{ branch: "b", head: null, pull_request: null, authorised_by: null, obeyed: null, continuations: 0 },
};

test("what HEAD names is the same when commit and branch are; a branch that nobody noted is not compared", () => {
  expect(isSameHead(at("one"), at("one"))).toBe(true);
  expect(isSameHead(at("one"), at("one", "other"))).toBe(false);
  expect(isSameHead(at("one"), at("one", null))).toBe(false);
  expect(isSameHead(at("one"), at("two"))).toBe(false);
  expect(isSameHead({ head: "one" }, at("one", "other"))).toBe(true);
  expect(isSameHead(at("one"), { head: "one" })).toBe(true);
});

describe("where HEAD is expected", () => {
  const ended = (snapshot: Snapshot | null) =>
    transition(aState({ phase: "turn", stories: WORKING }), aTurnEnded({ snapshot })).stories;
  test("after a turn: where the loop has left it", () => {
    expect(ended(at("one"))).not.toHaveProperty("moved");
    expect(ended(null)).not.toHaveProperty("moved");
    expect(ended(at("two"))).toMatchObject({ stands, moved });
    expect(ended(at("one", "other"))).toMatchObject({ stands, moved: { head: "one", branch: "other" } });
    expect(ended({ id: "i", tree: "t", head: "two" })?.moved, "of an older file").toEqual({ head: "two" });
  });

  const abandoned = (state: Partial<LoopState>) =>
    transition(aState({ phase: "turn", stories: WORKING, ...state }), {
      ...{ type: "turn_abandoned", iteration: 1, snapshot: at("two"), at: AT },
    }).stories;
  test("after a turn that died, but not on another machine: its checkout is new", () => {
    expect(abandoned({})).toMatchObject({ moved });
    expect(abandoned({ github: LINK })).not.toHaveProperty("moved");
    expect(abandoned({ stories: null })).toBeNull();
  });

  const resumed = (state: Partial<LoopState>, snapshot: Snapshot | null = at("two"), more: Partial<LoopResumed> = {}) =>
    transition(aState({ stories: WORKING, ...state }), {
      ...{ type: "loop_resumed", at: AT, by: "person", runtime: aTask().runtime, max_iterations: 30, bounds: BOUNDS },
      ...{ guidance: null, github: null, snapshot, ...more },
    }).stories;
  const blocked = { status: "blocked", stop_reason: { kind: "head_moved", from: stands, to: moved } } as const;
  test("when somebody lets a loop go on: where it is then", () => {
    expect(resumed({ ...blocked, phase: "unproved", stories: OFF })).toEqual({ ...WORKING, stands: moved });
    expect(resumed({ ...blocked, stories: OFF }, at("one"))).toEqual(WORKING);
    expect(resumed({ phase: "settled" }), "killed between two turns").toEqual({ ...WORKING, stands: moved });
    expect(resumed({}, null)).toEqual(WORKING);
  });

  test("when a run died with a turn's work not judged: where that turn was to leave it", () => {
    expect(resumed({ phase: "unproved" })).toEqual(OFF);
    expect(resumed({ phase: "ready", stories: OFF })).toEqual(OFF);
    expect(resumed({ phase: "unproved", stories: OFF }, at("one")), "put back meanwhile").toEqual(WORKING);
    expect(resumed({ phase: "unproved", github: LINK })).toEqual({ ...WORKING, stands: moved });
    expect(resumed({ phase: "unsettled" }), "its commit may have been made").toEqual(WORKING);
  });
});

describe("work whose commit would be built on something else", () => {
  const reason = { kind: "head_moved", from: stands, to: moved };
  test("is not judged, and the loop ends before anything else of it is looked at [D-08]", () => {
    for (const phase of ["ready", "unproved", "settled"] as const) {
      expect(moveIn(phase, { title: "", state: { stories: OFF }, facts: request("stop") })).toEqual(
        phase === "settled" ? stop({ kind: "stopped" }) : { do: "stop", reason },
      );
      expect(moveIn(phase, { title: "", state: { stories: OFF }, facts: request("cancel") })).toEqual(
        stop({ kind: "canceled" }),
      );
      expect(moveIn(phase, { title: "", state: { stories: OFF }, facts: request("supersede") })).toEqual(
        stop({ kind: "superseded" }),
      );
    }
    expect(moveBefore({ title: "", state: { stories: OFF }, move: "" })).toEqual({ do: "stop", reason });
  });

  test("is not committed when its turn failed", () => {
    const last_turn = aLastTurn({ failure: aFailure("transport") });
    const task = { runtime: { commit: "iteration" } } as const;
    const state = { stories: OFF, last_turn };
    expect(moveIn("unsettled", { title: "", task, state })).toMatchObject({ do: "settle", commits: false });
  });

  const settledWith = async (snapshot: Snapshot | null, stories = WORKING) => {
    const prd = aPrd([aStory("US-001")]);
    const task = aPrdTask(prd);
    const ports = fakePorts();
    const asked: unknown[] = [];
    const commit = async (given: { on?: unknown }) => {
      asked.push(given.on);
      throw new OperationalError({ code: "GIT_HEAD_MOVED", what: "It moved.", next: "Look." });
    };
    Object.assign(ports.workspace, { commit, snapshot: async () => snapshot });
    const last_turn = aLastTurn({ item: "US-001", pending: 1 });
    const state = aState({ iteration: 1, stories, last_turn }, task);
    const story = { id: "US-001", ends: "passed", proved: 0, criteria: 1 } as const;
    const end = await settle({ task, state, ports }, { commits: true, story });
    expect(asked).toEqual([stories.stands]);
    return end;
  };
  test("because a check has moved HEAD, is found when it is to be committed [D-08]", async () => {
    expect(await settledWith(at("two"))).toEqual(reason);
    // Somebody has put it back in between.
    expect(await settledWith(at("one"))).toMatchObject({ kind: "commit_refused" });
    expect(await settledWith(null)).toMatchObject({ kind: "commit_refused" });
    const { stands: _older, ...unmeasured } = WORKING;
    expect(await settledWith(at("two"), unmeasured)).toMatchObject({ kind: "commit_refused" });
  });

  test("or not: a story's commit is told with what git ignored before, and it leaves out", async () => {
    const told = async (ignored: readonly string[] | undefined) => {
      const ports = fakePorts();
      const made = { commit: "c", snapshot: at("two"), ...(ignored && { ignored }) };
      const texts: unknown[] = [];
      Object.assign(ports.workspace, { commit: async () => made });
      Object.assign(ports.reporter, { observe: (event: unknown) => void texts.push(event) });
      const task = aPrdTask(aPrd([aStory("US-001")]));
      const last_turn = aLastTurn({ item: "US-001", pending: 1 });
      const state = aState({ iteration: 1, stories: WORKING, last_turn }, task);
      const story = { id: "US-001", ends: "passed", proved: 0, criteria: 1 } as const;
      expect(await settle({ task, state, ports }, { commits: true, story })).toMatchObject({ commit: "c" });
      return texts;
    };
    expect(await told(undefined)).toEqual([]);
    const text = expect.stringMatching(/^git ignored \.env before the story began/u);
    expect(await told([".env"])).toEqual([{ type: "notice", text }]);
    const many = expect.stringMatching(/^git ignored 1, 2, 3, 4, 5, 2 more before/u);
    expect(await told(["1", "2", "3", "4", "5", "6", "7"])).toEqual([{ type: "notice", text: many }]);
  });
});
