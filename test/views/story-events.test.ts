import { describe, expect, test } from "vitest";
import type { LoopEvent } from "../../src/core/events.ts";
import type { StopReason } from "../../src/core/outcome.ts";
import { eventLines } from "../../src/views/event-lines.ts";
import { summary } from "../../src/views/summary.ts";
import { aClaim } from "../support/builders.ts";
import { aState, aView, settled, turnEnded } from "./a-state.ts";
import { ended } from "./publication-facts.ts";
import { EACH } from "./some-stories.ts";

const BLOCKED: StopReason = {
  kind: "stories_blocked",
  stories: [{ id: "US-005", why: "Which provider?" }],
  blocked: 1,
  waiting: 1,
};
const REVIEW = { kind: "story_review", story: "US-001", title: "Cart", commit: "0123456789" } as const;

describe("what happens to a story, line by line", () => {
  const AT = "2026-01-06T21:10:00.000+00:00";
  const said = (event: LoopEvent, records = EACH.stories): string[] =>
    eventLines(event, aState({ iteration: 4, stories: records })).map(({ text }) => text);
  const ends = { ...settled(4, "0123456"), type: "settled" } as const;
  const ruled = {
    type: "story_ruled",
    at: AT,
    id: "US-005",
    title: "Pay",
    digest: "d",
    by: "ada",
    commit: null,
  } as const;

  test.each<[string, LoopEvent, readonly string[]]>([
    [
      "begins",
      { type: "turn_started", at: AT, iteration: 4, item: { id: "US-004", title: "a\nb", text: "" }, session: "fresh" },
      ["iteration 4 started, fresh session, US-004 a b (attempt 2)"],
    ],
    [
      "begins with nothing known of it",
      { type: "turn_started", at: AT, iteration: 4, item: { id: "US-777", title: "a", text: "" }, session: "fresh" },
      ["iteration 4 started, fresh session, US-777 a (attempt 1)"],
    ],
    [
      "passes with a proof [D-24]",
      { ...ends, story: { id: "US-001", ends: "passed", proved: 3, criteria: 5 } },
      ["committed 0123456", "US-001 has passed: Title of US-001; proved 3 of 5: red before, green after"],
    ],
    [
      "passes without a commit, and nothing is known of it",
      { ...ends, commit: null, story: { id: "US-777", ends: "passed", proved: 0, criteria: 5 } },
      ["US-777 has passed, without a commit because nothing had to be changed: "],
    ],
    [
      "is blocked",
      { ...ends, commit: null, story: { id: "US-001", ends: "blocked", kind: "attempts", why: "red\u001B[2J" } },
      ["US-001 is blocked (attempts): red"],
    ],
    [
      "is examined",
      {
        ...{ type: "story_examined", at: AT, id: "US-001", title: "a", digest: "d" },
        before: [
          { run: "a", green: false },
          { run: "b", green: true },
        ],
      },
      ["US-001 before it begins: 1 of 2 commands red, which its work has to turn green"],
    ],
    [
      "is examined with those of stories that have passed",
      {
        ...{ type: "story_examined", at: AT, id: "US-002", title: "a", digest: "d", before: [] },
        others: { asked: 8, red: Array.from({ length: 7 }, (_one, n) => ({ story: "US-001", run: `c${n}\u001B[2J` })) },
      },
      [
        "US-002 before it begins: 7 of 8 commands of stories that have passed red: US-001: c0; US-001: c1; US-001: c2; US-001: c3; US-001: c4 and 2 more. This is not held against US-002",
      ],
    ],
    [
      "is examined with those of stories that have passed, all of them green",
      {
        ...{ type: "story_examined", at: AT, id: "US-002", title: "a", digest: "d" },
        ...{ before: [{ run: "a", green: true }], others: { asked: 1, red: [] } },
      },
      [
        "US-002 before it begins: 0 of 1 command red",
        "US-002 before it begins: 0 of 1 command of stories that have passed red",
      ],
    ],
    [
      "is put away",
      { type: "story_shelved", at: AT, id: "US-001", patch: "a.patch", snapshot: null },
      ["US-001: its unfinished work is out of the work tree, in a.patch of the loop's folder"],
    ],
    ["leaves nothing behind", { type: "story_shelved", at: AT, id: "US-001", patch: null, snapshot: null }, []],
    ["is accepted", { ...ruled, ruling: "accept", words: null }, ["US-005 is accepted, says ada"]],
    [
      "is to be tried again",
      { ...ruled, ruling: "retry", words: "use\nthis" },
      ["US-005 is to be tried again, says ada: use this"],
    ],
  ])("it %s", (_, event, lines) => {
    expect(said(event)).toEqual(lines);
  });

  test("a state without stories is no reason to fail", () => {
    const event: LoopEvent = { ...ends, commit: null, story: { id: "US-001", ends: "passed", proved: 0, criteria: 1 } };
    expect(eventLines(event, aState({ stories: null }))).toHaveLength(1);
  });

  test("what the agent changed and may not is told, and that it needs a person", () => {
    const claim = aClaim({ person: "log in\nfirst" });
    const undone = [
      { file: ".daedalus/prds/shop/prd.json", kept: "undone-1-prd.json" },
      { file: ".daedalus/prds/shop/prd.md", kept: null },
    ];
    expect(said(turnEnded({ claim, undone })).slice(1)).toEqual([
      "agent needs a person: log in first",
      ".daedalus/prds/shop/prd.json was changed during a turn, by the agent or somebody else, and is put back: what it said is kept in /w/.codex/repo-1/undone-1-prd.json",
      ".daedalus/prds/shop/prd.md was changed during a turn, by the agent or somebody else, and is put back: it was deleted, or no plain file that could be kept",
    ]);
  });

  test("what ended the loop names its story", () => {
    const detail = (reason: StopReason): string | undefined => summary(aView(ended(reason)))[1]?.text;
    expect(detail(REVIEW)).toBe("  US-001 Cart: commit 0123456789");
    expect(detail({ ...REVIEW, commit: null })).toBe("  US-001 Cart");
    expect(detail({ kind: "story_blocked", story: "US-001", why: "a\nb" })).toBe("  US-001: a b");
    expect(detail({ ...BLOCKED, waiting: 0 })).toBe("  US-005: Which provider?");
  });
});
