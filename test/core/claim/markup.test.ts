import { expect, test } from "vitest";
import { lastLine, normalised, withoutCodeAndQuotes, withoutStatusBlocks } from "../../../src/core/claim/markup.ts";

test.each([
  ["Windows line ends", "a\r\nb\rc", "a\nb\nc"],
  ["colours", "\u001B[1;31mred\u001B[0m \u001B[?25lhidden", "red hidden"],
  ["zero-width characters and byte order marks", "\uFEFFa\u200Bb\u2060c", "abc"],
])("%s are gone [section 5.1]", (_title, message, expected) => {
  expect(normalised(message)).toBe(expected);
});

test.each([
  ["a fence", "a\n```ts\ncode\n```\nb", "a\nb"],
  ["an indented fence", "a\n   ```\ncode\n   ```\nb", "a\nb"],
  ["a fence that is never closed", "a\n```\ncode\nmore", "a"],
  ["a shorter fence does not close a longer one", "````\n```\ncode\n````\nb", "b"],
  ["a longer fence closes a shorter one", "```\ncode\n`````\nb", "b"],
  ["a fence with a language opens, it does not close", "```\n```ts\ncode\n```\nb", "b"],
  ["a fence of the other kind does not close", "~~~\n```\n~~~\nb", "b"],
  ["three backticks around a word are inline code", "```code``` b\nc", " b\nc"],
  ["inline code", "a `b` c", "a  c"],
  ["inline code with a backtick in it", "a ``b ` b`` c", "a  c"],
  ["two spans", "`a` b `c` d", " b  d"],
  ["an unclosed backtick is a backtick", "a ` b", "a ` b"],
  ["an unclosed pair before a span", "`` a `b` c", "`` a  c"],
  ["a quotation", "a\n> b\n  >> c\nd", "a\nd"],
  ["a greater-than sign inside a line", "a > b", "a > b"],
])("promise-guard code drops %s", (_title, text, kept) => {
  expect(withoutCodeAndQuotes(text)).toBe(kept);
});

test.each([
  ["a block", "a\n---RALPH_STATUS---\nSTATUS: COMPLETE\n---END_RALPH_STATUS---\nb", "a\nb"],
  ["a decorated block", "a\n> **--- loopr_status ---**\nSTATUS: x\n> --- end_loopr_status ---\nb", "a\nb"],
  ["a block whose end has another name [B15]", "--LISA_STATUS--\nX: 1\n--END_SMITHERS_STATUS--\nb", "b"],
  ["a block with a blank line in it and an end", "--LISA_STATUS--\n\nX: 1\n--END_LISA_STATUS--\nb", "b"],
  ["a block without an end, up to the blank line [B4]", "---LOOPR_STATUS---\nSTATUS: x\n\nb", "\nb"],
  ["a fenced block, with its fence [B1]", "a\n```\n--LOOPR_STATUS--\nX: 1\n--END_LOOPR_STATUS--\n```", "a\n"],
  ["a fenced block without an end, up to the fence [B4]", "a\n```text\n--LOOPR_STATUS--\nX: 1\n```", "a\n"],
  ["a second block without an end", "--LISA_STATUS--\n--END_LISA_STATUS--\n--LISA_STATUS--\nX: 1\n\nb", "\nb"],
  ["the YAML form [B10]", "a\nRALPH_STATUS:\n  STATUS: COMPLETE\n\nb", "a\n\nb"],
])("what is skipped: %s [P15]", (_title, text, kept) => {
  expect(withoutStatusBlocks(text)).toBe(kept);
});

test("a marker inside a sentence begins no block [B12]", () => {
  const text = "I end with ---RALPH_STATUS--- as told.\nb";
  expect(withoutStatusBlocks(text)).toBe(text);
});

test("a message full of lines costs no more than its length", () => {
  const text = `---RALPH_STATUS---\n${"x\n".repeat(32_000)}\nlast`;
  expect(lastLine(withoutStatusBlocks(text))).toBe("last");
}, 2000);

test.each([
  ["a\n  b  \n\n \n", "b"],
  ["", ""],
  [" \n ", ""],
])("the last line of %j is %j", (text, expected) => {
  expect(lastLine(text)).toBe(expected);
});
