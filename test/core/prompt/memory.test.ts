import { expect, test } from "vitest";
import { firstPrompt } from "../../../src/core/prompt/prompt.ts";
import { aBrief, aState } from "../../support/builders.ts";

const LEARNED = ["the port is 7", "make needs -B"];
const NOTES = "## Iteration 9\n\n  learned: make needs -B\n";

test.each([
  [
    "the notes alone",
    [],
    NOTES,
    "## Notes of earlier iterations\n<notes>\n## Iteration 9\n\n  learned: make needs -B\n</notes>\n\n",
  ],
  [
    "what was learned alone",
    LEARNED,
    "",
    "## Learned in earlier iterations\n<learned>\n- the port is 7\n- make needs -B\n</learned>\n\n",
  ],
  [
    "what was learned before the notes begin, once",
    LEARNED,
    NOTES,
    "## Learned in earlier iterations\n<learned>\n- the port is 7\n</learned>\n\n## Notes of earlier iterations\n<notes>\n## Iteration 9\n\n  learned: make needs -B\n</notes>\n\n",
  ],
])("a fresh session gets %s [W-66, C18]", (_title, learned, progress, part) => {
  const text = firstPrompt({ ...aBrief({ state: aState({ learned }) }), progress });
  expect(text).toContain(`${part}## Output`);
});
