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
  { title: "W-37 P1: alone on the last line", message: `Done.\n\n${TAG}\n`, detected: true, counts: everywhere },
  { title: "W-37 P2: behind other words", message: `All done. ${TAG}`, detected: true, counts: notAtTheEnd },
  {
    title: "W-37 P3: announced",
    message: `I will print ${TAG} when tests pass`,
    detected: true,
    counts: notAtTheEnd,
  },
  { title: "W-37 P4: denied", message: `Not outputting ${TAG} yet`, detected: true, counts: notAtTheEnd },
  {
    title: "W-37 P5: in a fence of backticks",
    message: `Ends with:\n\`\`\`text\n${TAG}\n\`\`\``,
    detected: true,
    counts: onlyUnguarded,
  },
  { title: "W-37 P5: in a fence of tildes", message: `~~~\n${TAG}\n~~~\n`, detected: true, counts: onlyUnguarded },
  { title: "W-37 P5: in inline code", message: `Ends with \`${TAG}\``, detected: true, counts: onlyUnguarded },
  {
    title: "W-37 P5: in inline code of two backticks",
    message: `Ends with \`\`a \` ${TAG}\`\``,
    detected: true,
    counts: onlyUnguarded,
  },
  { title: "W-37 P6: in a quotation", message: `> prompt said ${TAG}`, detected: true, counts: onlyUnguarded },
  { title: "W-37 P7: not in the last message", message: "I am not done.", detected: false, counts: nowhere },
  { title: "W-37 P8: with spaces", message: "<promise> DONE </promise>", detected: false, counts: nowhere },
  { title: "W-37 P8: in capitals", message: "<PROMISE>DONE</PROMISE>", detected: false, counts: nowhere },
  {
    title: "W-37 P15: a status block behind it",
    message: `${TAG}\n\n---RALPH_STATUS---\nSTATUS: COMPLETE\nEXIT_SIGNAL: true\n---END_RALPH_STATUS---\n`,
    detected: true,
    counts: everywhere,
  },
  {
    title: "W-37 P15: a status block in the YAML form behind it",
    message: `${TAG}\n\nLOOPR_STATUS:\n  STATUS: COMPLETE\n`,
    detected: true,
    counts: everywhere,
  },
  {
    title: "W-16 P11: plain, inside another word",
    message: "task ABANDONED",
    rule: { mode: "plain", text: "DONE" },
    detected: true,
    counts: nowhere,
  },
  {
    title: "W-16 P11: plain, the beginning of another word",
    message: "DONENESS, DONE2, DONE_",
    rule: { mode: "plain" },
    detected: true,
    counts: nowhere,
  },
  {
    title: "W-16 P11: plain, before and behind other words",
    message: "UNDONE, REDONE_ and DONE: all",
    rule: { mode: "plain" },
    detected: true,
    counts: notAtTheEnd,
  },
  { title: "W-16: plain, alone", message: "DONE", rule: { mode: "plain" }, detected: true, counts: everywhere },
  {
    title: "W-16: plain, another case",
    message: "done",
    rule: { mode: "plain" },
    detected: false,
    counts: nowhere,
  },
  {
    title: "W-16: a pattern on the last line",
    message: "Fixed.\nALL 12 DONE",
    rule: { mode: "regex", text: "ALL \\d+ DONE" },
    detected: true,
    counts: everywhere,
  },
  {
    title: "W-16: a pattern in the middle of the last line",
    message: "They say ALL 12 DONE now",
    rule: { mode: "regex", text: "ALL \\d+ DONE" },
    detected: true,
    counts: notAtTheEnd,
  },
  {
    title: "W-16: a pattern in inline code",
    message: "`ALL 12 DONE`",
    rule: { mode: "regex", text: "ALL \\d+ DONE" },
    detected: true,
    counts: onlyUnguarded,
  },
  {
    title: "W-16: a pattern of two alternatives is guarded as a whole",
    message: "FINISHED so far: nothing",
    rule: { mode: "regex", text: "DONE|FINISHED" },
    detected: true,
    counts: notAtTheEnd,
  },
  {
    title: "W-37: a pattern that does not match",
    message: "no",
    rule: { mode: "regex", text: "DONE" },
    detected: false,
    counts: nowhere,
  },
  {
    title: "W-37 P13: a pattern that takes too long",
    message: "a".repeat(10_000),
    rule: { mode: "regex", text: "(a+)+$" },
    detected: false,
    counts: nowhere,
  },
  { title: "S-10: no promise wanted", message: TAG, rule: { mode: "off" }, detected: false, counts: nowhere },
];

describe.each(["off", "code", "final-line"] as const)("W-05: promise-guard %s", (guard) => {
  test.each(rows)("$title", async ({ message, rule, detected, counts }) => {
    expect(await find(message, { ...rule, guard })).toMatchObject({ detected, counts: counts[guard] });
  });
});

const code = "only inside code, a quotation or another word";
const place = "not alone on the last line";
const NONE = /^$/u;

test.each<{ title: string; message: string; rule: Partial<PromiseRule>; hint: RegExp }>([
  { title: "C24 P8: near miss", message: "<PROMISE> Done </promise>", rule: {}, hint: /close to.*: <promise>DONE</u },
  { title: "C24: nothing like it", message: "not yet", rule: {}, hint: NONE },
  { title: "C24: a plain promise has no near miss", message: "done", rule: { mode: "plain" }, hint: NONE },
  { title: "C22: a promise that counts", message: TAG, rule: { guard: "final-line" }, hint: NONE },
  { title: "C22: dropped by code", message: `\`${TAG}\``, rule: { guard: "code" }, hint: new RegExp(code, "u") },
  {
    title: "C22: dropped by final-line, with the exact string",
    message: `${TAG} or so`,
    rule: { guard: "final-line" },
    hint: new RegExp(`${place}.*exactly: ${TAG}`, "u"),
  },
  {
    title: "C22: a dropped pattern",
    message: "All DONE",
    rule: { mode: "regex", guard: "final-line" },
    hint: new RegExp(`${place}.*a line matching /DONE/`, "u"),
  },
  { title: "P13: given up", message: "aaa", rule: { mode: "regex", text: "(a+)+$" }, hint: /took too long/u },
])("what the next prompt says: $title", async ({ message, rule, hint }) => {
  expect((await find(message, rule)).hint ?? "").toMatch(hint);
});

test.each([
  ["tag", "<promise>DONE</promise>"],
  ["plain", "DONE"],
  ["regex", null],
  ["off", null],
] as const)("W-16: the exact text of mode %s is %s", (mode, token) => {
  expect(promiseToken({ text: "DONE", mode, guard: "off" })).toBe(token);
});
