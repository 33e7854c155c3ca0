import { expect, test } from "vitest";
import { briefly, wrapped } from "../../src/views/plain-text.ts";

test.each([
  [new Error("one\n\u001B[31mtwo"), "one two"],
  ["thrown as it is", "thrown as it is"],
  [new Error("x".repeat(500)), "x".repeat(400)],
])("what was thrown fits on one line", (error, told) => {
  expect(briefly(error)).toBe(told);
});

test.each([
  ["what fits stays", "ab cd", 5, ["ab cd"]],
  ["nothing is one line", "", 5, [""]],
  ["it breaks at a blank in the second half", "abcd efgh", 6, ["abcd", "efgh"]],
  ["else anywhere", "a bcdefghijk", 6, ["a bcde", "fghijk"]],
  ["a blank at the end of a line goes", "abcdef gh", 6, ["abcdef", "gh"]],
  ["and so does one behind a full last line", "abcdef ", 6, ["abcdef"]],
  ["wide characters take two columns", "漢字漢字", 5, ["漢字", "漢字"]],
  ["marks take none", `e\u0301`.repeat(4), 4, [`e\u0301`.repeat(4)]],
  ["a line has room for a wide character at least", "漢字", 0, ["漢", "字"]],
])("a line is wrapped: %s [C122]", (_, text, columns, lines) => {
  expect(wrapped(text, columns)).toEqual(lines);
});

test.each([2, 3, 7, 20])(
  "letters, whatever their alphabet, break where those with marks do: %i columns [C122]",
  (columns) => {
    const words = Array.from({ length: 60 }, (_, at) => "x".repeat((at * 7) % 11) + " ".repeat(1 + (at % 3))).join("");
    const broken = wrapped(words, columns);
    for (const letter of ["ä", "ж", "é", "─"])
      expect(wrapped(words.replaceAll("x", letter), columns)).toEqual(
        broken.map((each) => each.replaceAll("x", letter).normalize("NFC")),
      );
    const marked = wrapped(words.replaceAll("x", "e\u0301"), columns);
    expect(marked.map((each) => each.replaceAll("e\u0301", "x"))).toEqual(broken);
  },
);
