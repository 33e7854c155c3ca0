import { expect, test } from "vitest";
import { headOf, parsedJson, seenOnOneLine, tailOf } from "../../src/core/text.ts";

test.each([
  ["tail", tailOf, `[… cut]\n${"b".repeat(12)}`],
  ["head", headOf, `${"a".repeat(12)}\n[cut …]`],
] as const)("the %s of a long text says that something was cut and keeps to the limit", (_title, cut, expected) => {
  const text = "a".repeat(20) + "b".repeat(20);
  expect(cut(text, 20)).toBe(expected);
});

test.each([
  ["tail", tailOf],
  ["head", headOf],
] as const)("the %s of a text that fits is the text", (_title, cut) => {
  expect(cut("a".repeat(20), 20)).toBe("a".repeat(20));
});

test.each([
  ["tail", tailOf],
  ["head", headOf],
] as const)("the %s never cuts a character in two", (_title, cut) => {
  for (const limit of [20, 21]) {
    const text = cut("🙂".repeat(40), limit);
    expect(text).not.toMatch(/\p{Surrogate}/u);
    expect(text.length).toBeLessThanOrEqual(limit);
  }
});

test("JSON whose text has no end is refused in a moment, however many quotes are in it [T15]", () => {
  const began = performance.now();
  expect(parsedJson(`{"a":"${'\\"'.repeat(100_000)}`)).toBeUndefined();
  expect(performance.now() - began).toBeLessThan(1_000);
});

test("JSON of very many values within each other is not read, for it could not be written again [T15]", () => {
  const within = (times: number): string => `{"[": "\\"[", "a": ${"[".repeat(times)}${"]".repeat(times)}}`;
  expect(parsedJson(within(63))).toHaveProperty("a");
  expect([within(64), within(100_000), "[", "x"].map(parsedJson)).toEqual([undefined, undefined, undefined, undefined]);
});

test.each([
  ["colours", "\u001B[31msum \u001B[1;4madds\u001B[0m", "sum adds"],
  ["what nobody sees", "su\u200Bm\u0007 \u202Eadds", "sum adds"],
  ["lines", "sum\r\n  adds\n", "sum   adds"],
])("a name that somebody else has given is shown on one line, without %s [T1]", (_, text, expected) => {
  expect(seenOnOneLine(text, 100)).toBe(expected);
});
