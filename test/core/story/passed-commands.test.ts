import { describe, expect, test } from "vitest";
import { decide } from "../../../src/core/decide.ts";
import { commandsBefore, commandsRedBefore } from "../../../src/core/story/passed-commands.ts";
import { transition } from "../../../src/core/transition.ts";
import type { LoopState } from "../../../src/core/state.ts";
import { AT, aState, NOW } from "../../support/builders.ts";
import { aPassedRecord, aPrd, aPrdTask, aRecord, aStory, someStories } from "../../support/stories.ts";

const ONE = aStory("US-001", { checks: [{ criterion: 0, run: "one", timeoutMs: null }] });
const PRD = aPrd([ONE, aStory("US-002")]);
const TASK = aPrdTask(PRD, { runtime: { checkFirst: false } });

describe("where no work tree is measured", () => {
  const known = someStories([aPassedRecord("US-001")]);
  const state = aState({ snapshot: null, stories: known }, TASK);
  const asked = (at: LoopState, id = "US-002") => commandsBefore(TASK, at, id).map(({ run }) => run);

  test("passed stories' commands are asked once before each story", () => {
    expect(asked(state)).toEqual(["one"]);
    const others = { asked: 1, red: [] };
    const event = {
      type: "story_examined",
      id: "US-002",
      title: "x",
      digest: "d",
      before: [],
      others,
      at: AT,
    } as const;
    const after = transition(state, event);
    expect(after.stories?.asked).toEqual({ story: "US-002", tree: null, red: [], unasked: [] });
    expect([asked(after), asked(after, "US-003")]).toEqual([[], ["one"]]);
  });

  test("a story that passes has asked them, in no tree that is known", () => {
    const working = someStories([aRecord("US-002", { state: "in_progress" })], { active: "US-002" });
    const story = { id: "US-002", ends: "passed", proved: 0, criteria: 1 } as const;
    const { progress, circuit } = state;
    const settled = {
      type: "settled",
      iteration: 1,
      commit: null,
      snapshot: null,
      hard_stops: [],
      next_at: null,
    } as const;
    const after = transition({ ...state, stories: working }, { ...settled, progress, circuit, story, at: AT });
    expect(after.stories?.asked).toMatchObject({ story: "US-002", tree: null });
  });
});

test("what is red and no story names any more is not told", () => {
  const asked = { story: null, tree: null, red: ["one", "gone"], unasked: [] };
  expect(commandsRedBefore(PRD, { asked })).toEqual([{ story: "US-001", run: "one" }]);
});

test("a story that is in no document is begun as it is", () => {
  const state = aState({ stories: someStories() }, TASK);
  const item = { id: "US-009", title: "x", text: "" };
  const facts = { now: NOW, request: null, item, hardStops: [] };
  expect(decide(TASK, state, facts)).toEqual({ do: "turn", item });
});
