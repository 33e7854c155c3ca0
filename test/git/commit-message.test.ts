import { expect, test } from "vitest";
import { squashedMessage } from "../../src/git/commit.ts";

test.for([
  ["one", ["fix: a\n\nBody.\n"], "fix: a\n\nBody.\n"],
  ["one without a word", [""], "\n"],
  ["trailers stay last", ["a\n", "b\n\nBody.\n\nX-Y: z\n"], "b\n\nBody.\n\nWith it:\n\n- a\n\nX-Y: z\n"],
  ["trailers alone are a text", ["a", "Fix: b\n"], "Fix: b\n\nWith it:\n\n- a\n"],
] as const)("sign-commits: the message of one commit for several: %s", ([, messages, expected]) => {
  expect(squashedMessage(messages)).toBe(expected);
});

test("sign-commits: of very many commits the first fifty are named", () => {
  const many = Array.from({ length: 60 }, (_, i) => `commit ${i}\n\nBody.\n`);
  const lines = squashedMessage(many).split("\n");
  expect(lines.filter((line) => line.startsWith("- commit"))).toHaveLength(50);
  expect(lines.at(-2)).toBe("- and 9 more");
});
