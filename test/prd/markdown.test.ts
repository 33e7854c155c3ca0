import { fromMarkdown } from "mdast-util-from-markdown";
import type { Nodes } from "mdast";
import { expect, test } from "vitest";
import type { Prd } from "../../src/core/story/story.ts";
import { readDocument } from "../../src/prd/document.ts";
import { driftOf, renderStories, withStories } from "../../src/prd/markdown.ts";
import { aDocument, AT, aStory } from "./documents.ts";

function prdOf(...stories: readonly Readonly<Record<string, unknown>>[]): Prd {
  const { document, issues } = readDocument(aDocument(stories), AT);
  if (document === undefined) throw new Error(JSON.stringify(issues));
  return document.prd;
}

const PRD = prdOf(aStory("US-001"), aStory("US-002"));

test("the section shows what people read of the stories, and nothing of how far they are", () => {
  expect(renderStories(PRD).split("\n")).toEqual([
    ...["<!-- stories-start: written from prd.json; change the stories there -->", "", "## Stories", ""],
    ...["### US-001 Add part 1", "", "As a reader I want this part.", ""],
    ...["- The page shows the part", "- Its test passes", ""],
    ...["### US-002 Add part 2", "", "As a reader I want this part.", ""],
    ...["- The page shows the part", "- Its test passes", "", "<!-- stories-end -->", ""],
  ]);
  expect(renderStories(prdOf(aStory("US-001", { passes: true }), aStory("US-002", { inProgress: true })))).toBe(
    renderStories(PRD),
  );
});

const HOSTILE = [
  "<!-- stories-end -->",
  "<script>alert(1)</script> & &lt; &#60;",
  "# no heading",
  "1. no list\n2) none\n- none\n+ none\n* none",
  "=== \n---\n***",
  "```sh\nrm -rf /\n```\n    indented",
  "[link](javascript:x) ![image](x) <https://x.test> [ref]: x",
  "a | b\n--- | ---",
  "~~~\n<!--\n$x$ _a_ **b** `c` \\",
  "zero\u200Bwidth \u202Eleft",
  "first\n\n\n   second\r\nthird\rfourth\u2028fifth",
];

/** All text of a tree, and the kinds of its nodes. */
function read(node: Nodes): { readonly text: string; readonly kinds: ReadonlySet<string> } {
  const parts = "children" in node ? node.children.map((child) => read(child)) : [];
  const own = node.type === "text" ? node.value : "";
  return {
    text: own + parts.map(({ text }) => text).join("\n"),
    kinds: new Set([node.type, ...parts.flatMap(({ kinds }) => [...kinds])]),
  };
}

test.each(HOSTILE)("no text breaks out of the section or becomes anything but text: %j", (text) => {
  const line = text.replaceAll(/[\n\r\u2028]/gu, " ");
  const prd = prdOf(aStory("US-001", { title: line, description: text, acceptanceCriteria: [text, "b"] }));
  const markdown = withStories("# Web\n", prd);
  expect(driftOf(markdown, prd)).toEqual([]);
  const { text: shown, kinds } = read(fromMarkdown(markdown));
  expect([...kinds].toSorted()).toEqual(["heading", "html", "list", "listItem", "paragraph", "root", "text"]);
  const html = fromMarkdown(markdown).children.filter(({ type }) => type === "html");
  expect(html).toHaveLength(2);
  const bare = (value: string) => value.replaceAll(/[\s\u200B\u202E]/gu, "");
  expect(bare(shown).split(bare(text)).length).toBe(4);
});

test("the section is put in place of its own, or at the end, and the prose stays", () => {
  const first = withStories("# Web\n\nWhy.\n", PRD);
  expect(first).toBe(`# Web\n\nWhy.\n\n${renderStories(PRD)}`);
  const more = `${first}\n## Later\n\nWords.\n`;
  const other = prdOf(aStory("US-003"));
  expect(withStories(more, other)).toBe(`# Web\n\nWhy.\n\n${renderStories(other)}\n## Later\n\nWords.\n`);
  expect(withStories(withStories(more, other), PRD)).toBe(more);
  expect(withStories("", PRD)).toBe(renderStories(PRD));
});

test("lines of a file from Windows end as they did", () => {
  const markdown = withStories("# Web\r\n\r\nWhy.\r\n", PRD);
  expect(markdown.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/u);
  expect(driftOf(markdown, PRD)).toEqual([]);
});

const [START = "", END = ""] = renderStories(PRD).match(/^<!--.*-->$/gmu) ?? [];

test.each<[string, (markdown: string) => string, number]>([
  ["another title", (text) => text.replace("Add part 2", "Add part 3"), 14],
  ["a story that is gone", (text) => text.replace(/### US-002[^]*(?=<!--)/u, ""), 14],
  ["a story more", (text) => text.replace(END, `### US-003 x\n\n${END}`), 21],
  ["no end", (text) => text.replace(END, ""), 3],
  ["no begin", (text) => text.replace(START, ""), 21],
  ["two sections", (text) => text + text, 3],
])("%s is drift, with its line and the way out, which works", (_, change, line) => {
  const markdown = change(withStories("# Web\n", PRD));
  expect(driftOf(markdown, PRD)).toMatchObject([
    {
      severity: "error",
      code: "PRD_DRIFT",
      line,
      cure: expect.stringContaining("smithers prd edit web writes the section"),
    },
  ]);
  expect(driftOf(withStories(markdown, PRD), PRD)).toEqual([]);
});

test("a document without the section, or none at all, is a warning: there is nothing that could differ", () => {
  for (const markdown of [undefined, "# Web\n"])
    expect(driftOf(markdown, PRD)).toMatchObject([{ severity: "warning" }]);
});
