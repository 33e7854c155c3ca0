import { describe, expect, test } from "vitest";
import { itemOf, itemsLeft, pickStory, storyTally } from "../../../src/core/story/pick.ts";
import { isPrdName, isStoryId } from "../../../src/core/story/story.ts";
import { marksOf, type Stories, type StoryRecord } from "../../../src/core/story/stories.ts";
import type { PrdTask } from "../../../src/core/task.ts";
import { digest } from "../../support/builders.ts";
import { aBlockedRecord, aPassedRecord, aPrd, aRecord, aStory, someStories } from "../../support/stories.ts";

const [A, B, C] = ["US-001", "US-002", "US-003"] as const;
const THREE = [aStory(A, { priority: 2 }), aStory(B, { priority: 1 }), aStory(C, { priority: 1 })];

interface Row {
  readonly title: string;
  readonly prd?: Partial<PrdTask>;
  readonly records?: readonly StoryRecord[];
  readonly known?: Partial<Stories>;
  readonly picks: string | undefined;
}

describe("the next story", () => {
  test.each<Row>([
    { title: "the lowest priority number, of equal ones the first in the file [D-16]", picks: B },
    {
      title: "the one in progress before all others [D-15]",
      records: [aRecord(A, { state: "in_progress" })],
      picks: A,
    },
    {
      title: "the one whose work is in the work tree, once it may be tried again",
      records: [aRecord(A)],
      known: { active: A },
      picks: A,
    },
    {
      title: "none that has passed, also if its work would be in the tree [D-15]",
      records: [aPassedRecord(B)],
      known: { active: B },
      picks: C,
    },
    {
      title: "none that has passed and says something else now",
      records: [aPassedRecord(B, {}, { changed: true })],
      picks: C,
    },
    { title: "none that waits for a person", records: [aBlockedRecord(B)], picks: C },
    {
      title: "what others depend on before them",
      prd: { stories: [aStory(A, { dependsOn: [B] }), aStory(B, { priority: 9 })] },
      picks: B,
    },
    {
      title: "without a word of dependencies, by priority alone",
      prd: { stories: [aStory(A, { dependsOn: null, priority: 5 })] },
      picks: A,
    },
    {
      title: "none that depends on one that is blocked",
      prd: { stories: [aStory(A), aStory(B, { dependsOn: [A] })] },
      records: [aBlockedRecord(A)],
      picks: undefined,
    },
    {
      title: "one in progress that has come to depend on another waits for it",
      prd: { stories: [aStory(A, { dependsOn: [B] }), aStory(B)] },
      records: [aRecord(A, { state: "in_progress" })],
      picks: B,
    },
    { title: "the one that the run was asked for alone", prd: { only: A }, picks: A },
    {
      title: "none beyond those that the run was asked for",
      prd: { maxStories: 2 },
      known: { passed_in_run: 2 },
      picks: undefined,
    },
    { title: "one more of those", prd: { maxStories: 2 }, known: { passed_in_run: 1 }, picks: B },
  ])("$title", ({ prd = {}, records = [], known = {}, picks }) => {
    expect(pickStory(aPrd(THREE, prd), someStories(records, known))?.id).toBe(picks);
  });
});

test("what is left comes by priority, and is told apart from what has passed", () => {
  const known = someStories([aPassedRecord(B)]);
  expect(itemsLeft(aPrd(THREE), known).map(({ id }) => id)).toEqual([C, A]);
  expect(storyTally(aPrd(THREE), known).passed).toBe(1);
});

test("a story's item names what it asks for: its text and its commands, and not when it comes", () => {
  const of = (story: ReturnType<typeof aStory>) => itemOf(story, digest).digest;
  const checks = [{ criterion: 0, run: "npm test", timeoutMs: 5 }];
  expect(of(aStory(A, { priority: 5, dependsOn: [B], passes: true }))).toBe(of(aStory(A)));
  expect(
    new Set([
      of(aStory(A)),
      of(aStory(A, { title: "x" })),
      of(aStory(A, { criteria: ["x"] })),
      of(aStory(A, { checks })),
    ]).size,
  ).toBe(4);
});

test("prd.json says of each story what the loop knows", () => {
  const known = someStories([aPassedRecord(A), aRecord(B, { state: "in_progress" }), aBlockedRecord(C)]);
  expect([...marksOf(known)]).toEqual([
    [A, { passes: true, inProgress: false }],
    [B, { passes: false, inProgress: true }],
    [C, { passes: false, inProgress: false }],
  ]);
});

test.each([
  ["shop", true],
  ["v2.1_x-y", true],
  ["run", false],
  ["Status", false],
  ["a..b", false],
  ["x.lock", false],
  ["-x", false],
  ["a/b", false],
])("%s names a PRD: %s", (name, is) => {
  expect(isPrdName(name)).toBe(is);
});

test.each([
  ["US-001", true],
  ["US-1", false],
  ["us-001", false],
  ["US-001\n", false],
])("%j is a story's id: %s", (id, is) => {
  expect(isStoryId(id)).toBe(is);
});
