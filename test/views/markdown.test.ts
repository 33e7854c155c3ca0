import { fromMarkdown } from "mdast-util-from-markdown";
import { describe, expect, test } from "vitest";
import {
  alert,
  bullets,
  code,
  fence,
  folded,
  heading,
  link,
  markdown,
  inline,
  paragraph,
  table,
  type Block,
} from "../../src/views/github/markdown.ts";
import { kindsIn } from "./markdown-kinds.ts";

/** What an agent or a repository may want to say. */
const HOSTILE = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "<!-- smithers:v1 {} -->",
  "</details><details open>",
  "![a](https://evil.example/a.png)",
  "[click](https://evil.example)",
  "[a]: https://evil.example",
  "<https://evil.example>",
  "`code` and ``more``",
  "```\n</details>\n```",
  "# heading",
  "> [!NOTE]",
  "- item",
  "1. item",
  "***",
  "**bold** _it_ ~~no~~",
  "a | b || c\\|",
  "&lt;b&gt; &#64;a",
  "\\<b>\\",
  "@octocat fixes #1",
  "\u001B]8;;https://evil.example\u0007x\u001B]8;;\u0007",
];

describe("what others wrote is text or code and nothing else [T10]", () => {
  test.each(HOSTILE)("%j as text", (value) => {
    const shown = markdown([paragraph`${value}`, paragraph`before ${value}`, heading(2, value)]);
    expect(kindsIn(shown)).toEqual(["heading", "paragraph", "text"]);
  });

  test.each(HOSTILE)("%j as code", (value) => {
    const shown = markdown([paragraph`a ${code(value)}`]);
    expect(kindsIn(shown)).toEqual(["inlineCode", "paragraph", "text"]);
  });

  test.each(HOSTILE)("%j in a list and a strong word", (value) => {
    const shown = markdown([bullets([inline`**w** ${value}`, [code(value)], inline`**${value}**`])]);
    expect(kindsIn(shown)).toEqual(["inlineCode", "list", "listItem", "paragraph", "strong", "text"]);
  });

  test.each(HOSTILE)("%j behind a fold", (value) => {
    const inside = [fence("text", value)];
    const shown = fromMarkdown(markdown(folded("Changed files", inside)));
    expect(shown.children.map((child) => child.type)).toEqual(["html", "code", "html"]);
    expect(shown.children[1]).toMatchObject({ value });
  });

  test.each(HOSTILE)("%j stays in its cell", (value) => {
    const shown = markdown([table([null, "right"], ["h", "i"], [[value, code(value)]])]);
    const [, , row = ""] = shown.split("\n");
    expect(row.split(/(?<!\\)\|/u)).toHaveLength(4);
    expect(kindsIn(shown)).not.toContain("html");
    expect(kindsIn(shown)).not.toContain("link");
    expect(kindsIn(shown)).not.toContain("image");
  });
});

test("the blocks of GitHub", () => {
  const blocks: Block[] = [
    heading(3, "Title"),
    alert("CAUTION", ["One.", "Two."]),
    paragraph`${link("here", "https://github.com/o/r")}`,
    fence("mermaid", "xychart-beta"),
  ];
  expect(markdown(blocks)).toBe(
    [
      "### Title",
      "",
      "> [!CAUTION]",
      "> One.",
      "> Two.",
      "",
      "[here](https://github.com/o/r)",
      "",
      "```mermaid",
      "xychart-beta",
      "```",
      "",
    ].join("\n"),
  );
});
