import { describe, expect, test } from "vitest";
import { findPromise, promiseToken, type PromiseFinding } from "../../../src/core/claim/promise.ts";
import type { PromiseRule } from "../../../src/core/task.ts";
import { fakeMatcher } from "../../support/fake-matcher.ts";

const matcher = fakeMatcher(["(a+)+$"]);

function find(message: string, rule: Partial<PromiseRule>): Promise<PromiseFinding> {
  return findPromise(message, { text: "DONE", mode: "tag", guard: "off", ...rule }, matcher);
}

/** What section 5.3 says of each guard: whether the promise counts as a claim. */
interface Row {
  readonly title: string;
  readonly message: string;
  readonly rule?: Partial<PromiseRule>;
  readonly detected: boolean;
  readonly counts: Readonly<Record<PromiseRule["guard"], boolean>>;
}

const everywhere = { off: true, code: true, "final-line": true };
const notAtTheEnd = { off: true, code: true, "final-line": false };
const onlyUnguarded = { off: true, code: false, "final-line": false };
const nowhere = { off: false, code: false, "final-line": false };

const TAG = "<promise>DONE</promise>";

const rows: readonly Row[] = [
  { title: "alone on the last line [W-37, P1]", message: `Done.\n\n${TAG}\n`, detected: true, counts: everywhere },
  { title: "behind other words [W-37, P2]", message: `All done. ${TAG}`, detected: true, counts: notAtTheEnd },
  {
    title: "announced [W-37, P3]",
    message: `I will print ${TAG} when tests pass`,
    detected: true,
    counts: notAtTheEnd,
  },
  { title: "denied [W-37, P4]", message: `Not outputting ${TAG} yet`, detected: true, counts: notAtTheEnd },
  {
    title: "in a fence of backticks [W-37, P5]",
    message: `Ends with:\n\`\`\`text\n${TAG}\n\`\`\``,
    detected: true,
    counts: onlyUnguarded,
  },
  { title: "in a fence of tildes [W-37, P5]", message: `~~~\n${TAG}\n~~~\n`, detected: true, counts: onlyUnguarded },
  { title: "in inline code [W-37, P5]", message: `Ends with \`${TAG}\``, detected: true, counts: onlyUnguarded },
  {
    title: "in inline code of two backticks [W-37, P5]",
    message: `Ends with \`\`a \` ${TAG}\`\``,
    detected: true,
    counts: onlyUnguarded,
  },
  { title: "in a quotation [W-37, P6]", message: `> prompt said ${TAG}`, detected: true, counts: onlyUnguarded },
  { title: "not in the last message [W-37, P7]", message: "I am not done.", detected: false, counts: nowhere },
  { title: "with spaces [W-37, P8]", message: "<promise> DONE </promise>", detected: false, counts: nowhere },
  { title: "in capitals [W-37, P8]", message: "<PROMISE>DONE</PROMISE>", detected: false, counts: nowhere },
  {
    title: "a status block behind it [W-37, P15]",
    message: `${TAG}\n\n---RALPH_STATUS---\nSTATUS: COMPLETE\nEXIT_SIGNAL: true\n---END_RALPH_STATUS---\n`,
    detected: true,
    counts: everywhere,
  },
  {
    title: "a status block in the YAML form behind it [W-37, P15]",
    message: `${TAG}\n\nLOOPR_STATUS:\n  STATUS: COMPLETE\n`,
    detected: true,
    counts: everywhere,
  },
  {
    title: "plain, inside another word [W-16, P11]",
    message: "task ABANDONED",
    rule: { mode: "plain", text: "DONE" },
    detected: true,
    counts: nowhere,
  },
  {
    title: "plain, the beginning of another word [W-16, P11]",
    message: "DONENESS, DONE2, DONE_",
    rule: { mode: "plain" },
    detected: true,
    counts: nowhere,
  },
  {
    title: "plain, before and behind other words [W-16, P11]",
    message: "UNDONE, REDONE_ and DONE: all",
    rule: { mode: "plain" },
    detected: true,
    counts: notAtTheEnd,
  },
  { title: "plain, alone [W-16]", message: "DONE", rule: { mode: "plain" }, detected: true, counts: everywhere },
  {
    title: "plain, another case [W-16]",
    message: "done",
    rule: { mode: "plain" },
    detected: false,
    counts: nowhere,
  },
  {
    title: "a pattern on the last line [W-16]",
    message: "Fixed.\nALL 12 DONE",
    rule: { mode: "regex", text: "ALL \\d+ DONE" },
    detected: true,
    counts: everywhere,
  },
  {
    title: "a pattern in the middle of the last line [W-16]",
    message: "They say ALL 12 DONE now",
    rule: { mode: "regex", text: "ALL \\d+ DONE" },
    detected: true,
    counts: notAtTheEnd,
  },
  {
    title: "a pattern in inline code [W-16]",
    message: "`ALL 12 DONE`",
    rule: { mode: "regex", text: "ALL \\d+ DONE" },
    detected: true,
    counts: onlyUnguarded,
  },
  {
    title: "a pattern of two alternatives is guarded as a whole [W-16]",
    message: "FINISHED so far: nothing",
    rule: { mode: "regex", text: "DONE|FINISHED" },
    detected: true,
    counts: notAtTheEnd,
  },
  {
    title: "a pattern that does not match [W-37]",
    message: "no",
    rule: { mode: "regex", text: "DONE" },
    detected: false,
    counts: nowhere,
  },
  {
    title: "a pattern that takes too long [W-37, P13]",
    message: "a".repeat(10_000),
    rule: { mode: "regex", text: "(a+)+$" },
    detected: false,
    counts: nowhere,
  },
  { title: "no promise wanted [S-10]", message: TAG, rule: { mode: "off" }, detected: false, counts: nowhere },
];

