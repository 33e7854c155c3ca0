import { expect, test } from "vitest";
import { keepLearned } from "../../../src/core/claim/read-claim.ts";

test.each<[string, readonly string[], readonly string[]]>([
  ["nothing", [], []],
  ["only what is learned", ["done: a", "learned: b", "next: c"], ["b"]],
  ["decorated labels", ["- **Learned:** b", "> * learned : c", "LEARNED: d"], ["b", "c", "d"]],
  [
    "what stands below its label",
    ["Learned:", "- the port is 7", "it is slow", "Next:", "- go on"],
    ["- the port is 7", "it is slow"],
  ],
  ["not what merely begins alike", ["learned helplessness", "doneness: x"], []],
  ["what it knows already once", ["learned: a", "learned: a"], ["a"]],
])("of an agent's notes a loop keeps %s [W-66, C18]", (_title, notes, kept) => {
  expect(keepLearned([], notes)).toEqual(kept);
});

test("what is kept is bounded, and the oldest goes first [W-66]", () => {
  const known = Array.from({ length: 40 }, (_, index) => `fact ${index}`);
  const kept = keepLearned(known, ["learned: fact 3", `learned: ${"x".repeat(500)}`]);
  expect(kept).toHaveLength(40);
  expect(kept[0]).toBe("fact 1");
  expect(kept.at(-1)).toBe("x".repeat(200));
});
