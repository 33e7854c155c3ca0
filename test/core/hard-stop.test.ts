import { expect, test } from "vitest";
import { scanHardStops } from "../../src/core/hard-stop.ts";
import { digest } from "../support/builders.ts";

function scan(text: string, token = "HARD STOP") {
  return scanHardStops(text, token, digest);
}

test.each<[string, string, readonly { line: number; reached: boolean }[]]>([
  ["C10: no token, no checkpoint", "- [ ] a\n- [x] b", []],
  ["C10: an unchecked item above keeps it from being reached", "- [ ] a\nHARD STOP", [{ line: 2, reached: false }]],
  ["C10: checked items above do not", "- [x] a\n- [X] b\nHARD STOP", [{ line: 3, reached: true }]],
  ["C10: unchecked items below do not", "HARD STOP\n- [ ] a", [{ line: 1, reached: true }]],
  ["C10: a file without checkboxes is reached at once", "# Plan\nfoo\nHARD STOP", [{ line: 3, reached: true }]],
  ["C10: items of every list form count", "1. [ ] a\nHARD STOP", [{ line: 2, reached: false }]],
  ["C10: so do nested ones", "- [x] a\n    * [ ] b\nHARD STOP", [{ line: 3, reached: false }]],
  ["W-43: a checkpoint may be an item itself", "- [x] a\n- [ ] HARD STOP: look", [{ line: 2, reached: true }]],
  [
    "C10: a checkpoint with a checkbox does not bar the next one",
    "- [ ] HARD STOP: one\n- [x] a\n- [ ] HARD STOP: two",
    [
      { line: 1, reached: true },
      { line: 3, reached: true },
    ],
  ],
  ["W-43: Windows and old Mac line ends", "a\r\nb\rHARD STOP", [{ line: 3, reached: true }]],
])("%s", (_title, text, hits) => {
  expect(scan(text).map(({ line, reached }) => ({ line, reached }))).toEqual(hits);
});

test("W-43: the token is the user's", () => {
  expect(scan("REVIEW ME\nHARD STOP", "REVIEW ME").map((hit) => hit.text)).toEqual(["REVIEW ME"]);
});

test("C10: a hit is named by its text and its occurrence, not by its line", () => {
  const [first, second] = scan("HARD STOP\nHARD STOP");
  const moved = scan("intro\n\n  HARD STOP");
  expect(first?.id).not.toBe(second?.id);
  expect(moved[0]?.id).toBe(first?.id);
});

test("C10: another text is another hit", () => {
  expect(scan("HARD STOP a")[0]?.id).not.toBe(scan("HARD STOP b")[0]?.id);
});

test("C10: ticking a checkpoint makes no new one", () => {
  expect(scan("- [x] HARD STOP: look")[0]?.id).toBe(scan("- [ ] HARD STOP: look")[0]?.id);
});

test("the text of a hit is at most 120 characters, its name tells longer lines apart", () => {
  const [a, b] = scan(`HARD STOP ${"x".repeat(300)}a\nHARD STOP ${"x".repeat(300)}b`);
  expect(a?.text).toHaveLength(120);
  expect(a?.id.split("#")[0]).not.toBe(b?.id.split("#")[0]);
});
