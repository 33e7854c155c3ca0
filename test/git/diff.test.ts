import { expect, test } from "vitest";
import { nulFields, nulTerminated, parseNumstat } from "../../src/git/diff.ts";

test.each([
  ["tests alone", "1\t0\ttest/a.test.ts\x002\t1\tsrc/b.spec.ts\0", true],
  ["tests and code", "1\t0\ttest/a.test.ts\x002\t1\tsrc/b.ts\0", false],
  ["nothing", "", false],
])("a change knows whether all of it are tests: %s [L-20]", (_title, numstat, only) => {
  expect(parseNumstat(numstat).only_tests).toBe(only);
});

test("NUL-terminated fields, there and back", () => {
  for (const fields of [[], ["a"], ["a\nb", "", "c"]]) expect(nulFields(nulTerminated(fields))).toEqual(fields);
});
