import { expect, test } from "vitest";
import { whyNotRuled } from "../../../src/core/story/ruling.ts";
import { storyDigest, type StoryRecord } from "../../../src/core/story/stories.ts";
import { digest } from "../../support/builders.ts";
import { aBlockedRecord, aPassedRecord, aPrd, aRecord, aStory, someStories } from "../../support/stories.ts";

const same = { digest: storyDigest(aStory(), digest) };

test.each<[string, StoryRecord | undefined, string | null, string | null]>([
  ["blocked", { ...aBlockedRecord("US-001"), ...same }, null, null],
  ["in progress", aRecord("US-001", { ...same, state: "in_progress", attempts: 1 }), null, null],
  ["not tried", undefined, null, "has not been tried yet"],
  ["pending", aRecord("US-001", same), null, "has not been tried yet"],
  ["waiting with words for its next attempt", aRecord("US-001", { ...same, words: "so" }), null, null],
  ["waiting with work set aside", aRecord("US-001", { ...same, patch: "US-001-1.patch" }), null, null],
  ["passed", aPassedRecord("US-001", {}, same), "has passed already", null],
  ["passed, saying something else now", aPassedRecord("US-001"), null, null],
  ["taken over", aPassedRecord("US-001", { how: "taken_over", commit: null }, same), null, null],
])("a story that is %s: whether it can be accepted, or retried", (_is, record, accept, retry) => {
  const known = record === undefined ? null : someStories([record]);
  const prd = aPrd([aStory()]);
  const why = (ruling: "accept" | "retry") =>
    whyNotRuled(prd, known, { id: "US-001", ruling }, digest)?.replace(/^The story US-001 |[.;].*$/gu, "") ?? null;
  expect([why("accept"), why("retry")]).toEqual([accept, retry]);
});

test("what only the file calls passed can be retried, and need not be accepted", () => {
  const prd = aPrd([aStory("US-001", { passes: true })]);
  for (const known of [null, someStories()]) {
    const why = (ruling: "accept" | "retry") => whyNotRuled(prd, known, { id: "US-001", ruling }, digest);
    expect([why("accept"), why("retry")]).toEqual(["The story US-001 has passed already.", null]);
  }
});

test("a story that the PRD has not, or has no more, is refused by name", () => {
  const prd = aPrd([aStory()]);
  const asked = { id: "US-009", ruling: "retry" } as const;
  expect(whyNotRuled(prd, null, asked, digest)).toBe("The PRD shop has no story US-009.");
  const gone = someStories([aRecord("US-009", { gone: true })]);
  expect(whyNotRuled(prd, gone, asked, digest)).toBe("The story US-009 is not in the PRD shop any more.");
});
