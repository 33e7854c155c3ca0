import { expect, test } from "vitest";
import { normalised } from "../../../src/core/claim/markup.ts";
import { readStatusBlock } from "../../../src/core/claim/status-block.ts";
import type { StatusBlock } from "../../../src/core/claim/claim.ts";

const read = (message: string): StatusBlock | null => readStatusBlock(normalised(message));

const block = (...fields: readonly string[]): string =>
  ["---LOOPR_STATUS---", ...fields, "---END_LOOPR_STATUS---"].join("\n");

const tests = (status: string): string => block("STATUS: COMPLETE", `TESTS_STATUS: ${status}`);

test("L-12: Loopr's block", () => {
  const text = `Text.
---LOOPR_STATUS---
STATUS: IN_PROGRESS
EXIT_SIGNAL: false
WORK_TYPE: code
FILES_MODIFIED: 3
ERRORS: 0
SUMMARY: two of five done
---END_LOOPR_STATUS---`;
  expect(read(text)).toEqual({
    name: "loopr",
    status: "IN_PROGRESS",
    exit_signal: false,
    work_type: "code",
    files_modified: 3,
    errors: 0,
    tests_status: null,
    tasks_completed: null,
    summary: "two of five done",
    other: {},
  });
});

test("R-17: Ralph's block, its field names and its words", () => {
  const text = `---RALPH_STATUS---
STATUS: COMPLETE
TASKS_COMPLETED_THIS_LOOP: 2
FILES_MODIFIED: 4
TESTS_STATUS: PASSING
WORK_TYPE: bugfix
EXIT_SIGNAL: true
RECOMMENDATION: ship it
---END_RALPH_STATUS---`;
  expect(read(text)).toEqual({
    name: "ralph",
    status: "COMPLETE",
    exit_signal: true,
    work_type: "code",
    files_modified: 4,
    errors: null,
    tests_status: "PASSING",
    tasks_completed: 2,
    summary: "ship it",
    other: {},
  });
});

