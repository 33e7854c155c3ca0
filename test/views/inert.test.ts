import { expect, test } from "vitest";
import { inert, shortened } from "../../src/views/github/markdown.ts";

const B = "\u200B";

test.each([
  ["a mention", "thanks @octocat", `thanks @${B}octocat`],
  ["a team", "@org/team-a", `@${B}org/team-a`],
  ["an address", "a@b.example", `a@${B}b.example`],
  ["a closing word", "Fixes #12, closes org/repo#3", `Fixes #${B}12, closes org/repo#${B}3`],
  ["the other form of an issue", "resolves GH-7 gh-8", `resolves GH-${B}7 gh-${B}8`],
  ["an issue's address", "fixes https://github.com/o/r/issues/1", `fixes https:${B}//github.com/o/r/issues/1`],
  ["a bare address", "www.example.com", `www${B}.example.com`],
  ["nothing of the kind", "a @ b # c, C# and x:y", "a @ b # c, C# and x:y"],
  ["several lines and colours", "\u001B[31ma\nb\u001B[0m", "a b"],
])("foreign text calls nobody and closes nothing: %s", (_, text, shown) => {
  expect(inert(text)).toBe(shown);
});

test("a line that is too long is cut", () => {
  expect(shortened("x".repeat(2_000))).toBe(`${"x".repeat(1_000)}…`);
});
