import { describe, expect, test } from "vitest";
import type { WavePlan } from "../../src/core/story/waves.ts";
import { foreseen, waveReply, waveSummary, type WaveTold } from "../../src/views/github/wave-summary.ts";

const PLAN: WavePlan = {
  stories: [
    { id: "US-001", candidates: 2 },
    { id: "US-009", candidates: 1 },
  ],
  waiting: [{ id: "US-002", why: "It depends on US-001, which has not landed." }],
  waves: { atLeast: 2, more: false },
  writes: { branches: 4, pullRequests: 4, comments: 4, statuses: 3, changes: 10, pushes: 33 },
  waitMinutes: 0,
};

function told(plan: Partial<WavePlan> = {}, rest: Partial<WaveTold> = {}): string {
  const titles = new Map([["US-001", "Pay | **now** <b> @everyone"]]);
  return waveSummary({
    ...{ prd: "shop", branch: "shop", commit: "a".repeat(40), number: 3, titles, tokens: null, remarks: [] },
    ...rest,
    plan: { ...PLAN, ...plan },
  });
}

describe("the summary of a wave", () => {
  test("says what runs, from where, why the rest waits, and what it writes", () => {
    const summary = told();
    expect(summary).toContain("## PRD shop: wave 3, 2 stories");
    expect(summary).toContain("`aaaaaaaaaaaa`");
    expect(summary).toContain("It depends on US-001, which has not landed.");
    expect(told({}, { remarks: ["US-009 waits for retry."] })).toContain("- US-009 waits for retry.");
    expect(summary).toContain(
      "about 4 branches, 4 pull requests, 4 comments, 3 commit statuses, 10 changes of these and 33 pushes to GitHub.",
    );
    expect(told({ waiting: [] })).not.toContain("What waits");
  });

  test("shows what others wrote as text and nothing more", () => {
    expect(told()).not.toMatch(/(?<!\\)<b>|@everyone|(?<!\\)\*\*now/u);
  });

  test("tells a PRD that is done from one that waits", () => {
    expect(told({ stories: [], waiting: [] }, { number: null })).toContain("## PRD shop: every story has passed");
    const stuck = told({ stories: [] }, { number: null });
    expect(stuck).toContain("## PRD shop: no story can begin");
    expect(stuck).not.toContain("to GitHub");
  });

  test("of very many stories that wait, it says how many are not shown", () => {
    const waiting = Array.from({ length: 1_002 }, (_, at) => ({ id: `US-${at + 100}`, why: "It is blocked." }));
    expect(told({ waiting })).toContain("2 stories more wait");
    expect(told({ waiting: waiting.slice(1) })).toContain("1 story more wait");
  });
});

test.each([
  [{ atLeast: 1, more: false }, 0, "at least 1 wave is left"],
  [{ atLeast: 4, more: false }, 0, "at least 4 waves are left"],
  [{ atLeast: 50, more: true }, 0, "more than 50 waves are left"],
  [{ atLeast: 1, more: false }, 60, "By GitHub's limits that takes 60 minutes longer"],
])("%o and a wait of %s minutes are told", (waves, waitMinutes, words) => {
  expect(foreseen({ ...PLAN, waves, waitMinutes })).toContain(words);
  expect(foreseen({ ...PLAN, writes: { ...PLAN.writes, statuses: 1 } })).toContain("1 commit status, 10 changes");
});

test.each([
  [null, "What that may cost is not known: no story has landed yet."],
  [{ mean: 1_200, of: 1 }, "about 2,400 tokens, by the mean of 1 story that landed (1,200 each)."],
])("several agents for one story have a price before they start, by %o", (tokens, words) => {
  expect(told({}, { tokens })).toContain("2 agents try 1 story side by side");
  expect(told({}, { tokens })).toContain(words);
  expect(told({ stories: [{ id: "US-001", candidates: 1 }] }, { tokens })).not.toContain("side by side, and");
});

test("who has asked hears what has begun", () => {
  const stories = Array.from({ length: 22 }, (_, at) => `US-${at + 100}`);
  expect(waveReply("shop", { number: 2, stories: stories.slice(0, 2) })).toBe(
    "Wave 2 of the PRD shop has begun with US-100, US-101.",
  );
  expect(waveReply("shop", { number: 2, stories })).toContain("US-119 and 2 more.");
  expect(waveReply("shop", null)).toContain("No story of the PRD shop can begin now.");
});
