import { parsedJson } from "../../src/core/text.ts";
import { readDocument } from "../../src/prd/document.ts";
import { parseJsonText } from "../../src/prd/json-text.ts";
import { driftOf, renderStories, withStories } from "../../src/prd/markdown.ts";
import { scaffold } from "../../src/prd/scaffold.ts";
import { mutated, mutatedJson } from "../mutate.ts";
import { hold, target } from "../target.ts";

const AT = { name: "web", folder: ".daedalus/prds/web" };

function story(id: string, overrides: object = {}): object {
  const criteria = ["It is fast", "Its test passes"];
  const rest = { description: "a\n\nb", acceptanceCriteria: criteria, priority: 1, passes: false, ...overrides };
  return { id, title: "Add it", ...rest };
}

const DOCUMENTS = [
  scaffold("web").json,
  JSON.stringify({ project: "a", description: "", userStories: [story("US-001"), story("US-002")] }, null, 2),
  JSON.stringify({
    ...{ project: "a", description: "b", branchName: "prd/a", provider: "codex" },
    userStories: [
      story("US-001", { checks: [{ criterion: 2, run: "make", timeout: 1 }], inProgress: true }),
      story("US-002", { dependsOn: ["US-001"], paths: ["src/**"], attempts: 2, pauseAfter: true, passes: true }),
    ],
  }),
];
const WORDS = [
  ..."id title description acceptanceCriteria priority passes inProgress checks criterion run dependsOn paths".split(
    " ",
  ),
  ..."US-001 US-002 US-003 depends_on __proto__ constructor true false null 1e999 -0 \\u0000 \uFEFF".split(" "),
  ...["<!-- stories-end -->", "<!-- stories-start -->", "\n", "\r\n", "[", "{", '"', "\\", "/* x */", "# x", "- x"],
];

export const prdDocuments = target({
  name: "prd-documents",
  covers: ["prd/document.ts#readDocument", "prd/json-text.ts#parseJsonText"],
  draw: (random) => (random.once(3) ? mutated : mutatedJson)(random, { seeds: DOCUMENTS, words: WORDS }),
  check(text) {
    const read = parseJsonText(text);
    hold("value" in read === (parsedJson(text) !== undefined), "what is JSON is read");
    const { document, issues } = readDocument(text, AT);
    const hasError = issues.some(({ severity }) => severity === "error");
    hold(hasError === (document === undefined), "there is a document, or an error");
    hold(issues.length <= 101, "issues are bounded");
    const lines = text.split("\n").length;
    hold(
      issues.every(
        ({ line, reason, cure }) => (line === null || (line >= 1 && line <= lines)) && reason !== "" && cure !== "",
      ),
      "each issue has a line that is there, a reason and a cure",
    );
    if (document === undefined) return;
    const { stories } = document.prd;
    const asRead = new Map(stories.map(({ id, passes }) => [id, { passes, inProgress: false }]));
    const begun = new Map(
      stories.map(({ id }, index) => [id, { passes: index % 2 === 0, inProgress: index % 2 === 1 }]),
    );
    for (const marks of [asRead, begun, new Map()]) {
      const rendered = document.render(marks);
      const again = readDocument(rendered, AT).document;
      const expected = stories.map((one) => ({ ...one, passes: marks.get(one.id)?.passes ?? false }));
      hold(JSON.stringify(again?.prd.stories) === JSON.stringify(expected), "only the marks change");
      hold(again?.render(marks) === rendered, "writing twice gives the same");
    }
  },
});

const MARKDOWN = [scaffold("web").markdown, "# Web\r\n\r\nWhy.\r\n", renderStories({ stories: [] })];

export const prdMarkdown = target({
  name: "prd-markdown",
  covers: ["prd/markdown.ts#withStories", "prd/markdown.ts#driftOf"],
  draw: (random) => ({
    markdown: mutated(random, { seeds: MARKDOWN, words: WORDS }),
    words: Array.from({ length: 4 }, () => mutated(random, { seeds: WORDS, words: WORDS })),
  }),
  check({ markdown, words }) {
    const [title = "", description = "", ...criteria] = words;
    const { document } = readDocument(DOCUMENTS[2] ?? "", AT);
    hold(document !== undefined, "the sample is sound");
    const stories = document.prd.stories.map((one) => ({ ...one, title, description, criteria }));
    const prd = { ...document.prd, stories };
    const written = withStories(markdown, prd);
    hold(driftOf(written, prd).length === 0, "what was written is in step");
    hold(withStories(written, prd) === written, "writing twice gives the same");
    const section = renderStories(prd);
    hold(section.match(/<!--/gu)?.length === 2 + (section.match(/\\<!--/gu)?.length ?? 0), "no text becomes a comment");
  },
});
