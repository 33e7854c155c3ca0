import { expect, test } from "vitest";
import { createMatcher } from "../../src/os/matcher.ts";
import { problemsOf } from "./support.ts";

/** JavaScript takes some of them without the flag `u` only, some with it only. */
const PATTERNS = [
  "DONE",
  String.raw`\d{2}-done`,
  String.raw`<promise>DONE<\/promise>`,
  String.raw`\p{Lu}+ DONE`,
  "^.$",
  "a{1",
  "a{",
  "{",
  "]",
  "(",
  "[z-a]",
  "x**",
  String.raw`\-done`,
  String.raw`\u{110000}`,
  String.raw`(?<n>x)\k<m>`,
];

test.each(PATTERNS)("the settings take %j exactly when the matcher does [W-37]", async (pattern) => {
  const flags = { "promise-mode": "regex", "completion-promise": pattern };
  const refused = problemsOf({ flags }).some((problem) => problem.code === "PATTERN_INVALID");
  const compiles = await createMatcher(30_000)
    .test(pattern, "x")
    .then(
      () => true,
      () => false,
    );

  expect(refused).toBe(!compiles);
});
