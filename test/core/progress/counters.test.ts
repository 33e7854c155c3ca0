import { expect, test } from "vitest";
import {
  countIteration,
  resetCounters,
  startCounters,
  type IterationFacts,
} from "../../../src/core/progress/counters.ts";
import type { ProgressCounters } from "../../../src/core/state.ts";

const facts = (overrides: Partial<IterationFacts> = {}): IterationFacts => ({
  tree: "a",
  filesModified: null,
  signature: null,
  failures: null,
  failing: null,
  onlyTests: false,
  ticked: 0,
  ...overrides,
});

/** The progress counters after these iterations, of a loop that began with tree `a`. */
const after = (...iterations: readonly Partial<IterationFacts>[]): ProgressCounters =>
  iterations.reduce<ProgressCounters>(
    (counters, iteration) => countIteration(counters, facts(iteration)),
    startCounters("a"),
  );

const trees = (text: string): readonly Partial<IterationFacts>[] => Array.from(text, (tree) => ({ tree }));

test.each<[string, readonly Partial<IterationFacts>[], number]>([
  ["a tree that was never seen", trees("b"), 0],
  ["the tree that it began with", trees("a"), 1],
  ["three in a row that leave the tree as it is [R-15]", trees("aaa"), 3],
  ["back and forth between two trees [C23]", trees("baba"), 3],
  ["a cycle of four trees [C23]", trees("bcdabcda"), 5],
  ["a new tree ends the count", trees("aaab"), 0],
  ["fewer failures than ever, in a tree that is known", [{ failures: 3 }, { failures: 2 }], 0],
  ["fewer than before, but not than ever [C23]", [{ failures: 2 }, { failures: 4 }, { failures: 3 }], 3],
  ["as few as ever [C23]", [{ failures: 2 }, { failures: 2 }], 2],
  ["failures that are known for the first time", [{ failures: 2 }], 1],
  ["an item that is ticked, in a tree that is known [R-26]", [{ ticked: 1 }, { ticked: 2 }], 0],
  ["an item that is ticked again [C23]", [{ ticked: 1 }, { ticked: 0 }, { ticked: 1 }], 2],
  ["no git, and the agent says it changed nothing", [{ tree: null, filesModified: 0 }], 1],
  ["no git, and the agent says it changed something", [{ tree: null, filesModified: 2 }], 0],
  ["no git, and nobody knows", [{ tree: null }, { tree: null }, { tree: null }], 0],
])("iterations without progress: %s [section 4.4]", (_title, iterations, count) => {
  expect(after(...iterations).no_progress).toBe(count);
});

test.each<[string, readonly (string | null)[], number]>([
  ["the first failure", ["x"], 1],
  ["five alike [L-19]", ["x", "x", "x", "x", "x"], 5],
  ["another one begins anew", ["x", "x", "y"], 1],
  ["green ends the count", ["x", "x", null], 0],
  ["green in between", ["x", null, "x"], 1],
])("failures alike: %s [section 4.4]", (_title, signatures, count) => {
  expect(after(...signatures.map((signature) => ({ signature }))).same_error).toBe(count);
});

test.each<[string, readonly Partial<IterationFacts>[], number]>([
  ["three in a row [L-20]", [{ onlyTests: true }, { onlyTests: true }, { onlyTests: true }], 3],
  ["one that changes code ends the count", [{ onlyTests: true }, {}], 0],
  [
    "fewer failures end it too",
    [
      { onlyTests: true, failures: 3 },
      { onlyTests: true, failures: 2 },
    ],
    0,
  ],
])("iterations that change nothing but tests: %s [section 4.4]", (_title, iterations, count) => {
  expect(after(...iterations).test_loops).toBe(count);
});

test("at most 500 trees are remembered, by their first 16 digits [C23]", () => {
  const many = Array.from({ length: 600 }, (_, index) => ({
    tree: `${String(index).padStart(4, "0")}${"f".repeat(40)}`,
  }));
  const counters = after(...many);
  expect(counters.trees).toHaveLength(500);
  expect(counters.trees.at(-1)).toBe("0599ffffffffffff");
});

test("outside of git a loop begins without a tree", () => {
  expect(startCounters(null).trees).toEqual([]);
});

test("a reset forgets the counts, and no tree [R-08]", () => {
  const counters = after({ tree: "b", signature: "x", onlyTests: true }, { tree: "b", signature: "x", failures: 3 });
  expect(resetCounters(counters)).toEqual({
    trees: ["a", "b"],
    no_progress: 0,
    same_error: 0,
    signature: null,
    test_loops: 0,
    fewest_failures: 3,
    last_failing: [],
    settled_tests: [],
    most_ticked: 0,
  });
});
