import { expect, test } from "vitest";
import { exclusionsOf } from "../../../../src/core/claim/contradictions/excluded-items.ts";
import { contradictionsOfLists } from "../../../../src/core/claim/contradictions/list-contradictions.ts";
import { beginList, followList } from "../../../../src/core/claim/contradictions/follow-list.ts";
import { itemsOf } from "../../../../src/core/claim/contradictions/listed-items.ts";
import { digest } from "../../../support/builders.ts";

const TASK = "Do all of the plan.";

/** What a list says against a claim. @param texts the list at the start, and after each turn */
function held(texts: readonly string[], prompt: string, token: string | null) {
  const files = texts.map((text) => ({ path: "PLAN.md", text }));
  const [first, ...turns] = files;
  const last = files.at(-1);
  if (first === undefined || last === undefined) throw new Error("There is no list.");
  const list = turns
    .slice(0, -1)
    .reduce((known, file) => followList(known, itemsOf(file, token, digest)), beginList(first, token, digest));
  const found = contradictionsOfLists([last], [list], { prompt, token }, digest);
  return Object.fromEntries(found.map(({ kind, named }) => [kind, named]));
}

const OPEN = "- [ ] Build the parser\n- [ ] Write the guide\n- [ ] Measure speed\n";

test.each<[what: string, texts: readonly string[], found: object]>([
  [
    "an item stands open",
    [OPEN, OPEN.replaceAll("[ ]", "[x]").replace("[x] M", "[ ] M")],
    { open_items: ["Measure speed"] },
  ],
  ["an item is begun", ["- [ ] a", "- [~] a"], { open_items: ["a"] }],
  ["a new item stands open", ["- [x] a", "- [x] a\n- [ ] b"], { open_items: ["b"] }],
  ["a nested item stands open", ["- [ ] a\n  - [ ] b", "- [x] a\n  - [ ] b"], { open_items: ["b"] }],
  ["an item has left", [OPEN, "- [x] Build the parser\n- [x] Measure speed"], { lost_items: ["Write the guide"] }],
  ["all items have left", ["- [ ] a\n- [x] b", ""], { lost_items: ["a"] }],
  [
    "an item became another one",
    [OPEN, "- [x] Build the parser\n- [x] Celebrate\n- [x] Measure speed"],
    { lost_items: ["Write the guide"] },
  ],
  ["an item lost its box", ["- [ ] Build\n- [ ] Test", "- [x] Build\n- Test"], { lost_items: ["Test"] }],
  ["an item is named as not done", ["- [ ] Test", "## Rest\n- Test: not done"], { lost_items: ["Test"] }],
  [
    "an open item became optional",
    ["- [ ] Build\n- [ ] Test", "- [x] Build\n\n## Optional\n- [ ] Test"],
    { open_items: ["Test"] },
  ],
  [
    "an open item was reworded and left later",
    ["- [ ] Write the guide", "- [ ] Write a guide for beginners", "# Empty"],
    { lost_items: ["Write a guide for beginners"] },
  ],
  ["all of the plan is called optional", ["# Optional\n- [ ] a", "# Optional\n- [ ] a"], { open_items: ["a"] }],
  [
    "a section only sounds optional",
    ["## Optional arguments\n- [ ] a\n## B\n- [x] b", "## Optional arguments\n- [ ] a\n## B\n- [x] b"],
    { open_items: ["a"] },
  ],
])("a list contradicts a claim where %s [C46]", (_what, texts, found) => {
  expect(held(texts, TASK, null)).toEqual(found);
});

