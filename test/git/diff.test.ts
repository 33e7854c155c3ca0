import { expect, test } from "vitest";
import { encoded, nulFields, nulTerminated, parseNumstat, printable } from "../../src/git/diff.ts";

test.each([
  ["tests alone", "1\t0\ttest/a.test.ts\x002\t1\tsrc/b.spec.ts\0", true],
  ["tests and code", "1\t0\ttest/a.test.ts\x002\t1\tsrc/b.ts\0", false],
  ["nothing", "", false],
])("a change knows whether all of it are tests: %s [L-20]", (_title, numstat, only) => {
  expect(parseNumstat(numstat).only_tests).toBe(only);
});

const raw = (status: string, path: string) => `:100644 100644 ${"a".repeat(40)} ${"b".repeat(40)} ${status}\0${path}\0`;

test.each<[string, string, number | undefined]>([
  ["two more", raw("A", "test/a.test.ts") + raw("A", "test/b.test.ts"), 2],
  ["one that was only moved", raw("A", "test/a.test.ts") + raw("D", "test/b.test.ts"), undefined],
  ["fewer", raw("D", "test/b.test.ts"), undefined],
  ["one that changed", raw("M", "test/b.test.ts"), undefined],
  ["a fixture", raw("A", "test/fixtures/a.ts"), undefined],
  ["a path that looks like a line", raw("A", `:100644 100644 aa bb A`) + raw("A", "test/a.test.ts"), 1],
])("a change knows how many more files of tests there are: %s [C31]", (_title, lines, more) => {
  const change = parseNumstat(`${lines}1\t0\tsrc/a.ts\0`);
  expect([change.added_tests, change.files]).toEqual([more, 1]);
});

test("NUL-terminated fields, there and back", () => {
  for (const fields of [[], ["a"], ["a\nb", "", "c"]]) expect(nulFields(nulTerminated(fields))).toEqual(fields);
});

test("what nobody sees in a file's name is shown as what it is [T1]", () => {
  const name = "a\u202Etxt.exe\u2028\u0085\u007F\u200B\n\u{E0041}b";
  expect(printable(encoded(name))).toBe(String.raw`a\u202etxt.exe\u2028\u0085\u007f\u200b\n\udb40\udc41b`);
});

test("a count that is half of a binary file's is none", () => {
  expect(parseNumstat("1\t-\ta\0").removed).toBe(0);
});
