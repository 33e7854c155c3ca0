import { describe, expect, test } from "vitest";
import { commitsIn } from "../../../src/git/checkout/loop-commits.ts";

const ID = "a".repeat(40);
const commit = (loop: string, iteration: string, id = ID): string => `commit ${id}\n${loop}\t${iteration}\n`;

describe("the commits of a loop in a history [C57]", () => {
  test("are those of one loop, the newest first", () => {
    const text = commit("L", "4") + commit("", "") + commit("M", "9", "b".repeat(40)) + commit("L", "3");
    expect(commitsIn(text, null)).toEqual({ loopId: "L", count: 2, iteration: 4, newest: ID });
    expect(commitsIn(text, "M")).toEqual({ loopId: "M", count: 1, iteration: 9, newest: "b".repeat(40) });
    expect(commitsIn(text, "N")).toBeUndefined();
    expect(commitsIn("", null)).toBeUndefined();
  });

  test.each([
    ["a name that no loop has", commit("../etc", "1")],
    ["two loops in one commit", commit("L M", "1")],
    ["no number", commit("L", "many")],
    ["a number that is too long", commit("L", "1".repeat(30))],
    ["a commit that is none", commit("L", "1", "x".repeat(40))],
    ["control characters", commit("L\u001B[31m", "1")],
  ])("%s is passed over", (_name, text) => {
    expect(commitsIn(text, null)).toBeUndefined();
  });
});
