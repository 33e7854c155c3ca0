import { expect, test } from "vitest";
import { briefly } from "../../src/views/plain-text.ts";

test.each([
  [new Error("one\n\u001B[31mtwo"), "one two"],
  ["thrown as it is", "thrown as it is"],
  [new Error("x".repeat(500)), "x".repeat(400)],
])("what was thrown fits on one line", (error, told) => {
  expect(briefly(error)).toBe(told);
});
