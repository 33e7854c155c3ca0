import { expect, test } from "vitest";
import {
  type Contradiction,
  contradictionOf,
  contradictionWords,
  countContradicted,
  NOT_CONTRADICTED,
} from "../../../../src/core/claim/contradictions/contradiction.ts";

test.each<[Contradiction, string]>([
  [contradictionOf("open_items", "PLAN.md", ["a"]), 'an item of PLAN.md stands open: "a"'],
  [contradictionOf("open_items", "PLAN.md", ["a", "b"]), '2 items of PLAN.md stand open: "a", "b"'],
  [
    contradictionOf("lost_items", "TODO.md", ["a"]),
    'an item of TODO.md was open when the loop began, and left the file without being ticked: "a"',
  ],
  [
    contradictionOf("lost_items", "TODO.md", "abcdefg".split("")),
    '7 items of TODO.md were open when the loop began, and left the file without being ticked: "a", "b", "c", "d", "e", 2 more',
  ],
  [contradictionOf("missing_files", "", ["a.ts"]), 'the message names as written what does not exist: "a.ts"'],
  [
    contradictionOf("unchanged_files", "", ["a.ts", "b\nc.ts"]),
    'the message names as written what has not changed since the loop began: "a.ts", "b c.ts"',
  ],
  [
    { kind: "nothing_modified", file: "", named: ["FILES_MODIFIED: 3"], count: 0 },
    'the status block says "FILES_MODIFIED: 3", and nothing has changed since the loop began',
  ],
  [
    { kind: "nothing_modified", file: "", named: ["FILES_MODIFIED: 3"], count: 1 },
    'the status block says "FILES_MODIFIED: 3", and only 1 of them has changed since the loop began',
  ],
  [
    { kind: "nothing_modified", file: "", named: ["FILES_MODIFIED: 3"], count: 2 },
    'the status block says "FILES_MODIFIED: 3", and only 2 of them have changed since the loop began',
  ],
  [{ kind: "numbers", file: "", named: ["5 of 5", "4 of 5"], count: 4 }, 'the promise says "5 of 5", but "4 of 5"'],
])("%j is told to the agent and to people [C46]", (found, words) => {
  expect(contradictionWords(found)).toBe(words);
});

test("claims that the very same contradicts are counted in a row [C46]", () => {
  const one = [contradictionOf("open_items", "PLAN.md", ["a", "b"])];
  const less = [contradictionOf("open_items", "PLAN.md", ["b"])];
  const first = countContradicted(NOT_CONTRADICTED, one);
  expect(first.times).toBe(1);
  expect(countContradicted(first, one).times).toBe(2);
  // A turn that claims nothing says nothing.
  expect(countContradicted(first, null)).toBe(first);
  expect(countContradicted(first, less).times).toBe(1);
  expect(countContradicted(first, [])).toEqual(NOT_CONTRADICTED);
});