test.each<[what: string, texts: readonly string[]]>([
  ["all is ticked", [OPEN, OPEN.replaceAll("[ ]", "[x]")]],
  ["there is nothing", ["", ""]],
  ["nothing was open", ["- [x] a", ""]],
  ["items were ticked before they left", [OPEN, OPEN.replaceAll("[ ]", "[x]"), ""]],
  ["items were reworded in place", [OPEN, "- [x] The parser is built\n- [x] A guide for users\n- [x] Speed: measured"]],
  [
    "items were reworded and moved",
    [OPEN, "- [x] Measure speed\n- [x] Write the guide (docs)\n- [x] Build the parser"],
  ],
  ["the only item was reworded", ["- [ ] Write the guide", "- [x] Guide written"]],
  ["an item was split", ["- [ ] Build the parser", "- [x] Build the parser: lexer\n- [x] Build the parser: grammar"]],
  [
    "items were merged",
    ["- [ ] Build the parser\n- [ ] Write the guide", "- [x] Build the parser and write the guide"],
  ],
  ["items were reworded in Chinese", ["- [ ] 编写用户指南\n- [x] b", "- [x] 编写完整的用户指南\n- [x] b"]],
  ["an item of one sign was reworded", ["- [ ] 写\n- [x] b", "- [x] 写!\n- [x] b"]],
  [
    "items were ordered anew, and one reworded",
    ["- [x] b\n- [ ] Guide\n- [x] c", "- [x] c\n- [x] b\n- [x] Guide done"],
  ],
  [
    "items stand below a heading for what is done",
    [OPEN, "## Done\n\n- Build the parser\n- Write the guide\n- Measure speed"],
  ],
  ["items are marked without a box", [OPEN, "- ✅ Build the parser\n- ~~Write the guide~~\n| Measure speed | done |"]],
  [
    "sections are optional",
    [
      "- [x] a\n\n## Nice to have\n- [ ] b\n### More\n- [ ] c\n## Docs (out of scope)\n- [ ] d\n- plain",
      "- [x] a\n\n## Nice to have\n- [ ] b\n### More\n- [ ] c\n## Docs (out of scope)\n- [ ] d\n- plain",
    ],
  ],
  [
    "a label heads what is optional",
    [
      "- [x] a\n\n**Stretch goals:**\n\n- [ ] b\n\nLater:\n- [ ] c",
      "- [x] a\n\n**Stretch goals:**\n\n- [ ] b\n\nLater:\n- [ ] c",
    ],
  ],
  [
    "items say that they are optional",
    [
      "- [x] a\n- [ ] Optional: b\n  - [ ] b2\n- [ ] c (nice to have)\n- [ ] d – out of scope",
      "- [x] a\n- [ ] Optional: b\n  - [ ] b2\n- [ ] c (nice to have)\n- [ ] d – out of scope",
    ],
  ],
  ["an item of signs alone was reworded beside another", ["- [ ] ???\n- [x] b", "- [x] ??? ✅\n- [x] b"]],
  ["an item ends in a colon", ["- [x] Build:\n  - [x] a", "- [x] Build:\n  - [x] a"]],
  ["items stand in a fence", ["- [x] a\n```\n# Optional\n- [ ] b\n```", "- [x] a\n```\n# Optional\n- [ ] b\n```"]],
])("a list does not contradict a claim where %s [C46]", (_what, texts) => {
  expect(held(texts, TASK, null)).toEqual({});
});

test.each<[prompt: string]>([
  ["Do the plan. Skip the guide, and skip measuring speed."],
  ["Do the plan but do not write the guide; do not measure speed."],
  ["Build the parser. Writing the guide is optional; measure speed can wait."],
  ["Do the plan without items 2 and 3, without item 2 and without item 3."],
  ["Only do the first item of the plan."],
  ["Work through PLAN.md and stop after step 1."],
  ["Do all items except number 2, and leave out item 3."],
  ["Do everything except writing the guide and to measure speed."],
])("what %j excludes may stand open, or leave [C46]", (prompt) => {
  const rest = "- [x] Build the parser\n";
  expect(held([OPEN, `${rest}- [ ] Write the guide\n- [ ] Measure speed\n`], prompt, null)).toEqual({});
  expect(held([OPEN, rest], prompt, null)).toEqual({});
});

test.each<[prompt: string]>([
  ["Do only one item per iteration, until all of them are done."],
  ["Do not skip the guide. Never leave out to measure speed."],
  ["Write the guide without long sentences. Only touch docs."],
  ["Work through PLAN.md; do not stop before the promise."],
  ["Remove ticked items from the plan when it gets long."],
])("%j excludes nothing [C46]", (prompt) => {
  const found = held([OPEN, "- [x] Build the parser\n- [ ] Write the guide\n"], prompt, null);
  expect(found).toEqual({ open_items: ["Write the guide"], lost_items: ["Measure speed"] });
});

test("where the task is to tidy the list, items may leave it, and none may stand open [C46]", () => {
  const found = held([OPEN, "- [ ] Build the parser\n"], "Rewrite the plan and do it.", null);
  expect(found).toEqual({ open_items: ["Build the parser"] });
});

test("a list is known by its name as well [C46]", () => {
  expect(exclusionsOf("Shorten WORK.md.", ["WORK.md"]).tidies).toBe(true);
  expect(exclusionsOf("Shorten README.md.", ["WORK.md"]).tidies).toBe(false);
});

test("checkpoints are no items [C46]", () => {
  expect(held(["- [ ] HARD STOP: look\n- [ ] a", "- [ ] HARD STOP: look\n- [x] a"], TASK, "HARD STOP")).toEqual({});
});

test("of a list that nobody has seen at the start only what stands open counts [C46]", () => {
  const file = { path: "NEW.md", text: "- [ ] a\n" };
  const found = contradictionsOfLists([file], [], { prompt: TASK, token: null }, digest);
  expect(found).toEqual([{ kind: "open_items", file: "NEW.md", named: ["a"], count: 1 }]);
});

test("of a long list 200 items are remembered, and 5 named [C46]", () => {
  const text = Array.from({ length: 300 }, (_, at) => `- [ ] ${at} item`).join("\n");
  const list = beginList({ path: "PLAN.md", text }, null, digest);
  expect(list.items).toHaveLength(200);
  const found = contradictionsOfLists([{ path: "PLAN.md", text: "" }], [list], { prompt: TASK, token: null }, digest);
  expect(found).toMatchObject([{ kind: "lost_items", count: 200, named: { length: 5 } }]);
});