test.each<[string, string, Partial<StatusBlock> | null]>([
  ["B1: fenced", `\`\`\`\n${block("STATUS: COMPLETE")}\n\`\`\``, { status: "COMPLETE" }],
  [
    "B2: in lower case",
    "---loopr_status---\nstatus: complete\nexit_signal: true",
    { status: "COMPLETE", exit_signal: true },
  ],
  ["B3: in bold", block("**STATUS:** complete"), { status: "COMPLETE" }],
  ["B3: with bold keys and values", block("- **STATUS**: `complete`"), { status: "COMPLETE" }],
  [
    "B4: without an end, up to the closing fence",
    "```\n---LOOPR_STATUS---\nSTATUS: COMPLETE\n```\nEXIT_SIGNAL: false",
    { status: "COMPLETE", exit_signal: null },
  ],
  [
    "B4: without an end, up to the blank line before other text",
    "---LOOPR_STATUS---\nSTATUS: COMPLETE\n\nEXIT_SIGNAL: true\n\nThat is all.\nERRORS: 7",
    { status: "COMPLETE", exit_signal: true, errors: null },
  ],
  [
    "B4: without an end, up to the end of the message",
    "---LOOPR_STATUS---\nSTATUS: BLOCKED\n\n",
    { status: "BLOCKED" },
  ],
  [
    "B4: without an end, up to the next start",
    "---LOOPR_STATUS---\nSTATUS: ERROR\nERRORS: 1\n---LISA_STATUS---\nSUMMARY: nothing valid",
    { name: "loopr", status: "ERROR", summary: null },
  ],
  [
    "B5: the last of two",
    `${block("STATUS: COMPLETE", "EXIT_SIGNAL: true")}\n${block("STATUS: IN_PROGRESS", "EXIT_SIGNAL: false")}`,
    { status: "IN_PROGRESS", exit_signal: false },
  ],
  [
    "B6: the real one behind an echoed template",
    `${block("STATUS: IN_PROGRESS | COMPLETE", "EXIT_SIGNAL: true | false")}\n${block("STATUS: COMPLETE")}`,
    { status: "COMPLETE" },
  ],
  [
    "B6: the real one before an echoed template",
    `${block("STATUS: COMPLETE")}\n${block("STATUS: <word>", "EXIT_SIGNAL: <bool>")}`,
    { status: "COMPLETE" },
  ],
  ["B6: no template alone", block("STATUS: IN_PROGRESS | COMPLETE", "EXIT_SIGNAL: true | false"), null],
  ["B7: two exit signals that differ", block("EXIT_SIGNAL: true", "EXIT_SIGNAL: false"), { exit_signal: false }],
  ["B7: two exit signals that agree", block("EXIT_SIGNAL: true", "EXIT_SIGNAL: yes"), { exit_signal: true }],
  ["B8: an exit signal with a remark", block("EXIT_SIGNAL: false # not yet"), { exit_signal: false }],
  ["B9: a number with a word", block("STATUS: COMPLETE", "FILES_MODIFIED: 3 files"), { files_modified: 3 }],
  ["B9: a negative number is none", block("STATUS: COMPLETE", "ERRORS: -3"), { errors: null }],
  ["B9: no number", block("STATUS: COMPLETE", "ERRORS: none"), { errors: null }],
  [
    "B10: in YAML form",
    "RALPH_STATUS:\n  STATUS: COMPLETE\n  EXIT_SIGNAL: true\n\nBye.",
    { name: "ralph", status: "COMPLETE", exit_signal: true },
  ],
  ["B11: with Windows line ends", block("STATUS: COMPLETE").replaceAll("\n", "\r\n"), { status: "COMPLETE" }],
  ["B12: no marker in a sentence", "I will end with ---LOOPR_STATUS--- as told.\nSTATUS: COMPLETE", null],
  ["B14: cut off", "---LOOPR_STATUS---\nSTATUS: COMPLETE\nEXIT_SIG", { status: "COMPLETE", exit_signal: null }],
  [
    "B15: with another name at its end",
    "---LOOPR_STATUS---\nSTATUS: ERROR\n---END_RALPH_STATUS---",
    { status: "ERROR" },
  ],
  ["B16: none", "Just text.", null],
  ["C1: Lisa's", "---LISA_STATUS---\nSTATUS: COMPLETE", { name: "lisa" }],
  ["C1: our own", "---SMITHERS_STATUS---\nSTATUS: COMPLETE", { name: "smithers" }],
  ["C24: with full-width punctuation", block("STATUS： COMPLETE"), { status: "COMPLETE" }],
  ["C24: with an emoji and a full stop", block("EXIT_SIGNAL: true ✅."), { exit_signal: true }],
  ["C24: with typographic dashes", "—LOOPR_STATUS—\nSTATUS: COMPLETE\n—END_LOOPR_STATUS—", { status: "COMPLETE" }],
  ["C24: blocked, and a remark", block("STATUS: BLOCKED (no network)"), { status: "BLOCKED" }],
  ["C24: an error, and a remark", block("STATUS: ERROR - the build breaks"), { status: "ERROR" }],
  ["C24: complete but for a remark", block("STATUS: COMPLETE except for the tests"), { status: "UNKNOWN" }],
  ["C24: free of errors", block("STATUS: error-free"), { status: "UNKNOWN" }],
  ["R-17: tests that fail, and a remark", tests("FAILING: 3 of 12"), { tests_status: "FAILING" }],
  ["R-17: tests that have failed", tests("FAILED"), { tests_status: "FAILING" }],
  ["R-17: no test fails", tests("FAILING: 0"), { tests_status: "UNKNOWN" }],
  ["C24: with typographic quotes", block("STATUS: “COMPLETE”"), { status: "COMPLETE" }],
  ["WORKING is IN_PROGRESS", block("STATUS: WORKING"), { status: "IN_PROGRESS" }],
  ["DONE is COMPLETE", block("STATUS: Done"), { status: "COMPLETE" }],
  ["two words are one", block("STATUS: in progress"), { status: "IN_PROGRESS" }],
  ["another word is UNKNOWN", block("STATUS: nearly"), { status: "UNKNOWN" }],
  ["a word of the language is UNKNOWN too", block("STATUS: constructor"), { status: "UNKNOWN" }],
  ["an empty status says nothing", block("STATUS:", "EXIT_SIGNAL:"), null],
  ["an equals sign", block("STATUS = COMPLETE", "EXIT_SIGNAL=1"), { status: "COMPLETE", exit_signal: true }],
  ["Ralph's own spelling", block("Status: COMPLETE", "ExitSignal: y", "WorkType: test"), { work_type: "tests" }],
  ["another kind of work", block("STATUS: ERROR", "WORK_TYPE: juggling"), { work_type: "other" }],
  [
    "tests that fail",
    block("STATUS: COMPLETE", "TESTS_STATUS: failing"),
    { status: "COMPLETE", tests_status: "FAILING" },
  ],
  ["tests nobody knows of", block("TESTS_STATUS: failing"), null],
  ["the last of two values", block("STATUS: COMPLETE", "STATUS: IN_PROGRESS"), { status: "IN_PROGRESS" }],
  ["fields that nobody knows", block("STATUS: COMPLETE", "MOOD: fine"), { other: { MOOD: "fine" } }],
])("section 5.2: %s", (_title, message, expected) => {
  expect({ found: read(message) }).toMatchObject({ found: expected });
});

test("what a block says is bounded", () => {
  const many = Array.from({ length: 50 }, (_, index) => `KEY${index}: ${"x".repeat(999)}`);
  const found = read(block("STATUS: COMPLETE", `SUMMARY: ${"s".repeat(9999)}`, ...many));
  expect(found?.summary).toHaveLength(500);
  expect(Object.values(found?.other ?? {}).map(({ length }) => length)).toEqual(Array.from({ length: 20 }, () => 200));
});

test.each([
  ["starts", "---LOOPR_STATUS---\n".repeat(3400)],
  ["blank lines in a block", `---LOOPR_STATUS---\nSTATUS: COMPLETE\n${"\n".repeat(65_000)}ERRORS: 1`],
  ["decorations", `${"> ".repeat(32_000)}\n${"-".repeat(32_000)}`],
])("a message full of %s costs no more than its length", (_title, message) => {
  const before = performance.now();
  read(message);
  expect(performance.now() - before).toBeLessThan(2000);
});
