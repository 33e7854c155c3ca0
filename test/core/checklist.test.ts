import { expect, test } from "vitest";
import { parseChecklist, isAllTicked, tallyOf } from "../../src/core/checklist.ts";
import { digest } from "../support/builders.ts";

const parse = (text: string, skipped: string | null = null) => parseChecklist(text, skipped, digest);
const shown = (text: string): readonly string[] => parse(text).map((item) => `${item.ticked ? "x" : "o"} ${item.text}`);

test.each<[string, string, readonly string[]]>([
  ["open and ticked", "- [ ] one\n- [x] two", ["o one", "x two"]],
  ["every bullet, a large X", "* [X] one\n+ [ ] two", ["x one", "o two"]],
  ["numbers", "1. [ ] one\n2) [x] two", ["o one", "x two"]],
  ["nested ones", "- [x] one\n  - [ ] half\n\t- [x] quarter", ["x one", "o half", "x quarter"]],
  ["other line ends", "- [ ] one\r\n- [x] two\r- [ ] three", ["o one", "x two", "o three"]],
  ["a heading and plain lists around them", "# Plan\n- note\n- [ ] one\n\ntext [ ] no", ["o one"]],
  ["a box without words, or without a bullet", "- [ ]\n- [ ]   \n[ ] no\n- [-] no\n- [ ]no", []],
  ["a box that was left empty, and work under way", "- [] one\n- [~] two\n- [/] three", ["o one", "o two", "o three"]],
  ["fenced code", "```\n- [ ] no\n```\n~~~md\n- [ ] no\n~~~\n- [ ] one", ["o one"]],
  ["a fence that holds a shorter one", "````\n```\n- [ ] no\n```\n````\n- [x] one", ["x one"]],
  ["a fence that is never closed hides nothing", "- [x] one\n```\n- [ ] two\n~~~", ["x one", "o two"]],
  ["code within a line is no fence", "```a``` b\n- [ ] one\n```", ["o one"]],
  ["comments", "<!-- - [ ] no -->\n<!--\n- [ ] no\n```\n-->\n- [ ] one <!-- soon -->", ["o one"]],
  ["a comment that is never closed hides nothing", "-->\n<!--\n- [ ] one", ["o one"]],
  ["an arrow within an item opens no comment", "- [ ] <!-- one\n- [ ] two\n-->", ["o <!-- one", "o two"]],
  ["nothing", "", []],
])("Markdown task lists: %s [R-26]", (_title, text, items) => {
  expect(shown(text)).toEqual(items);
});

test("an item keeps its id when it is ticked, moved or followed by others, and equal ones have two [R-26]", () => {
  const ids = (text: string) => parse(text).map((item) => item.id);
  const [one, two] = ids("- [ ] write tests\n- [ ] write tests");
  expect(ids("intro\n- [x] other\n  * [x] write tests\n- [ ] write tests").slice(1)).toEqual([one, two]);
  expect(one).not.toBe(two);
});

test("what is indented belongs to an item, and at most 4 KiB of it is kept [R-12]", () => {
  const [one, half, two] = parse("- [ ] one\n  why\n\n  - [ ] half\n    how\n- [ ] two\nafter");
  expect([one?.body, half?.body, two?.body]).toEqual(["  why\n\n  - [ ] half\n    how", "    how", ""]);
  expect(parse(`- [ ] long\n${"  word\n".repeat(2000)}`)[0]?.body.length).toBeLessThanOrEqual(4096);
});

test("a HARD STOP line is not work [C10]", () => {
  expect(parse("- [x] one\n- [ ] HARD STOP: review", "HARD STOP").map((item) => item.text)).toEqual(["one"]);
});

test.each([
  ["of fences", "```a\n"],
  ["of comments", "<!--"],
  ["of comment ends", "<!-- -->"],
  ["of items", "- [ ] a\n"],
])("a file full %s is read in reasonable time", (_title, piece) => {
  const before = performance.now();
  parse(piece.repeat(200_000 / piece.length));
  expect(performance.now() - before).toBeLessThan(5000);
});

test.each([
  ["every item [R-27]", "- [x] one\n- [X] two", true],
  ["all but one [R-27]", "- [x] one\n- [ ] two", false],
  ["no item at all [R-27]", "# Plan", false],
])("all is ticked: %s", (_title, text, all) => {
  expect(isAllTicked(tallyOf(parse(text)))).toBe(all);
});

test("without a checklist nothing is ticked [R-27]", () => {
  expect(isAllTicked(null)).toBe(false);
});