describe.each(["off", "code", "final-line"] as const)("promise-guard %s [W-05]", (guard) => {
  test.each(rows)("$title", async ({ message, rule, detected, counts }) => {
    expect(await find(message, { ...rule, guard })).toMatchObject({ detected, counts: counts[guard] });
  });
});

const code = "only inside code, a quotation or another word";
const place = "not alone on the last line";
const NONE = /^$/u;

test.each<{ title: string; message: string; rule: Partial<PromiseRule>; hint: RegExp }>([
  { title: "near miss [C24, P8]", message: "<PROMISE> Done </promise>", rule: {}, hint: /close to.*: <promise>DONE</u },
  { title: "nothing like it [C24]", message: "not yet", rule: {}, hint: NONE },
  { title: "a plain promise has no near miss [C24]", message: "done", rule: { mode: "plain" }, hint: NONE },
  { title: "a promise that counts [C22]", message: TAG, rule: { guard: "final-line" }, hint: NONE },
  { title: "dropped by code [C22]", message: `\`${TAG}\``, rule: { guard: "code" }, hint: new RegExp(code, "u") },
  {
    title: "dropped by final-line, with the exact string [C22]",
    message: `${TAG} or so`,
    rule: { guard: "final-line" },
    hint: new RegExp(`${place}.*exactly: ${TAG}`, "u"),
  },
  {
    title: "a dropped pattern [C22]",
    message: "All DONE",
    rule: { mode: "regex", guard: "final-line" },
    hint: new RegExp(`${place}.*a line matching /DONE/`, "u"),
  },
  { title: "given up [P13]", message: "aaa", rule: { mode: "regex", text: "(a+)+$" }, hint: /took too long/u },
])("what the next prompt says: $title", async ({ message, rule, hint }) => {
  expect((await find(message, rule)).hint ?? "").toMatch(hint);
});

test.each([
  ["tag", "<promise>DONE</promise>"],
  ["plain", "DONE"],
  ["regex", null],
  ["off", null],
] as const)("the exact text of mode %s is %s [W-16]", (mode, token) => {
  expect(promiseToken({ text: "DONE", mode, guard: "off" })).toBe(token);
});
