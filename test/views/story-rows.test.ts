import { describe, expect, test } from "vitest";
import type { StoryRecord } from "../../src/core/story/stories.ts";
import {
  activeText,
  hasPassed,
  shownStories,
  standText,
  storiesReport,
  storyRows,
  tallyText,
} from "../../src/views/story-rows.ts";
import { aPrd, aRecord, aStory, blocked, EACH, known, passed } from "./some-stories.ts";

const lines = (...args: Parameters<typeof storyRows>): string[] =>
  storyRows(...args).map((row) => `${row.id} ${standText(row)}`);

describe("each story and how it is [D-13, D-24]", () => {
  test("in the document's order, then what is gone from it", () => {
    expect(lines(EACH.stories, EACH.prd)).toEqual([
      "US-001 passed, proved 3 of 5: red before, green after",
      "US-002 accepted by ada",
      "US-003 taken over from the file, not proved, changed since it passed: retry it to have it done again",
      "US-004 in progress, attempt 2",
      "US-005 blocked (question): Which provider?, 3 attempts, unfinished work in US-005-18.patch",
      "US-006 waiting for US-005",
      "US-007 pending",
      "US-009 pending, 1 attempt, no longer in the PRD",
    ]);
  });

  test("without the document, only those that something has happened to are known", () => {
    expect(lines(EACH.stories, null).map((line) => line.slice(0, 6))).toEqual(EACH.stories.records.map(({ id }) => id));
  });

  test("before the first run, what the file says", () => {
    const prd = aPrd(aStory("US-001", { passes: true }), aStory("US-002", { dependsOn: ["US-001"] }));
    expect(lines(known([]), prd)).toEqual(["US-001 taken over from the file, not proved", "US-002 pending"]);
  });

  test("an edit counts at once: a story that came back is not gone, one that went is", () => {
    const prd = aPrd(aStory("US-002", { title: "New words" }));
    const rows = storyRows(known([aRecord("US-001"), aRecord("US-002", { gone: true })]), prd);
    expect(rows).toMatchObject([
      { id: "US-002", title: "New words", gone: false },
      { id: "US-001", gone: true },
    ]);
  });

  test.each<[string, StoryRecord, string]>([
    ["passed without a command of its own", passed("US-001", { proved: 0 }), "passed"],
    [
      "passed in a state of another version",
      { ...passed("US-001"), passing: null },
      "taken over from the file, not proved",
    ],
    ["accepted by nobody knows whom", passed("US-001", { how: "accepted" }), "accepted by a person"],
    [
      "tried, and put away",
      aRecord("US-001", { attempts: 2, patch: "a.patch" }),
      "pending, 2 attempts, unfinished work in a.patch",
    ],
    [
      "proved in part by what it has changed itself",
      passed("US-001", { proved: 2, by_changed: 1 }),
      "passed, proved 2 of 5: red before, green after; 1 by a check that this story changed",
    ],
    [
      "proved by nothing else",
      passed("US-001", { proved: 0, by_changed: 1 }),
      "passed, proved 0 of 5: red before, green after; 1 by a check that this story changed",
    ],
    [
      "blocked with a whole sentence, and more to say",
      blocked("US-001", "The check npm test failed with exit code 2."),
      "blocked (question): The check npm test failed with exit code 2, 3 attempts",
    ],
    ["begun, by a turn that was cut off", aRecord("US-001", { state: "in_progress" }), "in progress, no attempt yet"],
    ["blocked at once", blocked("US-001", "line\nbreak\u001B[31m", { attempts: 0 }), "blocked (question): line break"],
    [
      "blocked at length",
      blocked("US-001", "x".repeat(9_000), { attempts: 0 }),
      `blocked (question): ${"x".repeat(300)}…`,
    ],
    [
      "once blocked, passed now",
      { ...passed("US-001"), blocked: blocked("US-001", "no").blocked },
      "passed, proved 3 of 5: red before, green after",
    ],
  ])("%s", (_, record, text) => {
    expect(lines(known([record]), null)).toEqual([`US-001 ${text}`]);
  });

  test("without a known proof or reason, its status alone", () => {
    const [row] = storyRows(known([passed("US-001")]), null);
    expect(row && standText({ ...row, proved: null })).toBe("passed");
    expect(row && standText({ ...row, status: "blocked", attempts: 0 })).toBe("blocked");
  });

  test("of many that it waits for, the first are named", () => {
    const ids = Array.from({ length: 7 }, (_, index) => `US-10${index}`);
    const prd = aPrd(...ids.map((id) => aStory(id)), aStory("US-001", { dependsOn: ids }));
    expect(lines(known([]), prd).at(-1)).toBe("US-001 waiting for US-100, US-101, US-102, US-103, US-104 …");
  });
});

describe("how far a PRD is [D-09, D-13]", () => {
  test("the tally, and the story at work with its attempt", () => {
    const report = storiesReport(EACH, EACH.prd);
    expect(report).toMatchObject({ prd: "shop", total: 7, passed: 3, passed_by_proof: 1, blocked: 1 });
    expect(report && tallyText(report)).toBe(
      "3 of 7 stories passed, 2 of them not by proof; 1 changed since, 1 blocked",
    );
    expect(report && activeText(report)).toBe("US-004 Title of US-004 (attempt 2)");
  });

  test("the total is the state's where the document cannot be read", () => {
    const report = storiesReport({ stories: known([passed("US-001")], { total: 1, active: "US-001" }) }, null);
    expect(report && tallyText(report)).toBe("1 of 1 story passed");
    expect(report && activeText(report)).toBeUndefined();
  });

  test("a loop without a PRD has none", () => {
    expect(storiesReport({ stories: null }, null)).toBeNull();
  });
});

describe("of 1,000 stories", () => {
  const prd = aPrd(...Array.from({ length: 1_000 }, (_, index) => aStory(`US-${1_000 + index}`)));
  const records = [
    ...prd.stories.slice(0, 900).map(({ id }) => passed(id)),
    blocked("US-1990", "Help?"),
    { ...passed("US-1003"), changed: true },
    aRecord("US-001", { gone: true }),
  ];
  const rows = storyRows(known(records, { total: 1_000 }), prd);

  test("those of most interest are shown, in their order, and how many more there are", () => {
    const { rows: shown, rest } = shownStories(rows);
    expect(shown).toHaveLength(50);
    expect(shown.slice(0, 2).map(({ id }) => id)).toEqual(["US-1003", "US-1900"]);
    expect(shown.at(-1)?.id).toBe("US-1990");
    expect(shown.slice(1).some(hasPassed)).toBe(false);
    expect(rest).toBe("951 more, 899 of which have passed");
  });

  test("few are all shown, what is gone last", () => {
    expect(shownStories(rows.slice(0, 3))).toEqual({ rows: rows.slice(0, 3), rest: "" });
    expect(shownStories(rows.slice(-2), 1).rows[0]?.gone).toBe(false);
  });
});
