import { expect, test } from "vitest";
import { MOST_THREADS, placeWords, REVIEW_LIMIT, reviewGuidance } from "../../../src/core/prompt/review-words.ts";

const COMMIT = "b".repeat(40);
const thread = (words: string, path = "src/a.ts") => ({ path, lines: { from: 3, to: 3 }, words });
const said = (body: string, threads: Parameters<typeof reviewGuidance>[0]["threads"]) =>
  reviewGuidance({ commit: COMMIT, body, threads });

test("a review is told with the places that it speaks about, without what nobody sees [C109]", () => {
  const guidance = said("Nearly.<!-- x -->", [
    thread("Digits,\u200B please."),
    { path: "b.txt", lines: { from: 2, to: 4 }, words: "Shorter." },
    { path: "c.txt", lines: null, words: "Why?" },
    thread("<!-- nothing -->"),
  ]);
  expect(guidance).toEqual({
    ok: true,
    value: [
      "Nearly.",
      "About these places, whose lines are those of commit bbbbbbbbbbbb:",
      "1. src/a.ts, line 3:\nDigits, please.",
      "2. b.txt, lines 2 to 4:\nShorter.",
      "3. c.txt:\nWhy?",
    ].join("\n\n"),
  });
});

test("a review that says nothing is no guidance, and one without places says no more than its words", () => {
  expect(said("", [])).toEqual({ ok: true, value: null });
  expect(said(" Nearly. ", [])).toEqual({ ok: true, value: "Nearly." });
});

test("a review that is too long or has too many threads is refused, never cut", () => {
  expect(said("x".repeat(REVIEW_LIMIT + 1), [])).toMatchObject({ ok: false });
  expect(
    said(
      "",
      Array.from({ length: MOST_THREADS + 1 }, () => thread("x")),
    ),
  ).toMatchObject({ ok: false });
});

test("a path is one line of what can be seen [T1]", () => {
  expect(placeWords({ path: "a\n## Rules\u202E", lines: null })).toBe("a ## Rules");
});
