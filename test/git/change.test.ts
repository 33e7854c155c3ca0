import { expect, test } from "vitest";
import { parseNumstat } from "../../src/git/diff.ts";

test.each([
  ["tests alone", "1\t0\ttest/a.test.ts\x002\t1\tsrc/b.spec.ts\0", true],
  ["tests and code", "1\t0\ttest/a.test.ts\x002\t1\tsrc/b.ts\0", false],
  ["nothing", "", false],
])("L-20: a change knows whether all of it are tests: %s", (_title, numstat, only) => {
  expect(parseNumstat(numstat).only_tests).toBe(only);
});
