import { expect, test } from "vitest";
import type { LoopState } from "../../src/core/state.ts";
import { freshRecord } from "../../src/core/story/stories.ts";
import { pullRequestText } from "../../src/views/github/pull-request.ts";
import { subjectInWave, wordsOfWave } from "../../src/views/github/wave-story.ts";
import { aState, aView } from "./a-state.ts";
import { COMPLETED, ended, PAUSED, someFacts } from "./publication-facts.ts";

const record = freshRecord({ id: "US-001", title: "Buy\n<img src=x> @octocat fixes #1", digest: "d" });
const stories = { prd: "shop", total: 2, active: null, passed_in_run: 1, records: [record] };
const STORY: Partial<LoopState> = { loop_id: "prd-shop.us-001.1", stories };

function text(state: Partial<LoopState>) {
  return pullRequestText(aView(state), someFacts({ base: "shop-branch" }));
}

test("a story's pull request says what becomes of it, and that nobody merges it [T10]", () => {
  const { title, body } = text(ended(COMPLETED, STORY));
  expect(title).toBe("feat: [US-001] - Buy <img src=x> @\u200Boctocat fixes #\u200B1");
  expect(body).toContain("Do not merge it.");
  expect(body).toContain("proves it once more on `shop-branch`");
  expect(body).toContain("`/smithers prd shop status`");
  expect(body).not.toMatch(/smithers continue|\*\*Next:|retry/u);
});

test("one that has not passed says how a person can decide", () => {
  const { body } = text(ended(PAUSED, STORY));
  expect(body).toContain("It has not passed.");
  expect(body).toContain("`/smithers prd shop retry US-001`");
  expect(body).toContain("`/smithers prd shop accept US-001`");
  expect(body).not.toMatch(/smithers continue|This is not finished/u);
});

test("the pull request of a candidate for a whole task says that another one may be chosen", () => {
  const { title, body } = text(ended(COMPLETED, { loop_id: "best-of-n.8001-2" }));
  expect(title).toMatch(/^smithers: /u);
  expect(body).toContain("one of several candidates for the same task");
  expect(text(ended(COMPLETED)).body).not.toContain("candidates");
});

test.each([
  ["before anything has happened to it", { ...STORY, stories: { ...stories, records: [] } }],
  ["whose record is gone", { ...STORY, stories: null }],
])("a story %s has a title all the same", (_, state) => {
  expect(subjectInWave(aState(state))).toBe("feat: [US-001] - a story of shop");
});

test("who asks for a story's loop is told to ask its PRD [D-29]", () => {
  const { because, next } = wordsOfWave({ prd: "shop", story: "US-003" });
  expect(because).toContain("This is US-003 of the PRD shop");
  expect(next).toContain("/smithers prd shop retry US-003 [words]");
  expect(next).toContain("/smithers prd shop run");
});
