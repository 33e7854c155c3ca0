import { expect, test } from "vitest";
import { bendWords } from "../../../src/core/judges/bend.ts";
import { judgingOf } from "../../../src/core/judges/weigh.ts";
import { weaknessWords } from "../../../src/core/progress/strength.ts";
import { reconcile } from "../../../src/core/story/stories.ts";
import { aPrd, aPrdTask, aStory } from "../../support/stories.ts";
import { AT, aState, aTask } from "../../support/builders.ts";

test.each([
  [{ line: 3, was: "a", now: "b" }, "a.test.ts:3: a test asks for less (was: a; now: b)"],
  [{ line: null, was: null, now: null }, "a.test.ts: a test asks for less"],
  [{ line: 1, was: "", now: "" }, "a.test.ts:1: a test asks for less"],
])("a bend is told with its place and its lines [C40]", (more, words) => {
  const bend = { kind: "fewer_assertions", path: "a.test.ts", ...more } as const;
  expect(bendWords(bend)).toBe(words);
  expect(weaknessWords([{ kind: "judges_bent", count: 3, bends: [bend] }])).toEqual([
    `what judges the work was bent: ${words} and 2 more`,
  ]);
});

test("what a person says on resuming is among the words of the task [C42]", () => {
  const asked = judgingOf({ ...aTask(), guidance: "Update the snapshots." }, aState()).asked;
  expect(asked.kinds.has("snapshot_replaced")).toBe(true);
  expect(judgingOf(aTask(), aState()).asked.kinds.has("snapshot_replaced")).toBe(false);
});

test("of a PRD only the story that is worked on asks for something, and its commands look [C41, C42]", () => {
  const story = (id: string, title: string) =>
    aStory(id, { title, checks: [{ criterion: 0, run: "vitest run", timeoutMs: null }] });
  const task = aPrdTask(aPrd([story("US-001", "Update the tests"), story("US-002", "Mend the parser")]));
  const state = aState({}, task);
  const of = (active: string) => {
    const stories = { ...reconcile(null, { prd: "shop", stories: [], held: [] }, AT), active };
    return judgingOf(task, { ...state, stories });
  };
  expect(of("US-001").asked.kinds.has("expectation_replaced")).toBe(true);
  expect(of("US-002").asked.kinds.has("expectation_replaced")).toBe(false);
  expect(of("US-002").stories).toEqual(["vitest run", "vitest run"]);
});
