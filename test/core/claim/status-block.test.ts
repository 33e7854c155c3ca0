import { expect, test } from "vitest";
import { normalised } from "../../../src/core/claim/markup.ts";
import { readStatusBlock } from "../../../src/core/claim/status-block.ts";
import type { StatusBlock } from "../../../src/core/claim/claim.ts";

const read = (message: string): StatusBlock | null => readStatusBlock(normalised(message));

const block = (...fields: readonly string[]): string =>
  ["---LOOPR_STATUS---", ...fields, "---END_LOOPR_STATUS---"].join("\n");

const tests = (status: string): string => block("STATUS: COMPLETE", `TESTS_STATUS: ${status}`);

test("Loopr's block [L-12]", () => {
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

test("Ralph's block, its field names and its words [R-17]", () => {
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
  ["fenced [B1]", `\`\`\`\n${block("STATUS: COMPLETE")}\n\`\`\``, { status: "COMPLETE" }],
  [
    "in lower case [B2]",
    "---loopr_status---\nstatus: complete\nexit_signal: true",
    { status: "COMPLETE", exit_signal: true },
  ],
  ["in bold [B3]", block("**STATUS:** complete"), { status: "COMPLETE" }],
  ["with bold keys and values [B3]", block("- **STATUS**: `complete`"), { status: "COMPLETE" }],
  [
    "without an end, up to the closing fence [B4]",
    "```\n---LOOPR_STATUS---\nSTATUS: COMPLETE\n```\nEXIT_SIGNAL: false",
    { status: "COMPLETE", exit_signal: null },
  ],
  [
    "without an end, up to the blank line before other text [B4]",
    "---LOOPR_STATUS---\nSTATUS: COMPLETE\n\nEXIT_SIGNAL: true\n\nThat is all.\nERRORS: 7",
    { status: "COMPLETE", exit_signal: true, errors: null },
  ],
  [
    "without an end, up to the end of the message [B4]",
    "---LOOPR_STATUS---\nSTATUS: BLOCKED\n\n",
    { status: "BLOCKED" },
  ],
  [
    "without an end, up to the next start [B4]",
    "---LOOPR_STATUS---\nSTATUS: ERROR\nERRORS: 1\n---LISA_STATUS---\nSUMMARY: nothing valid",
    { name: "loopr", status: "ERROR", summary: null },
  ],
  [
    "the last of two [B5]",
    `${block("STATUS: COMPLETE", "EXIT_SIGNAL: true")}\n${block("STATUS: IN_PROGRESS", "EXIT_SIGNAL: false")}`,
    { status: "IN_PROGRESS", exit_signal: false },
  ],
  [
    "the real one behind an echoed template [B6]",
    `${block("STATUS: IN_PROGRESS | COMPLETE", "EXIT_SIGNAL: true | false")}\n${block("STATUS: COMPLETE")}`,
    { status: "COMPLETE" },
  ],
  [
    "the real one before an echoed template [B6]",
    `${block("STATUS: COMPLETE")}\n${block("STATUS: <word>", "EXIT_SIGNAL: <bool>")}`,
    { status: "COMPLETE" },
  ],
  ["no template alone [B6]", block("STATUS: IN_PROGRESS | COMPLETE", "EXIT_SIGNAL: true | false"), null],
  ["two exit signals that differ [B7]", block("EXIT_SIGNAL: true", "EXIT_SIGNAL: false"), { exit_signal: false }],
  ["two exit signals that agree [B7]", block("EXIT_SIGNAL: true", "EXIT_SIGNAL: yes"), { exit_signal: true }],
  ["an exit signal with a remark [B8]", block("EXIT_SIGNAL: false # not yet"), { exit_signal: false }],
  ["a number with a word [B9]", block("STATUS: COMPLETE", "FILES_MODIFIED: 3 files"), { files_modified: 3 }],
  ["a negative number is none [B9]", block("STATUS: COMPLETE", "ERRORS: -3"), { errors: null }],
  ["errors that are mended [C39]", block("STATUS: COMPLETE", "ERRORS: 3 (all fixed)"), { errors: 0 }],
  ["nothing but errors [C39]", block("ERRORS: 3"), { errors: 3, status: null }],
  ["no number [B9]", block("STATUS: COMPLETE", "ERRORS: none"), { errors: null }],
  [
    "in YAML form [B10]",
    "RALPH_STATUS:\n  STATUS: COMPLETE\n  EXIT_SIGNAL: true\n\nBye.",
    { name: "ralph", status: "COMPLETE", exit_signal: true },
  ],
  ["with Windows line ends [B11]", block("STATUS: COMPLETE").replaceAll("\n", "\r\n"), { status: "COMPLETE" }],
  ["no marker in a sentence [B12]", "I will end with ---LOOPR_STATUS--- as told.\nSTATUS: COMPLETE", null],
  ["cut off [B14]", "---LOOPR_STATUS---\nSTATUS: COMPLETE\nEXIT_SIG", { status: "COMPLETE", exit_signal: null }],
  [
    "with another name at its end [B15]",
    "---LOOPR_STATUS---\nSTATUS: ERROR\n---END_RALPH_STATUS---",
    { status: "ERROR" },
  ],
  ["none [B16]", "Just text.", null],
  ["Lisa's [C1]", "---LISA_STATUS---\nSTATUS: COMPLETE", { name: "lisa" }],
  ["our own [C1]", "---SMITHERS_STATUS---\nSTATUS: COMPLETE", { name: "smithers" }],
  ["with full-width punctuation [C24]", block("STATUS： COMPLETE"), { status: "COMPLETE" }],
  ["with an emoji and a full stop [C24]", block("EXIT_SIGNAL: true ✅."), { exit_signal: true }],
  ["with typographic dashes [C24]", "—LOOPR_STATUS—\nSTATUS: COMPLETE\n—END_LOOPR_STATUS—", { status: "COMPLETE" }],
  ["blocked, and a remark [C24]", block("STATUS: BLOCKED (no network)"), { status: "BLOCKED" }],
  ["an error, and a remark [C24]", block("STATUS: ERROR - the build breaks"), { status: "ERROR" }],
  ["complete but for a remark [C24]", block("STATUS: COMPLETE except for the tests"), { status: "UNKNOWN" }],
  ["free of errors [C24]", block("STATUS: error-free"), { status: "UNKNOWN" }],
  ["tests that fail, and a remark [R-17]", tests("FAILING: 3 of 12"), { tests_status: "FAILING" }],
  ["tests that have failed [R-17]", tests("FAILED"), { tests_status: "FAILING" }],
  ["no test fails [R-17]", tests("FAILING: 0"), { tests_status: "UNKNOWN" }],
  ["with typographic quotes [C24]", block("STATUS: “COMPLETE”"), { status: "COMPLETE" }],
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
])("%s [section 5.2]", (_title, message, expected) => {
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
