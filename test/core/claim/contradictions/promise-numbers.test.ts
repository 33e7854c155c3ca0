import { expect, test } from "vitest";
import { contradictedNumbers } from "../../../../src/core/claim/contradictions/promise-numbers.ts";

const PLAN = { items: 5, ticked: 5 };
const ALL = "<promise>ALL_5_ITEMS_DONE</promise>";

test.each([
  [
    "says less of the same",
    `4 of 5 items are in place.\nThat is what I did.\nIt is.\n${ALL}`,
    ALL,
    null,
    "4 of 5 items",
  ],
  ["says that some are left", `1 item is still open.\nSo much.\nIt is.\n${ALL}`, ALL, null, "1 item is still open"],
  ["says it behind the promise", `It is.\n${ALL}\n2 items remain`, ALL, null, "2 items remain"],
  ["says that tests fail", "2 tests fail here.\n\nx\n12/12 tests DONE", "12/12 tests DONE", null, "2 tests fail"],
  ["is said in the line before", "3 items are open.\nx\nAll 5 items are done.\nEND", "END", null, "3 items are open"],
  ["says itself that it is not all", "Look.\n3/5 DONE", "3/5 DONE", null, "that is not all of them"],
  ["counts more than the plan holds", "Look.\nALL 9 ITEMS DONE", "ALL 9 ITEMS DONE", PLAN, "5 of 5 items of the plan"],
  ["counts more than the plan has ticked", `Look.\n${ALL}`, ALL, { items: 5, ticked: 3 }, "3 of 5 items of the plan"],
  ["counts all of the plan without a word", "x\n5/5", "5/5", { items: 5, ticked: 4 }, "4 of 5 items of the plan"],
  ["counts without a word what is less", "4 of 5 items work.\nx\ny\n5/5", "5/5", null, "4 of 5 items"],
  ["matches a pattern", "4 of 7 steps work.\nx\ny\n7 of 7 steps", null, null, "4 of 7 steps"],
] as const)("a promise is contradicted that %s [C49]", (_what, message, promise, plan, other) => {
  const found = contradictedNumbers(message, promise, plan);
  expect(found).toHaveLength(1);
  expect(found[0]?.named[1]).toContain(other);
});

test.each([
  ["counts without a word something else", "4 of 7 items work. 2 tests fail.\nx\ny\n5/5", "5/5", null],
  ["counts items where another count has no word", "4/7\nx\ny\nAll 5 items done. END", "END", null],
  ["follows an amount of something else", "I used 2 of 100 calls.\nDONE", "DONE", PLAN],
  ["has no number", "4 of 5 items work.\nx\ny\nDONE", "DONE", PLAN],
  ["counts the same", `5 of 5 items work.\nx\ny\n${ALL}`, ALL, PLAN],
  ["counts something else", `4 of 5 warnings are gone.\nx\ny\n${ALL}`, ALL, PLAN],
  ["tells of before", `Before, 4 of 5 items worked. 2 items were open.\nx\ny\n${ALL}`, ALL, PLAN],
  ["tells of more at last", `4 of 5 items work.\n5 of 5 items work.\nx\ny\n${ALL}`, ALL, PLAN],
  ["counts in code", `\`\`\`\n4 of 5 items\n\`\`\`\nx\ny\n${ALL}`, ALL, PLAN],
  ["holds versions, times and dates", "Node 24.1, 3/5/2026, 12 s, 50%.\nx\ny\nDONE in 3 min", "DONE in 3 min", PLAN],
  ["says that all tests pass", "3 of 3 tests pass.\nDONE", "DONE", PLAN],
  ["counts tasks of its own, fewer than the plan", "All 2 tasks are done.\nDONE", "DONE", PLAN],
  ["counts tests, of which the plan says nothing", "All 50 tests pass.\nDONE", "DONE", PLAN],
  ["counts without a word what is not the plan", "7/7\nDONE", "DONE", PLAN],
  ["counts where the plan holds nothing", `x\n${ALL}`, ALL, { items: 0, ticked: 0 }],
  ["counts where there is no plan", `x\n${ALL}`, ALL, null],
  ["is not there", "4 of 5 items work.", ALL, PLAN],
  ["is a pattern over nothing", "", null, PLAN],
] as const)("a promise is not contradicted that %s [C49]", (_what, message, promise, plan) => {
  expect(contradictedNumbers(message, promise, plan)).toEqual([]);
});
