import { expect, test } from "vitest";
import {
  countIteration,
  resetCounters,
  startCounters,
  type IterationFacts,
} from "../../../src/core/progress/counters.ts";
import type { ProgressCounters } from "../../../src/core/progress/progress-counters.ts";

const facts = (overrides: Partial<IterationFacts> = {}): IterationFacts => ({
  tree: "a",
  filesModified: null,
  signature: null,
  failures: null,
  failing: null,
  unclaimed: null,
  failure: overrides.signature ?? null,
  green: false,
  figures: null,
  reached: null,
  onlyTests: false,
  addsTests: false,
  ticked: 0,
  denied: [],
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
  ["another one starts over", ["x", "x", "y"], 1],
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
    figures: [],
    furthest: null,
    failures_seen: [],
    recurring: 0,
    denied: [],
    denied_again: 0,
  });
});

test.each<[string, readonly Partial<IterationFacts>[], number]>([
  ["a turn that adds files of tests [C31]", [{ onlyTests: true }, { onlyTests: true, addsTests: true }], 0],
  [
    "figures that the loop has not had [C31]",
    [
      { onlyTests: true, figures: "a" },
      { onlyTests: true, figures: "b" },
    ],
    0,
  ],
  ["figures that it has had", ["a", "b", "a", "b"].map((figures) => ({ onlyTests: true, figures })), 2],
  [
    "a later stage",
    [
      { onlyTests: true, reached: 1 },
      { onlyTests: true, reached: 2 },
    ],
    0,
  ],
])("what is work although only tests changed: %s [section 4.4]", (_title, iterations, count) => {
  expect(after(...iterations).test_loops).toBe(count);
});

test.each<[string, readonly Partial<IterationFacts>[], number]>([
  ["a later stage in a tree that is known [C33]", [{ reached: 1 }, { reached: 2 }], 0],
  ["a stage that was reached before", [{ reached: 2 }, { reached: 1 }, { reached: 2 }], 3],
  ["a stage that is known for the first time", [{ reached: 2 }], 1],
  ["a stage that nobody knows", [{ reached: 2 }, {}, { reached: 3 }], 0],
])("iterations without progress: %s [section 4.4]", (_title, iterations, count) => {
  expect(after(...iterations).no_progress).toBe(count);
});

test.each<[string, readonly Partial<IterationFacts>[], number]>([
  ["in trees that are known [C30]", [{ unclaimed: "x" }, { unclaimed: "x" }], 2],
  ["not in one that is new", [{ unclaimed: "x" }, { unclaimed: "x", tree: "b" }], 0],
  [
    "not with a later stage",
    [
      { unclaimed: "x", reached: 1 },
      { unclaimed: "x", reached: 2 },
    ],
    0,
  ],
  [
    "not with other figures",
    [
      { unclaimed: "x", figures: "a" },
      { unclaimed: "x", figures: "b" },
    ],
    0,
  ],
  ["as the same as one that was claimed", [{ signature: "x" }, { unclaimed: "x" }], 2],
])("a red check that nobody claimed to pass counts %s", (_title, iterations, count) => {
  expect(after(...iterations).same_error).toBe(count);
});

test.each<[string, Partial<IterationFacts>, number]>([
  ["nothing else", {}, 1],
  ["a new tree alone", { tree: "b" }, 1],
  ["fewer failing tests", { failures: 1, failing: ["a"] }, 0],
  ["other failing tests", { failures: 2, failing: ["a", "c"] }, 0],
  ["more failing tests", { failures: 3, failing: ["a", "b", "c"] }, 0],
  ["the same failing tests", { failures: 2, failing: ["b", "a"] }, 1],
  ["another number of them without names", { failures: 3 }, 1],
  ["other figures", { figures: "b" }, 0],
  ["a later stage", { reached: 2 }, 0],
  ["an item that is ticked", { ticked: 1 }, 0],
])("the same denied twice running counts again with %s between [C32]", (_title, second, count) => {
  const first = { denied: ["x"], failures: 2, failing: ["a", "b"], figures: "a", reached: 1 };
  expect(after(first, { denied: ["x"], ...second }).denied_again).toBe(count);
});

test("tests that are known for the first time are no other tests [C32]", () => {
  expect(after({ denied: ["x"] }, { denied: ["x"], failures: 1, failing: ["a"] }).denied_again).toBe(1);
});
