import { expect, test } from "vitest";
import { isRead, roleOf } from "../../../src/core/progress/test-files.ts";

test.each<[string, ReturnType<typeof roleOf>]>([
  ["test/a.test.ts", "test"],
  ["tests/cart.rs", "test"],
  ["src/cart.rs", "mixed"],
  ["test/fixtures/a.json", "support"],
  ["src/__snapshots__/a.test.ts.snap", "support"],
  ["package.json", "script"],
  ["src/a.ts", null],
  ["node_modules/a/test/a.test.ts", null],
  ["api/.venv/lib/python3/site-packages/a/tests/test_a.py", null],
  ["node_modules/a/src/cart.rs", null],
  ["node_modules/.bin/check", "script"],
])("%s has the role %s [C21]", (path, role) => {
  expect(roleOf(path, new Set(["package.json", "test/a.test.ts", "node_modules/.bin/check"]))).toBe(role);
});

test("only what may hold tests is read [C21]", () => {
  expect((["test", "mixed", "support", "script"] as const).filter(isRead)).toEqual(["test", "mixed"]);
});
