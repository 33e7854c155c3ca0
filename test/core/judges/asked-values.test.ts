import { expect, test } from "vitest";
import { askedIn, isAsked } from "../../../src/core/judges/asked.ts";
import type { Bend } from "../../../src/core/judges/bend.ts";

const asks = (task: string, found: Pick<Bend, "kind" | "was" | "now">): boolean =>
  isAsked(askedIn(task), { path: "test/work.test.ts", line: 1, ...found }, []);

const LIST = "expect(parse('')).toEqual([]);";

test.each<[string, string | null, string, boolean]>([
  ["parse('') must return null instead of a list.", LIST, "expect(parse('')).toBeNull();", true],
  ["find() must return null.", null, "expect(find()).toBeNull();", true],
  ["Return None for empty input.", "assert parse('') == []", "assert parse('') is None", true],
  ["parse('') returns null. Fix the failing tests.", LIST, "expect(parse('')).toBeNull();", false],
  ["parse('') must not return null.", LIST, "expect(parse('')).toBeNull();", false],
  ["parse('') must return a list instead of null.", LIST, "expect(parse('')).toBeNull();", false],
  ["Empty input should raise an error.", LIST, "expect(() => parse('')).toThrow();", true],
  ["Fix the error in parse.", LIST, "expect(() => parse('')).toThrow();", false],
  ["isOpen() has to be false by then.", "expect(isOpen()).toBe(true);", "expect(isOpen()).toBe(false);", true],
  ["isOpen() should be true by then.", "expect(isOpen()).toBe(false);", "expect(isOpen()).toBe(true);", true],
])("%s: a value in words [C42]", (task, was, now, expected) => {
  expect(asks(task, { kind: "expectation_replaced", was, now })).toBe(expected);
});

test.each<[string, string, boolean]>([
  ['Print "config not found: <path>" then.', "config not found: a.json", true],
  ["Say `{name} is missing` then.", "title is missing", true],
  ['Print "config not found: <path>" then.', "ENOENT", false],
  ['Print "<path>" then.', "anything at all", false],
])("%s: a message of that form, %s [C42]", (task, message, expected) => {
  const [was, now] = ['toThrow("x");', `toThrow("${message}");`];
  expect(asks(task, { kind: "expectation_replaced", was, now })).toBe(expected);
});

test.each<[string, boolean]>([
  ["Get rid of the exporter.", true],
  ["We no longer support the exporter.", true],
  ["The tests take no longer than the exporter.", false],
  ["We support the exporter no longer.", false],
])("%s: its tests go as well [C42]", (task, expected) => {
  const found = { kind: "tests_removed", path: "src/exporter.test.ts", line: 1, was: null, now: null } as const;
  expect(isAsked(askedIn(task), found, [])).toBe(expected);
});

test("what is to be skipped may be named before [C42]", () => {
  const found = { kind: "tests_excluded", was: null, now: "item.add_marker(skip)" } as const;
  expect(asks("Mark the slow tests and skip them without --slow.", found)).toBe(true);
  expect(asks("Mark the slow rows and skip them.", found)).toBe(false);
});
