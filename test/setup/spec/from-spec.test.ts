import { describe, expect, test } from "vitest";
import { parseChecklist } from "../../../src/core/checklist.ts";
import { digest } from "../../support/builders.ts";
import { imported, work } from "./imported.ts";

test("a spec becomes prompt, plan and what tells how to build, each below the spec's own headings [R-10]", () => {
  const { prompt, plan, agent, tally, notices } = imported(`# Till

Rings up sales.

## Goals

1. Fast.

## Features

Cashiers use it.

### Sales

- scan an item
- [x] show the total

## Technical notes

SQLite.

## Build and run

\`\`\`sh
make
\`\`\`
`);
  expect(prompt).toMatch(/^# Till\n\nThe loop sends this file/u);
  expect(prompt).toContain(
    "\n\nRings up sales.\n\n## Goals\n\n1. Fast.\n\n## Features\n\nCashiers use it.\n\n## Technical notes\n\nSQLite.\n\n## How to work\n",
  );
  expect(plan).toMatch(/^# Fix plan\n[^#]+\n\n## Features › Sales\n\n- \[ \] scan an item\n- \[x\] show the total\n$/u);
  expect(agent).toMatch(/^# How to build and test\n[^#]+\n\n## Build and run\n\n```sh\nmake\n```\n$/u);
  expect(tally).toEqual({ items: 2, ticked: 1 });
  expect(notices).toEqual(['The lists of "Goals" are no work by their heading and went to PROMPT.md.']);
});

test.each<[string, string, string]>([
  [
    "bullets of every kind",
    "## Tasks\n* a\n\n## To-do\n+ b\n\n## Deliverables\n7. c\n8) d",
    "## Tasks\n\n- [ ] a\n\n## To-do\n\n- [ ] b\n\n## Deliverables\n\n- [ ] c\n- [ ] d\n",
  ],
  [
    "lines that belong to an item",
    "## Tasks\n10. a\n    goes on\n\n    ```js\n      b\n    ```\n    - c\n      - [ ] d",
    "## Tasks\n\n- [ ] a\n  goes on\n\n  ```js\n    b\n  ```\n  - c\n    - [ ] d\n",
  ],
  ["tabs", "## Tasks\n-\ta\n\n\tb\n\t\tc", "## Tasks\n\n- [ ] a\n\n  b\n      c\n"],
  ["lazy lines", "## Tasks\n- a\nb", "## Tasks\n\n- [ ] a\n  b\n"],
  ["what begins below its bullet", "## Tasks\n-\n  a\n- [ ]\n  b", "## Tasks\n\n- [ ] a\n- [ ] b\n"],
  [
    "what does not begin with text",
    "## Tasks\n- > a\n- - b\n-     c\n- ```\n  d\n  ```",
    "## Tasks\n\n- [ ] As follows:\n  > a\n- [ ] As follows:\n  - b\n- [ ] As follows:\n      c\n- [ ] As follows:\n  ```\n  d\n  ```\n",
  ],
  ["no item where there are no words", "## Tasks\n- a\n-\n- [ ] \n-\n\n## Empty\n-", "## Tasks\n\n- [ ] a\n"],
  ["ticked items stay ticked", "## Tasks\n- [x] a\n- [X] b\n- [ ] c", "## Tasks\n\n- [x] a\n- [x] b\n- [ ] c\n"],
  [
    "checkboxes count wherever they stand",
    "## Notes\n- [ ] a\n- b\n\n## Running\n- [x] c",
    "## Notes\n\n- [ ] a\n- [ ] b\n\n## Running\n\n- [x] c\n",
  ],
  ["a spec without headings", "Please:\n\n- a\n- b\n", "## Work\n\nPlease:\n\n- [ ] a\n- [ ] b\n"],
  ["a spec with only a title", "Chores\n======\n\n- a\n", "## Work\n\n- [ ] a\n"],
  [
    "what introduces a list",
    "## Tasks\n**Now**\n\n- a\n\nThen:\n- b\n\nDone.\n\n- c",
    "## Tasks\n\n**Now**\n\n- [ ] a\n\nThen:\n\n- [ ] b\n- [ ] c\n",
  ],
  [
    "headings that are the items",
    "## Features\n### Log in\nBy mail.\n\n> Soon.\n### Log out\n### Notes\nNone.\n## US-3: Pay\nBy card.",
    "## Features\n\n- [ ] Log in\n\n  By mail.\n\n  > Soon.\n- [ ] Log out\n\n## Work\n\n- [ ] US-3: Pay\n\n  By card.\n",
  ],
  [
    "parts of what is work",
    "# A\n## 2. Feature 1: Sales\n### Acceptance criteria\n- a\n# B\n- b",
    "## A › 2. Feature 1: Sales › Acceptance criteria\n\n- [ ] a\n",
  ],
])("%s [R-10]", (_title, spec, plan) => {
  expect(work(spec)).toBe(plan);
});

describe("what has no place in the plan [R-10]", () => {
  test.each(["Non-goals", "Out of scope", "Won't have", "Future work", "Not in scope (v1)", "Exclusions"])(
    "%s",
    (title) => {
      const { plan, prompt } = imported(`## ${title}\n### Features\n- [ ] no\n\n## Tasks\n- yes`);
      expect(plan).not.toContain("no\n");
      expect(prompt).toContain(`## ${title}\n\n### Features\n\n- [ ] no\n`);
    },
  );

  test("prose, code, quotes, HTML and tables among the work, and headings without anything", () => {
    const { plan, prompt, agent } = imported(
      "## Tasks\nWhy.\n\n- a\n\n```sh\nb\n```\n\n<div>\n\n| c |\n| - |\n\n---\n\n## Later\n\n## Build\n",
    );
    expect(plan).toMatch(/## Tasks\n\n- \[ \] a\n$/u);
    expect(prompt).toContain(
      "## Tasks\n\nWhy.\n\n```sh\nb\n```\n\n<div>\n\n| c |\n| - |\n\n## Later\n\n## How to work",
    );
    expect(agent).toMatch(/\n## Build\n$/u);
  });

  test("front matter is kept as what it is, and a rule at the beginning is not one", () => {
    expect(imported("\uFEFF---\r\ntitle: a\r\n---\r\n- b\r\n").prompt).toContain("````yaml\ntitle: a\n````\n");
    expect(imported("---\ntitle: a\n\n- b\n").prompt).toContain("\ntitle: a\n");
    expect(imported("---\n\n- b\n").prompt).not.toContain("yaml");
  });
});

describe("items are ranked where the spec ranks them [R-10]", () => {
  test.each<[string, string]>([
    ["headings", "## Tasks\n- u\n### High priority\n- h\n### Medium\n- m\n### P3\n- l"],
    ["MoSCoW", "## Other tasks\n- u\n## Must have\n- h\n## Should-haves\n- m\n## Nice to have\n- l"],
    [
      "marks on headings",
      "## Tasks\n- u\n## Feature 1 (P0)\n- h\n## Feature 2 [medium]\n- m\n## Feature 3 (optional)\n- l",
    ],
    ["what introduces a list", "## Tasks\n- u\n\n**P1**\n\n- h\n\nShould have:\n\n- m\n\nLow priority:\n\n- l"],
    ["marks on items", "## Tasks\n- l (P4)\n- **P2**: m\n- u\n- [High] h"],
    ["words before items", "## Tasks\n- Could: l\n- `Medium` — m\n- u\n- Critical: h"],
    ["words behind items", "## Tasks\n- l, priority: low\n- m **Priority:** P2\n- u\n- h Priority=urgent"],
    ["the key words of RFC 2119", "## Tasks\n- it MAY l\n- it SHOULD m\n- it may must should u\n- it MUST h"],
  ])("%s", (_title, spec) => {
    const plan = work(spec);
    const ranks = plan.split(/^(?=## )/mu);
    expect(ranks.map((rank) => rank.split("\n", 1)[0])).toEqual([
      "## High priority",
      "## Medium priority",
      "## Without a priority",
      "## Low priority",
    ]);
    expect(ranks.map((rank) => /- \[ \].*\b(?<letter>[hmul])\b/u.exec(rank)?.groups?.["letter"])).toEqual([
      "h",
      "m",
      "u",
      "l",
    ]);
  });

  test("an item outranks its heading, and the list is introduced once", () => {
    expect(work("## Low priority\nAll:\n- a\n- b (high)\n- c")).toBe(
      "## High priority\n\n### Low priority\n\n- [ ] b (high)\n\n## Low priority\n\n### Low priority\n\nAll:\n\n- [ ] a\n- [ ] c\n",
    );
  });
});

describe("what a person is told [R-10]", () => {
  test("checkpoints, a plan that is done, what has to be filled in, a long prompt", () => {
    const lists = ["a", "b", "c", "d", "e", "f"].map((name) => `## ${name}\n- no\n`).join("\n");
    const { notices, agent } = imported(
      `- first\n\n${lists}\n## Tasks\n- [x] HARD STOP: look\n\n## Notes\n${"word ".repeat(8_000)}`,
    );
    expect(notices).toEqual([
      'The lists of the beginning, "a", "b", "c", "d" and 2 more are no work by their heading and went to PROMPT.md.',
      "1 of the plan's lines say HARD STOP: the run ends there, for a person to look.",
      "Every item of @fix_plan.md is ticked, so the loop has nothing to do.",
      "No section tells how to build and test: fill in the commands of @AGENT.md.",
      "PROMPT.md is long and sent with every turn: shorten it.",
    ]);
    expect(agent).toContain("# the command that builds");
  });

  test("tables among the work, which stay prose", () => {
    const { notices } = imported("## Features\n| a | P |\n|---|:-:|\n| b | 1 |\n\n## Tasks\n- c\n\n## Build\nmake");
    expect(notices).toEqual(['The tables of "Features" went to PROMPT.md: only lists become items.']);
  });

  test("the plan is read by the loop's own parser [R-26]", () => {
    const { plan } = imported("## Tasks\n- a\n  ```\n  - [ ] no\n  ```\n- [x] b <!-- c -->");
    expect(parseChecklist(plan, null, digest).map(({ text, ticked }) => [text, ticked])).toEqual([
      ["a", false],
      ["b", true],
    ]);
  });
});
