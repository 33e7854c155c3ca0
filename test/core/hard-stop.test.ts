import { expect, test } from "vitest";
import { scanHardStops } from "../../src/core/hard-stop.ts";
import { digest } from "../support/builders.ts";

function scan(text: string, token = "HARD STOP") {
  return scanHardStops(text, token, digest);
}

test.each<[string, string, readonly { line: number; reached: boolean }[]]>([
  ["no token, no checkpoint [C10]", "- [ ] a\n- [x] b", []],
  ["an unchecked item above keeps it from being reached [C10]", "- [ ] a\nHARD STOP", [{ line: 2, reached: false }]],
  ["checked items above do not [C10]", "- [x] a\n- [X] b\nHARD STOP", [{ line: 3, reached: true }]],
  ["unchecked items below do not [C10]", "HARD STOP\n- [ ] a", [{ line: 1, reached: true }]],
  ["a file without checkboxes is reached at once [C10]", "# Plan\nfoo\nHARD STOP", [{ line: 3, reached: true }]],
  ["items of every list form count [C10]", "1. [ ] a\nHARD STOP", [{ line: 2, reached: false }]],
  ["so do nested ones [C10]", "- [x] a\n    * [ ] b\nHARD STOP", [{ line: 3, reached: false }]],
  ["a checkpoint may be an item itself [W-43]", "- [x] a\n- [ ] HARD STOP: look", [{ line: 2, reached: true }]],
  [
    "a checkpoint with a checkbox does not bar the next one [C10]",
    "- [ ] HARD STOP: one\n- [x] a\n- [ ] HARD STOP: two",
    [
      { line: 1, reached: true },
      { line: 3, reached: true },
    ],
  ],
  ["Windows and old Mac line ends [W-43]", "a\r\nb\rHARD STOP", [{ line: 3, reached: true }]],
])("%s", (_title, text, hits) => {
  expect(scan(text).map(({ line, reached }) => ({ line, reached }))).toEqual(hits);
});

test("the token is the user's [W-43]", () => {
  expect(scan("REVIEW ME\nHARD STOP", "REVIEW ME").map((hit) => hit.text)).toEqual(["REVIEW ME"]);
});

test("a hit is named by its text and its occurrence, not by its line [C10]", () => {
  const [first, second] = scan("HARD STOP\nHARD STOP");
  const moved = scan("intro\n\n  HARD STOP");
  expect(first?.id).not.toBe(second?.id);
  expect(moved[0]?.id).toBe(first?.id);
});

test("another text is another hit [C10]", () => {
  expect(scan("HARD STOP a")[0]?.id).not.toBe(scan("HARD STOP b")[0]?.id);
});

test("ticking a checkpoint makes no new one [C10]", () => {
  expect(scan("- [x] HARD STOP: look")[0]?.id).toBe(scan("- [ ] HARD STOP: look")[0]?.id);
});

test("the text of a hit is at most 120 characters, its name tells longer lines apart", () => {
  const [a, b] = scan(`HARD STOP ${"x".repeat(300)}a\nHARD STOP ${"x".repeat(300)}b`);
  expect(a?.text).toHaveLength(120);
  expect(a?.id.split("#")[0]).not.toBe(b?.id.split("#")[0]);
});
