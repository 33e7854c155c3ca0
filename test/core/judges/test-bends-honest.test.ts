import { expect, test } from "vitest";
import { testBends } from "../../../src/core/judges/test-bends.ts";

const body = (...lines: readonly string[]): string => `it("works", () => {\n  ${lines.join("\n  ")}\n});\n`;

test.each<[string, readonly string[], readonly string[]]>([
  ["a helper of another file holds it", ["expect(u.a).toBe(1);", "expect(u.b).toBe(2);"], ["expectUser(u);"]],
  [
    "its value is held too",
    ["expect(u).toBeDefined();", "expect(u).toEqual({ a: 1 });"],
    ["expect(u).toEqual({ a: 1 });"],
  ],
  ["another value is refused", ["expect(f()).not.toBe(1);"], ["expect(f()).toBe(2);"]],
  ["a name is another", ["expect(x.total).toBe(3);"], ["expect(y.total).toBe(3);"]],
  ["it held always", ["expect(true).toBe(true);"], ["expect(1).toBe(1);"]],
  [
    "parts are held as a whole",
    ["expect(u.a).toBe(1);", 'expect(u.b).toBe("x");'],
    ['expect(u).toEqual({ a: 1, b: "x" });'],
  ],
  ["a number is written in another way", ["expect(f()).toBe(1000);"], ["expect(f()).toBe(1_000);"]],
  ["a bound is closer", ["expect(f()).toBeGreaterThan(1);"], ["expect(f()).toBeGreaterThan(2);"]],
  ["a text holds more", ['expect(f()).toContain("a");'], ['expect(f()).toContain("ab");']],
  [
    "a method is watched, not replaced",
    ["expect(a.run()).toBe(1);"],
    ['vi.spyOn(a, "run");', "expect(a.run()).toBe(1);"],
  ],
])("no bend: %s [C41]", (_, before, after) => {
  expect(testBends([{ path: "test/a.test.ts", before: body(...before), after: body(...after) }])).toEqual([]);
});

test.each<[string, readonly string[], readonly string[], string]>([
  ["a lower bound", ["expect(f()).toBeGreaterThan(5);"], ["expect(f()).toBeGreaterThan(0);"], "tolerance_widened"],
  ["a part of another test", ["expect(f(1)).toBe(1);", "run();"], ["expect(1).toBe(1);", "run();"], "matcher_loosened"],
  [
    "part of the module",
    ["expect(run()).toBe(1);"],
    ['vi.mock("./a", async (original) => ({ run: () => 1 }));', "expect(run()).toBe(1);"],
    "unit_stubbed",
  ],
])("a bend: %s [C40]", (_, before, after, kind) => {
  const bends = testBends([{ path: "test/a.test.ts", before: body(...before), after: body(...after) }]);
  expect(bends.map((bend) => bend.kind)).toEqual([kind]);
});
