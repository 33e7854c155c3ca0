import { expect, test } from "vitest";
import { readStories } from "../../../src/commands/prd/read-stories.ts";
import { documentOf } from "../../../src/commands/prd/story-drafts.ts";

/** Short for a story: id, title, description, criteria, dependsOn. */
function short(markdown: string): readonly unknown[] {
  return readStories(markdown).stories.map(({ id, title, description, criteria, dependsOn }) => [
    id,
    title,
    description,
    criteria.map(({ text }) => text),
    dependsOn,
  ]);
}

test.each<[string, string, readonly unknown[]]>([
  ["a heading with an id", "## US-001: Log in\nAs a customer.", [["US-001", "Log in", "As a customer.", [], null]]],
  ["a short id", "## US-1 - Log in", [["US-001", "Log in", "", [], null]]],
  ["a heading with a number", "### User Story 2 – **Log in** ###", [[null, "Log in", "", [], null]]],
  [
    "criteria below a heading of their own",
    "## US-001 A\n### Acceptance Criteria\n- [x] One\n1. Two\n## Else\n- Three",
    [["US-001", "A", "", ["One", "Two"], null]],
  ],
  [
    "criteria below a label, and text behind them",
    "## US-001 A\n**Acceptance criteria:**\n* One\n\nMore text.\n* Point\n",
    [["US-001", "A", "More text. Point", ["One"], null]],
  ],
  [
    "list items with criteria below them",
    "- US-001: A\n  - One\n  - Acceptance criteria:\n    - Two\n- US-002: B\n",
    [
      ["US-001", "A", "", ["One", "Two"], null],
      ["US-002", "B", "", [], null],
    ],
  ],
  [
    "headings and items below a heading of stories",
    "# Shop\n## User stories\n### Log in\n#### Why\nBecause.\n### Out\n## Else\n### No story\n",
    [
      [null, "Log in", "Why Because.", [], null],
      [null, "Out", "", [], null],
    ],
  ],
  [
    "items alone",
    "## Stories\n\n- As a customer I log in\n\t- It works",
    [[null, "As a customer I log in", "", ["It works"], null]],
  ],
  [
    "what it depends on, and a priority, which the order says",
    "## US-002 B\nDepends on: US-001, us-001\nPriority: 4\n- Depends on: none\n",
    [["US-002", "B", "", [], []]],
  ],
  [
    "an id that was there already",
    "## US-001 A\n## US-001 B",
    [
      ["US-001", "A", "", [], null],
      [null, "B", "", [], null],
    ],
  ],
  ["code that looks like a story", "```\n## US-001 A\n~~~\n```\n~~~\n- US-002: B\n", []],
  ["list items of other sections", "## Goals\n- Faster\n- US is a country", []],
])("%s", (_, markdown, stories) => {
  expect(short(markdown)).toEqual(stories);
});

test("title and first text are the project and its description", () => {
  expect(readStories("# Shop\r\n\r\nSells\r\nthings.\r\n## Goals\r\nMoney.\r\n# Other")).toEqual({
    project: "Shop",
    description: "Sells things.",
    stories: [],
  });
});

test("a title stays one line of what can be seen, the whole of it is part of the description", () => {
  const [story] = readStories(`## US-001 \u202Eevil ${"x".repeat(300)}`).stories;
  expect(story?.title).toHaveLength(200);
  expect(story?.title).toMatch(/^evil x/u);
  expect(story?.description).toHaveLength(305);
});

test("stories without an id get those that are free, in their order", () => {
  const { stories } = readStories("## Story 1: A\n## US-001 B\n## Story 3: C");
  const { userStories } = JSON.parse(documentOf("Shop", "", stories));
  expect(userStories.map(({ id, priority }: { id: string; priority: number }) => [id, priority])).toEqual([
    ["US-002", 1],
    ["US-001", 2],
    ["US-003", 3],
  ]);
});

test("a hostile text takes as long as it is", () => {
  const text = `## User stories\n${"- a".repeat(200_000)}\n${" ".repeat(400_000)}-\n${"# ".repeat(200_000)}\n${"- US-001: x\n".repeat(20_000)}`;
  expect(readStories(text).stories.length).toBeGreaterThan(19_999);
});
