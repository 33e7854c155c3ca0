import { expect, test } from "vitest";
import { decide } from "../../../src/core/decide.ts";
import { firstPrompt } from "../../../src/core/prompt/prompt.ts";
import { storyEvidence } from "../../../src/core/story/judge.ts";
import { itemsLeft, pickStory } from "../../../src/core/story/pick.ts";
import { marksOf, reconcile, storyDigest } from "../../../src/core/story/stories.ts";
import { encodeState } from "../../../src/store/state-file.ts";
import { aDoneClaim, aFacts, aLastTurn, aState, AT, digest, NOW } from "../../support/builders.ts";
import { aPassedRecord, aPrd, aPrdTask, aRecord, aStory, someStories } from "../../support/stories.ts";

const MANY = 1_000;
const idOf = (n: number): string => `US-${1000 + n}`;
const stories = Array.from({ length: MANY }, (_, n) =>
  aStory(idOf(n), {
    title: "A title of the length that titles have",
    dependsOn: n === 0 ? [] : [idOf(n - 1)],
    checks: [{ criterion: 0, run: `npm run e2e -- ${n}`, timeoutMs: null }],
  }),
);
const prd = aPrd(stories);
const task = aPrdTask(prd);
const passed = stories.map(({ id, title }) =>
  aPassedRecord(id, { commit: digest(id).slice(0, 40) }, { title, digest: digest(id).slice(0, 16) }),
);
const allButLast = someStories(passed.slice(0, -1), { total: MANY });

/** What one look at a loop asks of its stories; a quadratic answer takes seconds. */
test("a thousand stories are looked at within a moment, the last one in line as well", () => {
  const read = {
    prd: "shop",
    stories: stories.map((story) => ({ ...story, digest: storyDigest(story, digest) })),
    held: [],
  };
  const active = idOf(MANY - 1);
  const working = {
    ...allButLast,
    active,
    records: [...allButLast.records, aRecord(active, { state: "in_progress" })],
  };
  const state = aState(
    { phase: "unproved", stories: working, last_turn: aLastTurn({ claim: aDoneClaim(), pending: 1 }) },
    task,
  );
  const began = performance.now();
  for (let look = 0; look < 10; look++) {
    expect(pickStory(prd, allButLast)?.id).toBe(active);
    expect(itemsLeft(prd, allButLast)).toHaveLength(1);
    expect(marksOf(allButLast).size).toBe(MANY - 1);
    expect(reconcile(allButLast, read, AT).total).toBe(MANY);
    expect(storyEvidence(task, state)?.commands).toHaveLength(MANY);
    expect(
      decide(task, aState({ stories: someStories(passed), phase: "settled" }, task), aFacts({ item: null })),
    ).toMatchObject({ do: "stop", reason: { kind: "stories_passed" } });
  }
  expect(performance.now() - began, "milliseconds for ten looks").toBeLessThan(2_000);
});

test("the state of a thousand passed stories is a few hundred bytes for each, and what a run begins with is smaller", () => {
  const state = aState({ stories: someStories(passed) }, task);
  expect(Buffer.byteLength(encodeState(state))).toBeLessThan(640 * 1024);
  const read = stories.map((story) => ({
    id: story.id,
    title: story.title,
    digest: storyDigest(story, digest),
    passes: true,
  }));
  expect(
    JSON.stringify({ prd: "shop", stories: read, held: passed.map(({ passing }) => passing?.commit) }).length,
  ).toBeLessThan(256 * 1024);
});

test("the prompt of a story names few of the others and stays small, however long the texts are", () => {
  const long = "x".repeat(300_000);
  const first = aStory("US-1000", { description: long, criteria: Array.from({ length: 100 }, () => long) });
  const large = aPrd([first, ...stories.slice(1)], { description: long });
  const state = aState({ iteration: 1, phase: "turn", stories: someStories([], { total: MANY }) }, task);
  const item = { id: first.id, title: first.title, text: "" };
  const prompt = firstPrompt({ task: aPrdTask(large), state, item, now: NOW, progress: "" });
  expect(prompt.length).toBeLessThan(200_000);
  expect(prompt).toContain("… and 979 more");
});
