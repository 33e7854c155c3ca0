import { expect, test } from "vitest";
import { leftoverIn } from "../../../src/core/claim/unfinished.ts";

const unfinishedNear = (message: string, promise: string | null) => leftoverIn(message, promise)?.said ?? null;

const PROMISE = "<promise>DONE</promise>";

test.each([
  "Two tests still fail.",
  "The parser works, but the docs are still missing.",
  "The export is not yet implemented.",
  "Everything is done except the documentation.",
  "All tests pass apart from the flaky one.",
  "TODO: write the migration.",
  "Remaining: the error messages.",
  "- Remaining work: the error messages.",
  "I could not finish the importer.",
  "I was unable to fix the last one.",
  "3 tests fail on Windows.",
  "The retry logic is not fully implemented.",
  "The cache isn't implemented.",
  "There is some cleanup left to do.",
  "The changelog remains to be written.",
  "Some items remain.",
  "The error handling is left as a TODO.",
  "One case is missing: the empty list has to be done.",
])("%s names unfinished work [C22]", (sentence) => {
  expect(unfinishedNear(`I have worked on it.\n\n${sentence}\n${PROMISE}`, PROMISE)).toBe(sentence);
  expect(unfinishedNear(`${sentence} So: ${PROMISE}`, PROMISE)).toBe(sentence);
});

test.each([
  "Nothing remains.",
  "No TODO left.",
  "0 tests fail.",
  "0 failing, 12 passing.",
  "No tests are still failing.",
  "The tests that were still failing now pass.",
  "I fixed the remaining failures.",
  "The remaining items are done.",
  "Remaining: none.",
  "TODO: nothing",
  "There is nothing left to do.",
  "All items of TODO.md are ticked.",
  "I removed the TODO: comments, which are no longer needed.",
  "Errors are handled by an except block.",
  "Two tests failed before; they pass now.",
  "If tests still fail, look at the log.",
  "No tests remain to be fixed.",
  "I did not need to change the interface.",
  "The tests do not depend on the network.",
  "Not only the tests pass, the linter does as well.",
  "Without the flag it is not yet shown.",
])("%s names none [C22]", (sentence) => {
  expect(unfinishedNear(`${sentence}\n${PROMISE}`, PROMISE)).toBeNull();
});

test("only what is in the same breath counts [C22]", () => {
  const far = `Two tests still fail.\nI looked at them.\nThen I mended the parser.\nAll is green.\n${PROMISE}`;
  expect(unfinishedNear(far, PROMISE)).toBeNull();
  expect(unfinishedNear(`${PROMISE}\nThe docs are still missing.`, PROMISE)).toBe("The docs are still missing.");
  expect(unfinishedNear(`${PROMISE}\nA note.\nTwo tests still fail.`, PROMISE)).toBeNull();
});

test("what is quoted, and the status block, is not said [C22]", () => {
  expect(unfinishedNear(`\`\`\`\nTwo tests still fail.\n\`\`\`\n${PROMISE}`, PROMISE)).toBeNull();
  expect(unfinishedNear(`It printed \`2 tests still fail\`.\n${PROMISE}`, PROMISE)).toBeNull();
  const block = "---LOOPR_STATUS---\nSTATUS: COMPLETE\nSUMMARY: the docs are still missing\n---END_LOOPR_STATUS---";
  expect(unfinishedNear(`${PROMISE}\n${block}`, PROMISE)).toBeNull();
});

test("the promise's own words say nothing; without an exact text the end of the message is looked at [C22]", () => {
  expect(unfinishedNear("Nice.\nNothing not yet done", "Nothing not yet done")).toBeNull();
  expect(unfinishedNear("The docs are still missing.\nDONE-7", null)).toBe("The docs are still missing.");
  expect(unfinishedNear("", null)).toBeNull();
});

test("at most 300 characters are quoted [C22]", () => {
  expect(unfinishedNear(`${"x".repeat(5_000)} is not yet done.\n${PROMISE}`, PROMISE)).toBeNull();
  expect(unfinishedNear(`It is not yet done ${"x".repeat(500)}\n${PROMISE}`, PROMISE)).toHaveLength(300);
});
