import { readStories } from "../../src/commands/prd/read-stories.ts";
import { documentOf } from "../../src/commands/prd/story-drafts.ts";
import { marksIn, readDocument } from "../../src/prd/document.ts";
import { mutated } from "../mutate.ts";
import { hold, target } from "../target.ts";

const TEXTS = [
  "# Shop\n\nSells things.\n\n## User stories\n\n### US-001: Log in\n\nAs a customer.\n\n#### Acceptance criteria\n\n- [ ] One\n",
  "- US-001: A\n  - Acceptance criteria:\n    - One\n- Story 2 – B\n\tDepends on: US-001\n```\n## US-003 x\n```\n",
];

/** Of stories that were found in any text, nothing but what is missing is against the document that comes of it. */
export const stories = target({
  name: "stories",
  covers: ["commands/prd/read-stories.ts#readStories"],
  draw: (random) =>
    mutated(random, {
      seeds: TEXTS,
      words: ["## US-001 ", "- US-2: ", "Acceptance criteria:\n", "\r", "\u202E", "```"],
    }),
  check(text) {
    const { project, description, stories: found } = readStories(text);
    const json = documentOf(project ?? "x", description, found);
    const { issues } = readDocument(json, { name: "x", folder: ".daedalus/prds/x" });
    const odd = issues.filter(
      ({ severity, path }) => severity === "error" && !/\.(?:title|acceptanceCriteria|dependsOn)/u.test(path),
    );
    // "" is how many more there are.
    hold(
      odd.every(({ path }) => path === "" || path === "project" || path === "userStories"),
      "ids, priorities and marks are legal",
    );
    hold(
      [...marksIn(json).values()].every(({ passes }) => !passes),
      "no story says that it is done",
    );
  },
});
